/* The pair pass: draws one document after another and counts W as it goes. Also the counts of the
 * start, and the score. */
#include "backend/cpu/cpu.h"
#include "sampler/log2_fixed.h"

#include <omp.h>
#include <string.h>

/* Puts a row of D into the order of S'': lane by lane. */
static void order_row(const uint32_t *row, uint32_t entries, ez_pair_scratch *pair)
{
    const uint32_t stride = EZ_LANES * EZ_LANE_WIDTH;
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < EZ_LANES; lane++)
        for (uint32_t group = lane * EZ_LANE_WIDTH; group < entries; group += stride)
            for (uint32_t j = group; j < group + EZ_LANE_WIDTH && j < entries; j++) {
                uint32_t k = ez_entry_topic(row[j]);
                pair->entry[n] = row[j];
                if (j == 0 || ez_entry_topic(row[j - 1]) != k)
                    pair->entry_of[k] = n;
                n++;
            }
}

/* Counts a document of up to EZ_PAIR_LENGTH tokens and makes its row of D. */
static void count_short(ez_cpu *cpu, ez_pair_scratch *pair, ez_pair_job *job)
{
    uint32_t topics = cpu->settings->topics, n = 0;
    memset(pair->count, 0, cpu->w.stride * sizeof *pair->count);
    for (uint32_t i = 0; i < job->length; i++)
        pair->count[job->topic[i]]++;
    for (uint32_t k = 0; k < topics; k++) {
        uint32_t count = (uint32_t)pair->count[k];
        pair->entry[n] = pair->row[n] = ez_entry(k, count);
        pair->entry_of[k] = n;
        n += count > 0;
    }
    job->entries = n;
    if (n > EZ_LANES * EZ_LANE_WIDTH)
        order_row(pair->row, n, pair);
}

static void count_long(ez_cpu_thread *thread, ez_pair_job *job)
{
    for (uint32_t i = 0; i < job->length; i++)
        ez_topic_counter_add(&thread->counter, job->topic[i]);
    job->entries = ez_topic_counter_entries(&thread->counter, thread->pair.row);
    job->long_count = thread->counter.count;
    order_row(thread->pair.row, job->entries, &thread->pair);
}

/* Begins a document; returns the kernels for it. */
static const ez_pair_kernels *begin_document(ez_cpu *cpu, ez_cpu_thread *thread, ez_pair_job *job,
                                             uint64_t d)
{
    const ez_token_list *t = cpu->tokens;
    job->doc = t->first_doc + d;
    job->length = (uint32_t)(t->doc_start[d + 1] - t->doc_start[d]);
    job->word = t->word + t->doc_start[d];
    job->topic = cpu->topic + t->doc_start[d];
    if (job->length > EZ_PAIR_LENGTH) {
        count_long(thread, job);
        return &ez_pair_kernels_plain;
    }
    count_short(cpu, &thread->pair, job);
    return cpu->kernels->pairs;
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
        .entry = thread->pair.entry,
        .entry_of = thread->pair.entry_of,
        .words = cpu->pairs.words,
        .word_bytes = cpu->pairs.word_bytes,
        .blocks = ez_pair_blocks(s->topics),
        .prefetch_lines = sizeof(ez_pair_word) / 64 + ez_pair_blocks(s->topics),
        .topics = s->topics,
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
                begin_document(cpu, thread, &job, d)->draw(&job);
                ez_topic_counter_clear(&thread->counter);
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
static int64_t score_document(ez_cpu *cpu, const ez_pair_kernels *kernels, const ez_pair_job *job)
{
    int64_t length = ez_log2_fixed_double((double)job->length + cpu->priors.alpha_sum);
    int64_t sum = 0, value = 0;
    for (uint32_t i = 0; i < job->length; i++) {
        uint32_t v = job->word[i];
        if (i == 0 || v != job->word[i - 1]) {
            int64_t scale = ez_exponent(cpu->pairs.scale[v]) - 1 + EZ_ALPHA_BITS;
            uint64_t total = kernels->total(job, ez_pair_word_at(job, v));
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
                const ez_pair_kernels *kernels = begin_document(cpu, thread, &job, d);
                sum += score_document(cpu, kernels, &job);
                ez_topic_counter_clear(&thread->counter);
            }
    }
    return sum;
}
