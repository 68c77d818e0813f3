/* Runs the three steps of the import of text and checks what they found: fields, documents and
 * words. */
#include "corpus/text/text_pipeline.h"

#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/tokeniser/text_cutting.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <string.h>

/* The lists that the options ask for, or those of options->like. */
static ezlda_status init_stopwords(ez_text_job *job)
{
    const ezlda_import_options *options = job->options;
    const char *spec = options->stopwords ? options->stopwords : options->like ? NULL : "auto";
    job->common_words = job->common_asked = ez_stopwords_ask(spec, "corpus");
    if (ez_stopwords_ask(spec, "auto"))
        EZ_TRY(ez_stop_table_add_all(&job->table, job->context));
    if (spec)
        return ez_stopwords_add(&job->stopwords, job->context, spec);
    EZ_TRY(ez_text_rules_stopwords(options, job->context, &job->stopwords));
    EZ_TRY(ez_text_rules_languages(options->like, job->context, &job->table, &job->settings));
    job->table_is_given = job->table.languages > 0;
    return EZLDA_OK;
}

/* The table that the options name, or that of options->like. */
static ezlda_status init_lemmas(ez_text_job *job)
{
    char *path;
    const char *named = ez_named_lemmas(job->options);
    if (!named)
        return ez_lemmas_read_list(&job->lemmas, job->context, ez_text_rules_lemmas(job->options));
    EZ_TRY(ez_lemmas_find(&path, job->context, named));
    ezlda_status status = ez_lemmas_read(&job->lemmas, job->context, path, &job->tokeniser);
    ez_free(path);
    return status;
}

static ezlda_status job_init(ez_text_job *job, size_t memory_limit)
{
    const ezlda_import_options *options = job->options;
    const ez_field_plan *plan = job->source->plan;
    ez_phrase_option(options->phrases, &job->firm);
    job->join = job->firm > 0 || ez_text_rules_phrases(options);
    /* Underscores join phrases, so text may contain them only if no phrases are made. */
    ez_tokeniser_init(&job->tokeniser, options->keep_case, options->keep_numbers,
                      options->ngrams <= 1 && !job->join, options->min_length);
    ez_token_store_init(&job->store, plan->text_parts - EZ_SLOT_LABEL + 1, memory_limit);
    job->store.gaps = job->join;
    job->store.places = job->keep_text = options->keep_text != 0;
    job->workers = ez_threads(job->context);
    EZ_TRY(ez_array_zero(&job->words, job->context, (size_t)job->workers, sizeof *job->words,
                         "word tables"));
    EZ_TRY(ez_array_zero(&job->present, job->context, plan->slots, sizeof *job->present,
                         "counts of fields"));
    ez_cutting_init(job);
    EZ_TRY(ez_rule_settings_set(&job->settings, job->context, EZ_MARKUP_SETTING,
                                options->keep_markup ? NULL : EZ_MARKUP_REMOVED));
    EZ_TRY(init_stopwords(job));
    EZ_TRY(init_lemmas(job));
    return ez_text_rules_unstemmed(options, job->context, &job->unstemmed);
}

static void job_free(ez_text_job *job)
{
    ez_strings_free(&job->stopwords);
    ez_stop_table_free(&job->table);
    ez_strings_free(&job->unstemmed);
    ez_lemmas_free(&job->lemmas);
    ez_rule_settings_free(&job->settings);
    ez_token_store_free(&job->store);
    for (int i = 0; job->words && i < job->workers; i++)
        ez_text_words_free(&job->words[i]);
    ez_free(job->words);
    ez_free(job->present);
}

static void note_missing(const ez_text_job *job, uint32_t slot, const char *what)
{
    uint64_t docs = job->records, missing = docs - job->present[slot];
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
    const char *path = ez_text_source_name(job->source, 0), *fields = job->source->field_list;
    for (uint32_t i = 0; i < plan->slots; i++)
        if (ez_slot_asked(plan, i) && !job->present[i])
            return ez_fail(job->context, EZLDA_ERROR_FORMAT, "%s: no record has a field \"%s\"%s%s",
                           path, plan->names[i], *fields ? "; the fields are: " : "", fields);
    if (plan->name_kept && job->present[EZ_SLOT_NAME])
        return ez_refuse_kept(job->context, plan->names[EZ_SLOT_NAME_ELSE]);
    if (plan->text_parts == plan->slots)
        note_missing(job, EZ_SLOT_TEXT, "they are empty documents");
    for (uint32_t i = plan->text_parts; i < plan->slots; i++)
        note_missing(job, i, "their text is without it");
    return EZLDA_OK;
}

/* Decides whether texts are kept if that depends on their size. */
static void note_text(ez_text_job *job)
{
    if (!ez_text_is_too_much(job))
        return;
    job->keep_text = false;
    ez_note(job->context,
            "the text of the documents (%.0f MB) is not kept, as it is over %.0f MB; keep_text "
            "keeps it",
            (double)job->text_bytes / 1e6, (double)EZLDA_KEEP_TEXT_BYTES / 1e6);
}

/* A corpus must have words; new text for a model need not. */
static ezlda_status check_words(const ez_text_job *job, const ez_terms *terms)
{
    if (terms->n_words || job->options->like)
        return EZLDA_OK;
    return ez_fail(
        job->context, EZLDA_ERROR_FORMAT,
        "%s: no words are left (%llu documents, %u distinct words before filtering%s)",
        ez_text_source_name(job->source, 0), (unsigned long long)job->store.docs, terms->terms.n,
        terms->terms.n || job->options->keep_numbers ? ""
                                                     : "; --keep-numbers allows digits in words");
}

ezlda_status ez_text_corpus(ezlda_corpus **out, ezlda_context *context, ez_text_source *source,
                            const ezlda_import_options *options, size_t memory_limit)
{
    ez_text_job job = {.context = context, .options = options, .source = source};
    job.settings = source->settings;
    source->settings = (ez_rule_settings){0};
    ez_terms terms = {0};
    ezlda_status status;
    EZ_TRY_GOTO(job_init(&job, memory_limit));
    EZ_TRY_GOTO(ez_text_tokenise(&job));
    if (!job.store.docs) {
        status = ez_fail(context, EZLDA_ERROR_FORMAT, "%s: no documents%s",
                         ez_text_source_name(source, 0),
                         source->choice.skipped ? ": --include or --exclude leaves no file" : "");
        goto done;
    }
    ez_page_tally_report(&source->page_tally, context);
    if (source->page_tally.n_names)
        ez_page_tally_names(&source->page_tally, source->field_list, sizeof source->field_list);
    ez_encoding_tally_report(&source->tally, context);
    ez_markup_note(context, &job.markup, job.store.docs);
    note_text(&job);
    EZ_TRY_GOTO(check_fields(&job));
    EZ_TRY_GOTO(ez_text_settle_languages(&job));
    EZ_TRY_GOTO(ez_terms_settle(&terms, &job));
    EZ_TRY_GOTO(check_words(&job, &terms));
    EZ_TRY_GOTO(ez_text_encode(out, &job, &terms));
    ez_text_doubts(&job, *out);
done:
    ez_terms_free(&terms);
    job_free(&job);
    return status;
}
