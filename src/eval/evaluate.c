/* Runs the measures of an evaluation one after the other and keeps their scores. */
#include "eval/evaluate.h"
#include "base/options_struct.h"
#include "base/wall_clock.h"
#include "corpus/corpus.h"
#include "eval/coherence.h"
#include "eval/eval_set.h"
#include "model/model_layout.h"
#include "model/trained_on.h"

#include <math.h>
#include <string.h>

struct ezlda_scores {
    ezlda_scores_info info;
    ez_quality quality;
};

enum {
    LEFT_TO_RIGHT_DOCS = 1000,
    PARTICLES = 20,
    PARTICLES_MOST = 1000000,
    RESAMPLED = 256,
    DOC_TOKENS = 10000
};

void ezlda_eval_options_init_sized(ezlda_eval_options *options, size_t size)
{
    ezlda_infer_options infer;
    ez_quality_options quality;
    ezlda_infer_options_init(&infer);
    ez_quality_options_init(&quality);
    ezlda_eval_options defaults = {
        .size = sizeof defaults,
        .measures = EZLDA_MEASURE_ALL,
        .seed = 1,
        .iterations = infer.iterations,
        .samples = infer.samples,
        .thin = infer.thin,
        .particles = PARTICLES,
        .resample = RESAMPLED,
        .docs = LEFT_TO_RIGHT_DOCS,
        .doc_tokens = DOC_TOKENS,
        .words = quality.words,
        .npmi_window = quality.npmi_window,
        .c_v_window = quality.c_v_window,
        .device = "auto",
    };
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status check_options(ezlda_eval_options *out, ezlda_context *context,
                                  const ezlda_eval_options *options)
{
    ezlda_eval_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "eval"));
    if (!out->measures || out->measures & ~(unsigned)EZLDA_MEASURE_ALL)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "measures is %u; expected 1 to %d",
                       out->measures, EZLDA_MEASURE_ALL);
    if (out->particles < 1 || out->particles > PARTICLES_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "particles is %u; expected 1 to %d",
                       out->particles, PARTICLES_MOST);
    return EZLDA_OK;
}

void ez_eval_infer_options(ezlda_infer_options *out, const ezlda_eval_options *options,
                           int (*progress)(const ezlda_infer_progress *progress, void *user),
                           void *user)
{
    ezlda_infer_options_init(out);
    out->iterations = options->iterations;
    out->samples = options->samples;
    out->thin = options->thin;
    out->seed = options->seed;
    out->device = options->device;
    out->device_memory = options->device_memory;
    out->progress = options->progress ? progress : NULL;
    out->user = user;
}

double ez_eval_seconds(void)
{
    return ez_now();
}

/* ---- LLPT ---- */

static int no_row(const ezlda_doc_row *row, void *user)
{
    (void)row;
    (void)user;
    return 0;
}

typedef struct llpt_watch {
    const ezlda_eval_options *options;
    double begin;
} llpt_watch;

static int pass_progress(const ezlda_infer_progress *progress, void *user)
{
    const llpt_watch *watch = user;
    ezlda_eval_progress all = {EZLDA_MEASURE_LLPT, progress->docs, progress->docs_done,
                               ez_eval_seconds() - watch->begin};
    return watch->options->progress(&all, watch->options->user);
}

static ezlda_status measure_llpt(ezlda_scores *scores, ezlda_context *context,
                                 const ez_held_out *held)
{
    ezlda_scores_info *out = &scores->info;
    llpt_watch watch = {held->options, ez_eval_seconds()};
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_infer_options options;
    ez_eval_infer_options(&options, held->options, pass_progress, &watch);
    EZ_TRY(ezlda_infer(&info, context, held->model, held->corpus, &options, no_row, NULL));
    out->llpt = info.llpt;
    out->llpt_seconds = ez_eval_seconds() - watch.begin;
    memcpy(out->device, info.device, sizeof out->device);
    return EZLDA_OK;
}

/* ---- held-out perplexity ---- */

static void fill_perplexity(ezlda_perplexity *out, const ez_held_out_sums *sums, double begin)
{
    *out = (ezlda_perplexity){
        .docs = sums->model.docs,
        .tokens = sums->model.tokens,
        .log_likelihood = sums->model.tokens ? sums->model.l : NAN,
        .perplexity = ez_perplexity(&sums->model),
        .error = ez_perplexity_error(&sums->model),
        .unigram = ez_perplexity(&sums->unigram),
        .unigram_error = ez_perplexity_error(&sums->unigram),
        .seconds = ez_eval_seconds() - begin,
    };
}

