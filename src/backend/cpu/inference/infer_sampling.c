/* Samples the documents of a batch in parallel, one whole document per thread at a time. */
#include "backend/cpu/inference/infer_sampling.h"

#include <omp.h>

/* If a document has more tokens (its counts may need several entries of a row) or more entries of
 * words (some hundred megabytes per thread), its whole batch is sampled one iteration at a time. */
enum { MOST_TOKENS = EZ_ENTRY_MAX, MOST_CELLS = 1 << 22 };

/* Tokens times iterations of each thread between two reports, at which inference can be stopped: a
 * second or two, but enough documents for all threads to be busy. A batch with a document above
 * MOST_WORK is sampled one iteration at a time, too. */
enum { REPORT_WORK = 1 << 24, REPORT_TOKENS = 1024, MOST_WORK = 1 << 25 };

typedef struct infer_sampling {
    ez_cpu *cpu;
    ez_infer_words words;
    ez_infer_size size;
    ez_sampling *plan;
    ez_infer_doc *doc; /* one per thread */
} infer_sampling;

static uint64_t at_least(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void ez_infer_size_add(ez_infer_size *size, const ez_infer_words *words, uint32_t topics,
                       const uint32_t *word, uint64_t n)
{
    uint64_t different = 0, cells = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && word[i] == word[i - 1])
            continue;
        different++;
        cells += words->start[word[i] + 1] - words->start[word[i]];
    }
    size->tokens = at_least(size->tokens, n);
    size->words = at_least(size->words, different);
    size->cells = at_least(size->cells, cells);
    size->row = ez_entries_most(size->tokens, topics);
}

static void measure(infer_sampling *s)
{
    const ez_token_list *t = s->cpu->tokens;
    for (uint64_t d = 0; d < t->docs; d++)
        ez_infer_size_add(&s->size, &s->words, s->cpu->settings->topics, t->word + t->doc_start[d],
                          t->doc_start[d + 1] - t->doc_start[d]);
}

static void copy_topics(const ez_infer_doc *doc, uint16_t *out)
{
    for (uint32_t i = 0; i < doc->tokens; i++)
        out[i] = doc->token[i].topic;
}

int64_t ez_infer_doc_sample(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words,
                            const ez_doc_tokens *tokens, const ez_sampling *plan, uint16_t *out,
                            uint64_t stride)
{
    ez_infer_doc_begin(doc, cpu, words, tokens);
    for (uint32_t i = 1; i <= plan->iterations; i++) {
        cpu->kernels->infer->iterate(doc, ez_iteration_key(cpu->settings->seed, i));
        int64_t number = ez_sample_number(plan, i);
        if (number >= 0)
            copy_topics(doc, out + stride * (uint64_t)number);
    }
    return cpu->kernels->infer->score(doc, cpu->priors.alpha_sum);
}

static int64_t sample_document(infer_sampling *s, ez_infer_doc *doc, uint64_t d)
{
    const ez_token_list *t = s->cpu->tokens;
    uint64_t first = t->doc_start[d];
    ez_doc_tokens tokens = {
        .key = ez_doc_key(t, d),
        .n = (uint32_t)(t->doc_start[d + 1] - first),
        .word = t->word + first,
        .start = s->cpu->settings->start_topics + first,
    };
    return tokens.n == 0 ? 0
                         : ez_infer_doc_sample(doc, s->cpu, &s->words, &tokens, s->plan,
                                               s->plan->topic + first, t->tokens);
}

/* Documents [first, last). */
static int64_t sample_some(infer_sampling *s, uint64_t first, uint64_t last)
{
    int64_t score = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(s->cpu->threads) reduction(+ : score)
    for (uint64_t d = first; d < last; d++)
        score += sample_document(s, &s->doc[omp_get_thread_num()], d);
    return score;
}

static ezlda_status sample_all(infer_sampling *s)
{
    const ez_token_list *t = s->cpu->tokens;
    uint64_t threads = (uint64_t)s->cpu->threads;
    uint64_t work = threads * at_least(REPORT_WORK / s->plan->iterations, REPORT_TOKENS);
    s->plan->score = 0;
    for (uint64_t first = 0, last; first < t->docs; first = last) {
        last = first + 1;
        while (last < t->docs && t->doc_start[last + 1] - t->doc_start[first] <= work)
            last++;
        s->plan->score += sample_some(s, first, last);
        EZ_TRY(s->plan->progress(last, s->plan->user));
    }
    return EZLDA_OK;
}

static ezlda_status run(infer_sampling *s, ezlda_context *context)
{
    EZ_TRY(ez_array_zero(&s->doc, context, (size_t)s->cpu->threads, sizeof *s->doc, "documents"));
    for (int i = 0; i < s->cpu->threads; i++)
        EZ_TRY(ez_infer_doc_init(&s->doc[i], s->cpu, context, &s->words, &s->size));
    return sample_all(s);
}

bool ez_infer_size_is_small(const ez_infer_size *size, const ez_sampling *plan)
{
    return size->tokens <= MOST_TOKENS && size->cells <= MOST_CELLS &&
           at_least(size->tokens, REPORT_TOKENS) * plan->iterations <= MOST_WORK;
}

/* Whole documents are for inference only, not for training. */
static bool is_fit(const ez_settings *settings)
{
    return settings->fixed && settings->start_topics && settings->estimator == EZLDA_LEAVE_ONE_OUT;
}

ezlda_status ez_cpu_sample(ez_backend *backend, ezlda_context *context, ez_sampling *sampling)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    infer_sampling s = {.cpu = cpu, .plan = sampling};
    if (!is_fit(cpu->settings))
        return ez_sample_by_iterations(backend, context, cpu->tokens, sampling);
    EZ_TRY(backend->ops->start(backend, context));
    EZ_TRY(ez_cpu_prepare(cpu, context));
    ezlda_status status = ez_infer_words_make(&s.words, cpu, context);
    if (status == EZLDA_OK) {
        measure(&s);
        status = ez_infer_size_is_small(&s.size, sampling)
                     ? run(&s, context)
                     : ez_sample_by_iterations(backend, context, cpu->tokens, sampling);
    }
    for (int i = 0; s.doc && i < cpu->threads; i++)
        ez_infer_doc_free(&s.doc[i]);
    ez_free(s.doc);
    ez_infer_words_free(&s.words);
    return status;
}
