/* The options of a sweep: checks them, and writes them as text for its folder. */
#include "base/files/content_hash.h"
#include "base/number_text.h"
#include "base/options_struct.h"
#include "corpus/corpus.h"
#include "eval/coherence.h"
#include "model/model_layout.h"
#include "sweep/sweep.h"
#include "train/train_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS_MOST = 1000, TOPICS_MOST = 1000 };

void ezlda_sweep_options_init_sized(ezlda_sweep_options *options, size_t size)
{
    ezlda_sweep_options defaults = {.size = sizeof defaults, .seeds = 1, .held_out = 0.1};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

/* ---- options ---- */

static ezlda_status check_eval(ezlda_eval_options *out, ezlda_context *context,
                               const ezlda_eval_options *options)
{
    ezlda_eval_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "eval"));
    /* errors that the evaluation would report only after the first run */
    uint32_t thin = out->thin ? out->thin : 1; /* 0: chosen automatically, as are samples */
    if (out->iterations < 1 ||
        (out->samples && (uint64_t)(out->samples - 1) * thin >= out->iterations))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "scoring takes %u samples, %u iterations apart, and has %u iterations; "
                       "expected more, or fewer samples",
                       out->samples, thin, out->iterations);
    if (out->words < 2 || out->words > EZ_QUALITY_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "words is %u; expected 2 to %d", out->words,
                       EZ_QUALITY_MAX_WORDS);
    return EZLDA_OK;
}

static ezlda_status check_train(ez_sweep *s)
{
    ezlda_train_options *train = &s->train_options;
    EZ_TRY(ez_train_options_read(train, s->context, s->options.train));
    if (train->init || train->n_seeds || train->checkpoint || train->group)
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT,
                       "a sweep trains in one process, without a first model, without seed words "
                       "and without checkpoints");
    if (train->alpha_vector && s->options.n_topics > 1)
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT,
                       "one alpha per topic requires a single number of topics");
    if (!(s->options.alpha_sum >= 0 && isfinite(s->options.alpha_sum)))
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT,
                       "alpha_sum is %g; expected a number above 0", s->options.alpha_sum);
    if (s->options.alpha_sum > 0 && (train->alpha_vector || train->alpha != 0))
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT, "alpha_sum and alpha exclude each other");
    if (train->seed > UINT64_MAX - (s->options.seeds - 1))
        return ez_fail(s->context, EZLDA_ERROR_ARGUMENT,
                       "seed is %" PRIu64 "; no %u seeds can follow", train->seed,
                       s->options.seeds - 1);
    return EZLDA_OK;
}

static ezlda_status check_sizes(ezlda_context *context, const ezlda_sweep_options *options)
{
    if (!options->topics || options->n_topics < 1 || options->n_topics > TOPICS_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected 1 to %d numbers of topics, found %zu", TOPICS_MOST,
                       options->topics ? options->n_topics : 0);
    if (options->seeds < 1 || options->seeds > SEEDS_MOST)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "seeds is %u; expected 1 to %d",
                       options->seeds, SEEDS_MOST);
    if (!(options->held_out > 0 && options->held_out < 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "held_out is %g; expected a number between 0 and 1", options->held_out);
    if (!options->folder || !*options->folder)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "expected a folder for the models, found none");
    return EZLDA_OK;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Copies the numbers of topics in ascending order and checks them. */
static ezlda_status sort_topics(ezlda_sweep_scores *scores, ezlda_context *context,
                                const ezlda_sweep_options *options)
{
    size_t n = options->n_topics;
    EZ_TRY(ez_array(&scores->topics, context, n, sizeof *scores->topics, "numbers of topics"));
    memcpy(scores->topics, options->topics, n * sizeof *scores->topics);
    qsort(scores->topics, n, sizeof *scores->topics, by_number);
    for (size_t i = 0; i < n; i++) {
        if (scores->topics[i] < EZ_TOPICS_MIN || scores->topics[i] > EZ_TOPICS_MAX)
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "topics is %u; expected %d to %d",
                           scores->topics[i], EZ_TOPICS_MIN, EZ_TOPICS_MAX);
        if (i && scores->topics[i] == scores->topics[i - 1])
            return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u topics are given twice",
                           scores->topics[i]);
    }
    return EZLDA_OK;
}

static ezlda_status make_runs(ez_sweep *s)
{
    ezlda_sweep_scores *scores = s->scores;
    scores->seeds = s->options.seeds;
    scores->info.rows = s->options.n_topics;
    scores->info.runs = scores->info.rows * scores->seeds;
    EZ_TRY(ez_array(&scores->rows, s->context, scores->info.rows, sizeof *scores->rows, "scores"));
    EZ_TRY(ez_array(&scores->runs, s->context, scores->info.runs, sizeof *scores->runs, "scores"));
    for (size_t i = 0; i < scores->info.runs; i++)
        scores->runs[i] =
            ez_no_run(scores->topics[i / scores->seeds], s->train_options.seed + i % scores->seeds);
    return EZLDA_OK;
}

