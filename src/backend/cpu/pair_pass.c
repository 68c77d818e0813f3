/* The pair pass: draws one document after another and counts W as it goes. Also the counts of the
 * start, and the score. */
#include "backend/cpu/cpu.h"
#include "sampler/log2_fixed.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static bool has_large_count(const ez_pair_job *job)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < job->topics && job->length > EZ_ENTRY_MAX; k++)
        most = job->count[k] > most ? job->count[k] : most;
    return most > EZ_ENTRY_MAX;
}

/* Begins a document: counts its topics. */
static void begin_document(ez_cpu *cpu, ez_cpu_thread *thread, ez_pair_job *job, uint64_t d)
{
    const ez_token_list *t = cpu->tokens;
    ez_pair_scratch *pair = &thread->pair;
    uint32_t topics = cpu->settings->topics;
    job->doc = t->first_doc + d;
    job->length = (uint32_t)(t->doc_start[d + 1] - t->doc_start[d]);
    job->word = t->word + t->doc_start[d];
    job->topic = cpu->topic + t->doc_start[d];
    job->entries = 0;
    memset(pair->count, 0, topics * sizeof *pair->count);
    for (uint32_t i = 0; i < job->length; i++)
        pair->count[job->topic[i]]++;
    for (uint32_t k = 0; k < topics; k++)
        pair->count_f[EZ_TOP + k] = (float)(int32_t)pair->count[k];
    /* Several entries of a topic may be in several lanes: only integers follow that. */
    job->large = has_large_count(job);
    job->margin = job->large ? INFINITY : PAIR_MARGIN;
    job->summed = NULL;
}

static uint32_t *next_w_of(const ez_cpu *cpu, const ez_cpu_thread *thread)
{
    return thread == cpu->thread ? cpu->w.dense : thread->pair.next_w;
}

static ez_pair_job begin_job(const ez_cpu *cpu, const ez_cpu_thread *thread)
{
    const ez_settings *s = cpu->settings;
    return (ez_pair_job){
        .word_end = cpu->tokens->word + cpu->tokens->tokens,
        .count = thread->pair.count,
        .count_f = thread->pair.count_f + EZ_TOP,
        .row = thread->pair.row,
        .entry = thread->pair.entry,
        .entry_of = thread->pair.entry_of,
        .entry_end = thread->pair.entry_end,
        .run = thread->pair.run,
        .slot_count = thread->pair.slot_count + EZ_TOP,
        .slot_name = thread->pair.slot_name,
        .slot_of = thread->pair.slot_of,
        .group = thread->pair.group,
        .words = cpu->pairs.words,
        .word_bytes = cpu->pairs.word_bytes,
        .line_bytes = ez_pair_line_bytes(s->topics),
        .topics = s->topics,
        .alpha = cpu->pairs.alpha + EZ_TOP,
        .alpha_scaled = cpu->alpha_scaled,
        .next_w = next_w_of(cpu, thread),
        .stride = cpu->w.stride,
        .leave_one_out = s->estimator == EZLDA_LEAVE_ONE_OUT,
    };
}

static void set_word_keys(ez_cpu *cpu, uint32_t iteration)
{
    uint64_t key = ez_iteration_key(cpu->settings->seed, iteration);
#pragma omp for schedule(static)
    for (uint32_t v = 0; v < cpu->tokens->words; v++)
        ((ez_pair_word *)(void *)(cpu->pairs.words + cpu->pairs.word_bytes * v))->word_key =
            ez_word_key(key, v);
}

void ez_pairs_draw(ez_cpu *cpu, uint32_t iteration)
{
    const ez_token_list *t = cpu->tokens;
#pragma omp parallel num_threads(cpu->threads)
    {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        ez_pair_job job = begin_job(cpu, thread);
        set_word_keys(cpu, iteration);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++)
            for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
                if (t->doc_start[d] == t->doc_start[d + 1])
                    continue;
                begin_document(cpu, thread, &job, d);
                cpu->kernels->pairs->draw(&job);
                thread->undecided += job.length;
            }
        thread->moved += job.moved;
    }
}

