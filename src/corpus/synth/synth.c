/* ezlda_corpus_synth: checks the options and draws the documents, in parallel. */
#include "corpus/synth/synth.h"

#include "base/options_struct.h"
#include "corpus/corpus.h"
#include "numeric/portable_math.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EZ_STREAM_LENGTHS = 1, EZ_STREAM_TOKENS = 2, EZ_RUN_TOKENS = 1 << 17, EZ_LONGEST = 1 << 30 };

typedef struct ez_synth_job {
    ezlda_synth_options options;
    ez_synth_tables tables;
    double log_mean;    /* mean of the logarithm of a length */
    uint64_t alpha_sum; /* in units of 2^-16 */
    uint64_t docs_per_run;
} ez_synth_job;

/* ---- options ---- */

void ezlda_synth_options_init_sized(ezlda_synth_options *options, size_t size)
{
    ezlda_synth_options defaults = {.size = sizeof defaults,
                                    .docs = 10000,
                                    .words = 10000,
                                    .mean_length = 100,
                                    .sigma = 0.6,
                                    .topics = 100,
                                    .beta = 200,
                                    .zipf = 1,
                                    .seed = 1};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static bool within(double value, double least, double most)
{
    return value >= least && value <= most;
}

ezlda_status ez_synth_options_read(ezlda_context *context, const ezlda_synth_options *options,
                                   ezlda_synth_options *settled)
{
    ezlda_synth_options_init(settled);
    EZ_TRY(ez_options_read(settled, sizeof *settled, context, options, "synth"));
    ezlda_synth_options *o = settled;
    if (o->docs > EZ_MAX_DOCS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "%" PRIu64 " documents, at most %" PRIu64 " are possible", o->docs,
                       EZ_MAX_DOCS);
    if (o->words < 1 || o->words > EZ_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u words, expected 1 to %d", o->words,
                       EZ_MAX_WORDS);
    if (o->topics < 1 || o->topics > 65536)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u topics, expected 1 to 65536", o->topics);
    if (!within(o->mean_length, 0, 1e9))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a mean length of %g, expected 0 to 1e9",
                       o->mean_length);
    if (!within(o->sigma, 0, 5))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "sigma = %g, expected 0 to 5", o->sigma);
    if (!within(o->alpha, 0, 1e6))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "alpha = %g, expected 0 to 1e6", o->alpha);
    if (!within(o->beta, 0.001, 1e9))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "beta = %g, expected 0.001 to 1e9", o->beta);
    if (!within(o->zipf, 0, 10))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a Zipf exponent of %g, expected 0 to 10",
                       o->zipf);
    if (o->alpha == 0)
        o->alpha = 5.0 / o->topics;
    return EZLDA_OK;
}

/* ---- documents ---- */

/* Rounds up or down at random, so that the mean is right even for short documents. */
static uint64_t draw_length(const ez_synth_job *job, uint64_t doc)
{
    const ezlda_synth_options *o = &job->options;
    if (o->mean_length <= 0)
        return 0;
    if (o->sigma <= 0)
        return (uint64_t)(o->mean_length + 0.5);
    uint64_t key = ez_stream_key(o->seed, EZ_STREAM_LENGTHS, doc), i = 0;
    double length = ez_portable_exp(job->log_mean + o->sigma * ez_normal(key, &i)) +
                    ez_unit(ez_stream_draw(key, i));
    return length < EZ_LONGEST ? (uint64_t)length : EZ_LONGEST;
}

/* Draws the topics and words of the tokens of a document. */
static void draw_tokens(const ez_synth_job *job, uint64_t doc, size_t length, uint32_t *topic,
                        uint32_t *word)
{
    const ez_synth_tables *tables = &job->tables;
    uint64_t key = ez_stream_key(tables->seed, EZ_STREAM_TOKENS, doc);
    for (uint64_t i = 0; i < length; i++) {
        uint64_t u = ez_stream_draw(key, 2 * i), v = ez_stream_draw(key, 2 * i + 1);
        uint64_t all = (i << 16) + job->alpha_sum, at = ez_mulhi64(u, all);
        topic[i] = at < i << 16 ? topic[at >> 16]
                                : (uint32_t)ez_mulhi64(ez_mix64(u ^ key), tables->n_topics);
        const ez_synth_topic *words = &tables->topics[topic[i]];
        /* The low half of the product is an independent draw. */
        word[i] = u * all < tables->new_chance ? ez_alias_draw(tables->zipf, tables->n_words, v)
                                               : ez_alias_draw(words->words, words->n, v);
    }
}

