/* Guesses the language of a text from the first records of its first block, and adds the stop words
 * of that language. */
#include "corpus/text/text_pipeline.h"

#include <inttypes.h>
#include <string.h>

enum { SAMPLE_WORDS = 100000 };

static void feed_text(ez_stop_guess *guess, ez_span *text)
{
    ez_markup_counts ignored = {0};
    text->n = ez_markup_clean(text->at, text->n, &ignored);
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, true, true, 1);
    const char *at = text->at, *end = at + text->n, *form;
    size_t n;
    while (guess->tokens < SAMPLE_WORDS && (form = ez_next_word(&tokeniser, &at, end, &n))) {
        char word[EZ_WORD_BYTES + 1];
        n = ez_normalise_word(&tokeniser, form, n, word);
        if (n)
            ez_stop_guess_feed(guess, word, n);
    }
}

static void feed_record(ez_stop_guess *guess, const ez_field_plan *plan, ez_span *slots)
{
    if (slots[EZ_SLOT_TEXT].at)
        feed_text(guess, &slots[EZ_SLOT_TEXT]);
    for (uint32_t i = plan->text_parts; !slots[EZ_SLOT_TEXT].at && i < plan->slots; i++)
        if (slots[i].at)
            feed_text(guess, &slots[i]);
}

/* A faulty record ends the sample; it is reported when the block is parsed. A file that cannot be
 * read ends the import: if it could be read later, the guess would have been made without it. */
static ezlda_status feed_block(const ez_text_job *job, ez_stop_guess *guess, ez_block *copy,
                               ez_span *slots)
{
    const ez_text_source *source = job->source;
    ez_fault fault = {0};
    uint64_t line;
    if (source->reader != &ez_directory_reader &&
        ez_block_check(source, job->context, copy, &fault))
        return fault.text[0] ? EZLDA_OK : fault.status;
    int got = 1;
    while (guess->tokens < SAMPLE_WORDS &&
           (got = source->reader->next(source, job->context, copy, slots, &line, &fault)) > 0)
        feed_record(guess, source->plan, slots);
    return got < 0 && !fault.text[0] ? fault.status : EZLDA_OK;
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
    ez_block copy = *block;
    ez_span *slots = NULL;
    ez_stop_guess guess = {0};
    ezlda_status status;
    memset(&copy.text, 0, sizeof copy.text);
    memset(&copy.mended, 0, sizeof copy.mended);
    copy.tally = NULL;
    EZ_TRY_GOTO(ez_buffer_append(&copy.text, job->context, block->text.data, block->text.used));
    EZ_TRY_GOTO(ez_array(&slots, job->context, job->source->plan->slots, sizeof *slots,
                         "fields of a record"));
    EZ_TRY_GOTO(ez_stop_guess_init(&guess, job->context));
    EZ_TRY_GOTO(feed_block(job, &guess, &copy, slots));
    status = use_guess(job, &guess);
done:
    ez_free(copy.text.data);
    ez_free(copy.mended.data);
    ez_free(slots);
    ez_stop_guess_free(&guess);
    return status;
}
