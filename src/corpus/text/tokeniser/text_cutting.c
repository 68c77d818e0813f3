/* Chooses, finds, keeps and reports how text is cut into words and how case is removed. */
#include "corpus/text/tokeniser/text_cutting.h"

#include "corpus/text/text_pipeline.h"
#include "corpus/text/text_sample.h"

#include <string.h>

enum { SAMPLE_BYTES = 1 << 20 };

static const char *const case_names[] = {"folded", "lower", "turkic"};

ez_text_cutting ez_cutting_of_rules(const ezlda_text_rules *rules)
{
    ez_text_cutting way = {EZ_CUT_AUTO, EZ_CASE_LOWER};
    if (rules->kept & EZ_GUESSED)
        return way;
    const char *tokens = ez_text_rules_setting(rules, "tokens");
    const char *casing = ez_text_rules_setting(rules, "case");
    if (!tokens)
        way.cutting = EZ_CUT_SPACES;
    else if (!ez_cutting_named(tokens, &way.cutting) || way.cutting == EZ_CUT_ICU)
        way.cutting = EZ_CUT_AUTO;
    if (!casing)
        way.casing = EZ_CASE_FOLDED;
    else if (strcmp(casing, case_names[EZ_CASE_TURKIC]) == 0)
        way.casing = EZ_CASE_TURKIC;
    return way;
}

const char *ez_tokens_like(const ezlda_text_rules *rules)
{
    return ez_cutting_name(ez_cutting_of_rules(rules).cutting);
}

bool ez_words_are_cut(const ezlda_import_options *options)
{
    return options->tokens &&
           (strcmp(options->tokens, "pre") == 0 || strcmp(options->tokens, "units") == 0);
}

bool ez_casing_is_guessed(const ezlda_import_options *options)
{
    return !options->like || (options->like->kept & EZ_GUESSED);
}

void ez_tokeniser_cut(ez_tokeniser *tokeniser, ez_text_cutting way)
{
    tokeniser->units = way.cutting == EZ_CUT_UNITS;
    tokeniser->pieces = tokeniser->units || way.cutting == EZ_CUT_PRE;
    tokeniser->runs = way.cutting != EZ_CUT_SPACES && !tokeniser->pieces;
    tokeniser->casing = way.casing;
}

void ez_cutting_init(ez_text_job *job)
{
    const ezlda_import_options *options = job->options;
    ez_text_cutting way = {EZ_CUT_AUTO, EZ_CASE_LOWER};
    if (options->like)
        way = ez_cutting_of_rules(options->like);
    if (options->tokens)
        ez_cutting_named(options->tokens, &way.cutting);
    ez_tokeniser_cut(&job->tokeniser, way);
    job->cutting = way.cutting;
    for (int i = 0; i < job->workers; i++)
        job->words[i].segmenter.cutting = way.cutting;
}

typedef struct dotless_sample {
    ez_dotless_count count;
    size_t bytes;
} dotless_sample;

static bool count_dotless(void *user, const char *text, size_t n)
{
    dotless_sample *sample = user;
    ez_dotless_feed(&sample->count, text, n);
    sample->bytes += n;
    return sample->bytes < SAMPLE_BYTES;
}

ezlda_status ez_cutting_guess(ez_text_job *job, const ez_block *block)
{
    dotless_sample sample = {0};
    EZ_TRY(ez_text_sample(job, block, count_dotless, &sample));
    if (!ez_dotless_found(&sample.count))
        return EZLDA_OK;
    job->tokeniser.casing = EZ_CASE_TURKIC;
    if (!job->tokeniser.keep_case && !job->tokeniser.pieces)
        ez_note(job->context,
                "case: I becomes \xc4\xb1, as in Turkish (a sample has %llu of "
                "\xc4\xb1 and \xc4\xb0)",
                (unsigned long long)sample.count.turkic);
    return EZLDA_OK;
}

static void report_runs(ez_text_job *job, uint64_t docs, uint32_t scripts)
{
    char text[100];
    unsigned long long some = docs, all = job->store.docs;
    ez_scripts_describe(scripts, text, sizeof text);
    if (job->cutting == EZ_CUT_ICU)
        ez_note(job->context,
                "words: cut by the dictionaries of ICU %s in %llu of %llu documents (%s)",
                ez_icu_version(), some, all, text);
    else if (!job->options->tokens || strcmp(job->options->tokens, "auto") == 0)
        ez_warn(
            job->context,
            "words: %llu of %llu documents have text without spaces (%s). ICU, which cuts it into "
            "words, was not found: pairs of characters are used instead. Install libicuuc "
            "(Debian: libicu72) and import again",
            some, all, text);
    else
        ez_note(job->context, "words: pairs of characters in %llu of %llu documents (%s)", some,
                all, text);
}

ezlda_status ez_cutting_finish(ez_text_job *job)
{
    uint64_t docs = 0;
    uint32_t scripts = 0;
    for (int i = 0; i < job->workers; i++) {
        const ez_segmenter *segmenter = &job->words[i].segmenter;
        docs += segmenter->docs;
        scripts |= segmenter->scripts;
        if (segmenter->docs)
            job->cutting = segmenter->cutting;
    }
    if (docs)
        report_runs(job, docs, scripts);
    if (job->cutting == EZ_CUT_AUTO)
        job->cutting = EZ_CUT_ICU;
    /* A program puts the separators in; new text is more likely to have spaces. */
    if (job->cutting == EZ_CUT_UNITS)
        job->cutting = EZ_CUT_PRE;
    const char *casing = case_names[job->tokeniser.casing];
    if (job->tokeniser.casing != EZ_CASE_FOLDED)
        EZ_TRY(ez_rule_settings_set(&job->settings, job->context, "case", casing));
    return ez_rule_settings_set(&job->settings, job->context, "tokens",
                                ez_cutting_name(job->cutting));
}

const char *ez_cutting_remark(ez_cutting cutting)
{
    switch (cutting) {
    case EZ_CUT_PAIRS: return ", pairs of characters of scripts without spaces";
    case EZ_CUT_SPACES: return ", words only between spaces and punctuation";
    case EZ_CUT_PRE: return ", words as they stand between whitespace";
    default: return "";
    }
}
