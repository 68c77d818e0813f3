/* Guesses the language of a text from the first records of its first block, and adds the stop words
 * of that language. */
#include "corpus/text/text_sample.h"

#include <inttypes.h>

enum { SAMPLE_WORDS = 100000 };

typedef struct language_sample {
    const ez_text_job *job;
    ez_segmenter segmenter;
    ez_stop_guess guess;
} language_sample;

static bool feed_text(void *user, const char *text, size_t n)
{
    language_sample *sample = user;
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    ez_word_cursor cursor = {&tokeniser, &sample->segmenter, sample->job->context, text, text + n};
    const char *form;
    while (sample->guess.tokens < SAMPLE_WORDS && (form = ez_cursor_next(&cursor, &n))) {
        char word[EZ_WORD_BYTES + 1];
        n = ez_normalise_word(&tokeniser, form, n, word);
        if (n)
            ez_stop_guess_feed(&sample->guess, word, n);
    }
    ez_segmenter_begin(&sample->segmenter);
    return sample->guess.tokens < SAMPLE_WORDS;
}

static ezlda_status use_guess(ez_text_job *job, const ez_stop_guess *guess)
{
    double share;
    const ez_stop_list *list = ez_stop_guess_best(guess, &share);
    if (guess->tokens < EZ_STOP_GUESS_WORDS) {
        ez_note(job->context,
                "stop words: none removed, %" PRIu64
                " words are too few to guess the language (%d needed)",
                guess->tokens, EZ_STOP_GUESS_WORDS);
        return EZLDA_OK;
    }
    if (!list) {
        ez_note(job->context,
                "stop words: none removed, no language is clear (best: %.0f %% of the words of a "
                "sample)",
                100 * share);
        return EZLDA_OK;
    }
    ez_note(job->context, "stop words: %s (%.0f %% of the words of a sample are in its list)",
            list->name, 100 * share);
    return ez_stopwords_add(&job->stopwords, job->context, list->code);
}

ezlda_status ez_text_guess_language(ez_text_job *job, const ez_block *block)
{
    language_sample sample = {.job = job, .segmenter = {.cutting = job->cutting}};
    ezlda_status status;
    EZ_TRY_GOTO(ez_stop_guess_init(&sample.guess, job->context));
    EZ_TRY_GOTO(ez_text_sample(job, block, feed_text, &sample));
    status = use_guess(job, &sample.guess);
done:
    ez_segmenter_free(&sample.segmenter);
    ez_stop_guess_free(&sample.guess);
    return status;
}