static ezlda_status measure_completion(ezlda_scores *scores, ezlda_context *context,
                                       const ez_held_out *held)
{
    ez_held_out_sums sums;
    double begin = ez_eval_seconds();
    EZ_TRY(ez_document_completion(&sums, context, held, scores->info.device));
    fill_perplexity(&scores->info.completion, &sums, begin);
    return EZLDA_OK;
}

static ezlda_status measure_left_to_right(ezlda_scores *scores, ezlda_context *context,
                                          const ez_held_out *held)
{
    ez_held_out_sums sums;
    double begin = ez_eval_seconds();
    EZ_TRY(ez_left_to_right_docs(&sums, context, held));
    fill_perplexity(&scores->info.left_to_right, &sums, begin);
    scores->info.left_to_right_docs = sums.docs;
    scores->info.left_to_right_cut = sums.cut;
    return EZLDA_OK;
}

/* ---- topics ---- */

typedef struct topics_watch {
    const ezlda_eval_options *options;
    uint64_t docs;
    double begin, reported;
} topics_watch;

static ezlda_status watch_topics(ezlda_context *context, uint64_t docs_done, void *user)
{
    topics_watch *watch = user;
    double now = ez_eval_seconds();
    if (docs_done > 0 && now - watch->reported < 0.1)
        return EZLDA_OK;
    watch->reported = now;
    ezlda_eval_progress progress = {EZLDA_MEASURE_COHERENCE, watch->docs, docs_done,
                                    now - watch->begin};
    if (watch->options->progress(&progress, watch->options->user))
        return ez_fail(context, EZLDA_ERROR_STOPPED, "stopped by the caller");
    return EZLDA_OK;
}

static ezlda_status measure_topics(ezlda_scores *scores, ezlda_context *context,
                                   const ez_held_out *held)
{
    const ezlda_eval_options *options = held->options;
    double begin = ez_eval_seconds();
    ez_quality_options how;
    ez_quality_options_init(&how);
    how.words = options->words;
    how.npmi_window = options->npmi_window;
    how.c_v_window = options->c_v_window;
    how.whole_windows = options->whole_windows != 0;
    topics_watch watch = {options, scores->info.docs, begin, begin};
    if (options->progress)
        how.watch = watch_topics, how.user = &watch;
    ezlda_status status =
        ez_quality_of_model(&scores->quality, context, held->model, held->corpus, &how);
    if (status != EZLDA_OK) {
        ez_quality_free(&scores->quality); /* an incomplete measure is dropped */
        return status;
    }
    const ez_quality *quality = &scores->quality;
    ezlda_scores_info *out = &scores->info;
    out->u_mass = quality->u_mass;
    out->npmi = quality->npmi;
    out->c_v = quality->c_v;
    out->diversity = quality->diversity;
    out->exclusivity = quality->exclusivity;
    out->npmi_window = quality->npmi_window;
    out->c_v_window = quality->c_v_window;
    out->topic_words = options->words;
    out->topics_without = (uint32_t)quality->unscored;
    out->coherence_seconds = ez_eval_seconds() - begin;
    return EZLDA_OK;
}

/* ---- all ---- */

static void fill_facts(ezlda_scores_info *out, const ez_held_out *held)
{
    const ezlda_model *model = held->model;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(held->corpus, &sizes);
    static const ezlda_perplexity none = {0, 0, NAN, NAN, NAN, NAN, NAN, 0};
    *out = (ezlda_scores_info){
        .training_corpus = sizes.hash == model->meta->corpus_hash,
        .docs = sizes.docs,
        .tokens = held->known->known_tokens,
        .unknown_tokens = held->known->unknown_tokens,
        .words = held->known->words - held->known->unknown_words,
        .unknown_words = held->known->unknown_words,
        .llpt = NAN,
        .llpt_trained = NAN,
        .completion = none,
        .left_to_right = none,
        .topics = model->meta->topics,
        .u_mass = NAN,
        .npmi = NAN,
        .c_v = NAN,
        .diversity = NAN,
        .exclusivity = NAN,
        .unseen_tokens = held->known->unseen_tokens,
    };
    if (out->training_corpus && model->llpt_count)
        out->llpt_trained = model->llpt[model->llpt_count - 1].llpt;
}