ezlda_status ez_sweep_read_options(ez_sweep *s, const ezlda_sweep_options *options)
{
    ezlda_sweep_options_init(&s->options);
    EZ_TRY(ez_options_read(&s->options, sizeof s->options, s->context, options, "sweep"));
    EZ_TRY(check_sizes(s->context, &s->options));
    EZ_TRY(check_train(s));
    EZ_TRY(check_eval(&s->eval_options, s->context, s->options.eval));
    EZ_TRY(sort_topics(s->scores, s->context, &s->options));
    return make_runs(s);
}

/* ---- as text ---- */

typedef struct real_text {
    char text[EZ_NUMBER_ROOM + 1];
} real_text;

static real_text real(double value)
{
    real_text out;
    out.text[ez_put_real(out.text, value, EZ_ALL_DIGITS)] = '\0';
    return out;
}

static ezlda_status line(ez_buffer *text, const ez_sweep *s, const char *format, ...)
    EZ_PRINTF(3, 4);

static ezlda_status line(ez_buffer *text, const ez_sweep *s, const char *format, ...)
{
    char row[256];
    va_list args;
    va_start(args, format);
    vsnprintf(row, sizeof row, format, args);
    va_end(args);
    EZ_TRY(ez_append_text(text, s->context, "# "));
    EZ_TRY(ez_append_text(text, s->context, row));
    return ez_append_text(text, s->context, "\n");
}

static ezlda_status corpus_lines(ez_buffer *text, const ez_sweep *s)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(s->corpus, &sizes);
    EZ_TRY(line(text, s, "ezlda sweep 2"));
    EZ_TRY(line(text, s,
                "corpus: %016" PRIx64 ", %" PRIu64 " documents, %u words, %" PRIu64 " tokens",
                sizes.hash, sizes.docs, sizes.words, sizes.tokens));
    return line(text, s, "held out: %s of the documents", real(s->options.held_out).text);
}

static ezlda_status prior_lines(ez_buffer *text, const ez_sweep *s)
{
    const ezlda_train_options *train = &s->train_options;
    if (train->alpha_vector)
        EZ_TRY(line(text, s, "alpha: %u numbers with the hash %016" PRIx64, s->scores->topics[0],
                    ez_hash_bytes(train->alpha_vector,
                                  s->scores->topics[0] * sizeof *train->alpha_vector)));
    else if (s->options.alpha_sum > 0)
        EZ_TRY(line(text, s, "alpha: %s/k", real(s->options.alpha_sum).text));
    else
        EZ_TRY(
            line(text, s, "alpha: %s", train->alpha > 0 ? real(train->alpha).text : "not given"));
    EZ_TRY(line(text, s, "beta: %s", train->beta > 0 ? real(train->beta).text : "not given"));
    if (train->optimize_interval)
        return line(text, s, "priors: fitted every %u iterations after %u%s",
                    train->optimize_interval, train->optimize_burn_in,
                    train->symmetric_alpha ? ", alpha the same for all topics" : "");
    return line(text, s, "priors: fixed");
}

static const char *const start_names[] = {"keyword", "random", "auto"};

static ezlda_status train_lines(ez_buffer *text, const ez_sweep *s)
{
    const ezlda_train_options *train = &s->train_options;
    EZ_TRY(line(text, s, "first seed: %" PRIu64, train->seed));
    if (train->iterations != EZLDA_UNTIL_SETTLED)
        EZ_TRY(line(text, s, "iterations: %u", train->iterations));
    else
        EZ_TRY(line(text, s, "iterations: not given"));
    EZ_TRY(prior_lines(text, s));
    EZ_TRY(
        line(text, s, "estimator: %s", train->estimator == EZLDA_ESCA ? "esca" : "leave-one-out"));
    EZ_TRY(line(text, s, "start: %s", start_names[train->start]));
    EZ_TRY(line(text, s, "word samples: %u", train->word_samples));
    if (train->converged_gain > 0)
        return line(text, s, "until converged: a gain of %s, judged every %u iterations",
                    real(train->converged_gain).text, train->eval_every);
    return line(text, s, "until converged: no");
}

static ezlda_status eval_lines(ez_buffer *text, const ez_sweep *s)
{
    const ezlda_eval_options *eval = &s->eval_options;
    const ezlda_sweep_info *info = &s->scores->info;
    char samples[32] = "chosen", thin[32] = "chosen";
    if (eval->samples)
        snprintf(samples, sizeof samples, "%u", eval->samples);
    if (eval->thin)
        snprintf(thin, sizeof thin, "%u", eval->thin);
    EZ_TRY(line(text, s, "scoring: %u iterations, samples %s, apart %s, seed %" PRIu64,
                eval->iterations, samples, thin, eval->seed));
    return line(text, s, "coherence: %u words, windows %u and %u%s", eval->words, info->npmi_window,
                info->c_v_window, eval->whole_windows ? ", whole ones" : "");
}

ezlda_status ez_sweep_settings(ez_buffer *text, const ez_sweep *s)
{
    EZ_TRY(corpus_lines(text, s));
    EZ_TRY(train_lines(text, s));
    return eval_lines(text, s);
}
