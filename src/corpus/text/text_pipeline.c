/* Runs the three steps of the import of text and checks what they found: fields, documents and
 * words. */
#include "corpus/text/text_pipeline.h"

#include "corpus/text/phrase_list.h"
#include "corpus/text/text_rules.h"
#include "corpus/text/text_terms.h"

#include <string.h>

static ezlda_status job_init(ez_text_job *job, size_t memory_limit)
{
    const ezlda_import_options *options = job->options;
    const char *stopwords = options->stopwords;
    const ez_field_plan *plan = job->source->plan;
    ez_phrase_option(options->phrases, &job->firm);
    job->join = job->firm > 0 || ez_text_rules_phrases(options);
    /* Underscores join phrases, so text may contain them only if no phrases are made. */
    ez_tokeniser_init(&job->tokeniser, options->keep_case, options->keep_numbers,
                      options->ngrams <= 1 && !job->join, options->min_length);
    ez_token_store_init(&job->store, plan->text_parts - EZ_SLOT_LABEL + 1, memory_limit);
    job->workers = ez_threads(job->context);
    EZ_TRY(ez_array_zero(&job->words, job->context, (size_t)job->workers, sizeof *job->words,
                         "word tables"));
    EZ_TRY(ez_array_zero(&job->present, job->context, plan->slots, sizeof *job->present,
                         "counts of fields"));
    if (stopwords && strcmp(stopwords, "auto") != 0 && strcmp(stopwords, "none") != 0)
        EZ_TRY(ez_stopwords_add(&job->stopwords, job->context, stopwords));
    EZ_TRY(ez_text_rules_stopwords(options, job->context, &job->stopwords));
    return ez_text_rules_unstemmed(options, job->context, &job->unstemmed);
}

static void job_free(ez_text_job *job)
{
    ez_strings_free(&job->stopwords);
    ez_strings_free(&job->unstemmed);
    ez_rule_settings_free(&job->settings);
    ez_token_store_free(&job->store);
    for (int i = 0; job->words && i < job->workers; i++)
        ez_text_words_free(&job->words[i]);
    ez_free(job->words);
    ez_free(job->present);
}

static void note_missing(const ez_text_job *job, uint32_t slot, const char *what)
{
    uint64_t docs = job->store.docs, missing = docs - job->present[slot];
    if (missing)
        ez_warn(job->context, "%s: %llu of %llu records have no field \"%s\": %s",
                ez_text_source_name(job->source, 0), (unsigned long long)missing,
                (unsigned long long)docs, job->source->plan->names[slot], what);
}

/* A field that was asked for must be in some record. Records without text are reported in a note.
 */
static ezlda_status check_fields(const ez_text_job *job)
{
    const ez_field_plan *plan = job->source->plan;
    const char *path = ez_text_source_name(job->source, 0);
    for (uint32_t i = 0; i < plan->slots; i++)
        if (ez_slot_asked(plan, i) && !job->present[i])
            return ez_fail(job->context, EZLDA_ERROR_FORMAT, "%s: no record has a field \"%s\"",
                           path, plan->names[i]);
    if (plan->name_kept && job->present[EZ_SLOT_NAME])
        return ez_refuse_kept(job->context, plan->names[EZ_SLOT_NAME_ELSE]);
    if (plan->text_parts == plan->slots)
        note_missing(job, EZ_SLOT_TEXT, "they are empty documents");
    for (uint32_t i = plan->text_parts; i < plan->slots; i++)
        note_missing(job, i, "their text is without it");
    return EZLDA_OK;
}

/* A corpus must have words; new text for a model need not. */
static ezlda_status check_words(const ez_text_job *job, const ez_terms *terms)
{
    if (terms->n_words || job->options->like)
        return EZLDA_OK;
    return ez_fail(job->context, EZLDA_ERROR_FORMAT,
                   "%s: no words are left (%llu documents, %u distinct words before filtering)",
                   ez_text_source_name(job->source, 0), (unsigned long long)job->store.docs,
                   terms->terms.n);
}

ezlda_status ez_text_corpus(ezlda_corpus **out, ezlda_context *context, ez_text_source *source,
                            const ezlda_import_options *options, size_t memory_limit)
{
    ez_text_job job = {.context = context, .options = options, .source = source};
    ez_terms terms = {0};
    ezlda_status status;
    EZ_TRY_GOTO(job_init(&job, memory_limit));
    EZ_TRY_GOTO(ez_text_tokenise(&job));
    if (!job.store.docs) {
        status = ez_fail(context, EZLDA_ERROR_FORMAT, "%s: no documents",
                         ez_text_source_name(source, 0));
        goto done;
    }
    EZ_TRY_GOTO(check_fields(&job));
    EZ_TRY_GOTO(ez_terms_settle(&terms, &job));
    EZ_TRY_GOTO(check_words(&job, &terms));
    status = ez_text_encode(out, &job, &terms);
done:
    ez_terms_free(&terms);
    job_free(&job);
    return status;
}