/* The slowest measure comes last: a caller who stops it keeps the earlier scores. */
static const struct {
    unsigned measure;
    ezlda_status (*take)(ezlda_scores *scores, ezlda_context *context, const ez_held_out *held);
} steps[] = {{EZLDA_MEASURE_LLPT, measure_llpt},
             {EZLDA_MEASURE_COMPLETION, measure_completion},
             {EZLDA_MEASURE_COHERENCE, measure_topics},
             {EZLDA_MEASURE_LEFT_TO_RIGHT, measure_left_to_right}};

static ezlda_status measure(ezlda_scores *scores, ezlda_context *context, const ez_held_out *held)
{
    fill_facts(&scores->info, held);
    if (!held->known->known_tokens)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       held->known->unknown_tokens
                           ? "the model knows none of the corpus' words: were both made in the "
                             "same way (language, case, stems)?"
                           : "the corpus has no tokens: nothing to score");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (!(held->options->measures & steps[i].measure))
            continue;
        EZ_TRY(steps[i].take(scores, context, held));
        EZ_TRY(ez_corpus_unchanged(held->corpus,
                                   context)); /* otherwise the scores cannot be trusted */
        scores->info.measures |= steps[i].measure;
    }
    return EZLDA_OK;
}

ezlda_status ez_evaluate(ezlda_scores **out, ezlda_context *context, const ezlda_model *model,
                         const ezlda_corpus *corpus, const ezlda_eval_options *options,
                         ez_buffer *docs)
{
    ezlda_eval_options checked;
    ez_topic_weights weights = {0};
    ez_known_words known = {0};
    ezlda_scores *scores = NULL;
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the scores"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    ezlda_corpus *restored = NULL;
    EZ_TRY_GOTO(check_options(&checked, context, options));
    EZ_TRY_GOTO(ez_restore_corpus(&restored, model, context, corpus));
    corpus = restored ? restored : corpus;
    const ez_held_out held = {model, corpus, &weights, &known, &checked, docs};
    EZ_TRY_GOTO(ez_topic_weights_make(&weights, context, model));
    EZ_TRY_GOTO(ez_known_words_make(&known, context, model, corpus));
    EZ_TRY_GOTO(ez_array_zero(&scores, context, 1, sizeof *scores, "scores"));
    status = measure(scores, context, &held);
    if (status == EZLDA_ERROR_STOPPED && scores->info.measures) {
        scores->info.stopped = 1;
        ez_clear(context);
        status = EZLDA_OK;
    }
    if (status == EZLDA_OK) {
        *out = scores;
        scores = NULL;
    }
done:
    ezlda_scores_free(scores);
    ezlda_corpus_free(restored);
    ez_known_words_free(&known);
    ez_topic_weights_free(&weights);
    return status;
}

ezlda_status ezlda_evaluate(ezlda_scores **out, ezlda_context *context, const ezlda_model *model,
                            const ezlda_corpus *corpus, const ezlda_eval_options *options)
{
    return ez_evaluate(out, context, model, corpus, options, NULL);
}

void ezlda_scores_get_info(const ezlda_scores *scores, ezlda_scores_info *info)
{
    ez_struct_write(info, &scores->info, sizeof scores->info);
}

const ez_topic_quality *ez_scores_quality(const ezlda_scores *scores, uint32_t topic)
{
    return topic < scores->quality.n_topics ? &scores->quality.topics[topic] : NULL;
}

int ezlda_scores_topic(const ezlda_scores *scores, uint32_t topic, ezlda_topic_scores *out)
{
    if (topic >= scores->quality.n_topics)
        return 0;
    const ez_topic_quality *found = &scores->quality.topics[topic];
    ezlda_topic_scores all = {sizeof all,         found->u_mass, found->npmi,   found->c_v,
                              found->exclusivity, found->words,  found->missing};
    ez_struct_write(out, &all, sizeof all);
    return 1;
}

void ezlda_scores_free(ezlda_scores *scores)
{
    if (!scores)
        return;
    ez_quality_free(&scores->quality);
    ez_free(scores);
}