static ezlda_status add_document(const ez_synth_job *job, ezlda_context *context, uint64_t doc,
                                 ez_doc_run *run, ez_buffer *arrays, ez_buffer *scratch)
{
    size_t n = (size_t)draw_length(job, doc);
    arrays->used = 0;
    EZ_TRY(ez_buffer_reserve(arrays, context, 2 * n * sizeof(uint32_t)));
    uint32_t *word = (uint32_t *)(void *)arrays->data, *count = word ? word + n : NULL;
    draw_tokens(job, doc, n, count, word); /* `count` holds the topics first */
    for (size_t i = 0; i < n; i++)
        count[i] = 1;
    EZ_TRY(ez_pairs_tidy(context, word, count, &n, scratch, "synthetic corpus", "document", doc));
    return ez_doc_run_add(run, context, word, count, n);
}

static ezlda_status make_run(void *user, ezlda_context *context, uint64_t i, ez_doc_run *run)
{
    const ez_synth_job *job = user;
    ez_buffer arrays = {0}, scratch = {0};
    ezlda_status status = EZLDA_OK;
    uint64_t doc = i * job->docs_per_run, left = job->options.docs - doc;
    uint64_t end = doc + (left < job->docs_per_run ? left : job->docs_per_run);
    for (; doc < end && status == EZLDA_OK; doc++)
        status = add_document(job, context, doc, run, &arrays, &scratch);
    ez_free(arrays.data);
    ez_free(scratch.data);
    return status;
}

/* ---- the corpus ---- */

static ezlda_status name_words(ez_buffer *names, ezlda_context *context, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char name[16];
        int length = snprintf(name, sizeof name, "w%u", i);
        EZ_TRY(ez_buffer_append(names, context, name, (size_t)length + 1));
    }
    return EZLDA_OK;
}

static ezlda_status draw_corpus(ezlda_corpus **out, ezlda_context *context, ez_synth_job *job)
{
    ezlda_synth_options *o = &job->options;
    ez_corpus_builder *builder = NULL;
    ez_buffer names = {0};
    ezlda_status status;
    if (o->mean_length > 0)
        job->log_mean = ez_portable_log(o->mean_length) - o->sigma * o->sigma / 2;
    job->alpha_sum = (uint64_t)(o->alpha * o->topics * 0x1p16) + 1;
    job->docs_per_run = (uint64_t)(EZ_RUN_TOKENS / (o->mean_length + 32)) + 1;
    EZ_TRY_GOTO(ez_synth_tables_create(&job->tables, context, o));
    EZ_TRY_GOTO(ez_corpus_builder_create(&builder, context, NULL, 0));
    uint64_t runs = o->docs / job->docs_per_run + (o->docs % job->docs_per_run != 0);
    EZ_TRY_GOTO(ez_corpus_builder_add_runs(builder, context, runs, make_run, job));
    EZ_TRY_GOTO(name_words(&names, context, o->words));
    status =
        ez_corpus_builder_finish_text(builder, out, context, (const char *)names.data, o->words);
    builder = NULL;
done:
    ez_corpus_builder_abandon(builder);
    ez_free(names.data);
    return status;
}

ezlda_status ezlda_corpus_synth(ezlda_corpus **out, ezlda_context *context,
                                const ezlda_synth_options *options)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the corpus"));
    *out = NULL;
    ez_synth_job job = {0};
    EZ_TRY(ez_synth_options_read(context, options, &job.options));
    ezlda_status status = draw_corpus(out, context, &job);
    ez_synth_tables_free(&job.tables);
    return status;
}