void ez_pairs_count(ez_cpu *cpu)
{
    const ez_token_list *t = cpu->tokens;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint32_t *next_w = next_w_of(cpu, &cpu->thread[omp_get_thread_num()]);
        for (uint64_t i = ez_block_first(t, b); i < ez_block_first(t, b + 1); i++)
            next_w[cpu->w.stride * t->word[i] + cpu->topic[i]]++;
    }
}

/* Words that a thread clears or sums at a time. */
enum { WORDS = 256 };

static uint32_t words_end(const ez_cpu *cpu, uint32_t first)
{
    return cpu->w.words - first < WORDS ? cpu->w.words : first + WORDS;
}

void ez_pairs_counts_begin(ez_cpu *cpu)
{
    size_t stride = cpu->w.stride;
#pragma omp parallel for schedule(static) num_threads(cpu->threads)
    for (uint32_t v = 0; v < cpu->w.words; v += WORDS)
        memset(cpu->w.dense + stride * v, 0,
               stride * (words_end(cpu, v) - v) * sizeof *cpu->w.dense);
}

/* Adds what another thread has counted to W, and sets it to 0. */
static void take_counts(ez_cpu *cpu, uint32_t *counted, uint32_t first, uint32_t last)
{
    uint32_t *w = cpu->w.dense;
    for (size_t i = cpu->w.stride * first; i < cpu->w.stride * last; i++) {
        w[i] += counted[i];
        counted[i] = 0;
    }
}

static void add_base(ez_cpu *cpu, uint32_t v)
{
    const ez_base_counts *base = cpu->settings->base;
    uint64_t added = ez_is_root(cpu->settings->group) ? ez_base_entries(cpu->settings, v) : 0;
    for (uint64_t i = 0; i < added; i++)
        ez_w_dense(&cpu->w, v)[base->topic[base->start[v] + i]] += base->count[base->start[v] + i];
}

static void add_to_n(ez_cpu *cpu, uint64_t *restrict n, uint32_t v)
{
    const uint32_t *row = ez_w_dense(&cpu->w, v);
    for (uint32_t k = 0; k < cpu->settings->topics; k++)
        n[k] += row[k];
}

void ez_pairs_counts_end(ez_cpu *cpu)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t first = 0; first < cpu->w.words; first += WORDS) {
        uint32_t last = words_end(cpu, first);
        for (int i = 1; i < cpu->threads; i++)
            take_counts(cpu, cpu->thread[i].pair.next_w, first, last);
        for (uint32_t v = first; v < last; v++) {
            add_base(cpu, v);
            add_to_n(cpu, cpu->thread[omp_get_thread_num()].topic_tokens, v);
        }
    }
}

/* The score of a document; equal tokens share a line. */
static int64_t score_document(ez_cpu *cpu, ez_pair_job *job)
{
    int64_t length = ez_log2_fixed_double((double)job->length + cpu->priors.alpha_sum);
    int64_t sum = 0, value = 0;
    for (uint32_t i = 0; i < job->length; i++) {
        uint32_t v = job->word[i];
        if (i == 0 || v != job->word[i - 1]) {
            int64_t scale = ez_exponent(cpu->pairs.scale[v]) - 1 + EZ_ALPHA_BITS;
            uint64_t total = ez_pair_exact_total(job, ez_pair_word_at(job, v));
            value = ez_log2_fixed(total) - scale * ((int64_t)1 << EZ_LOG2_BITS) - length;
        }
        sum += value;
    }
    return sum;
}

int64_t ez_pairs_score(ez_cpu *cpu)
{
    const ez_token_list *t = cpu->tokens;
    int64_t sum = 0;
#pragma omp parallel num_threads(cpu->threads) reduction(+ : sum)
    {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        ez_pair_job job = begin_job(cpu, thread);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++)
            for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
                if (t->doc_start[d] == t->doc_start[d + 1])
                    continue;
                begin_document(cpu, thread, &job, d);
                sum += score_document(cpu, &job);
            }
    }
    return sum;
}
