/* The words pass: for each word makes its row of What, draws its open tokens and counts its new row
 * of W. Also the score, which walks the same lines. */
#include "backend/cpu/cpu.h"
#include "sampler/log2_fixed.h"

#include <omp.h>
#include <string.h>

/* Whether a word's tokens lie in several tasks. */
static bool is_split(const ez_cpu *cpu, const ez_word_task *task)
{
    const uint64_t *start = cpu->tokens->word_start + task->first_word;
    return task->last_word == task->first_word + 1 && task->end - task->begin < start[1] - start[0];
}

static void add_base(const ez_cpu *cpu, ez_topic_counter *counter, uint32_t v)
{
    const ez_base_counts *base = cpu->settings->base;
    uint64_t added = ez_is_root(cpu->settings->group) ? ez_base_entries(cpu->settings, v) : 0;
    for (uint64_t i = 0; i < added; i++)
        ez_topic_counter_add_many(counter, base->topic[base->start[v] + i],
                                  base->count[base->start[v] + i]);
}

static void add_to_n(ez_cpu_thread *thread)
{
    const ez_topic_counter *counter = &thread->counter;
    for (uint32_t i = 0; i < counter->n_touched; i++)
        thread->topic_tokens[counter->touched[i]] += counter->count[counter->touched[i]];
}

/* Counts the word's topics and its base: its new row of W, and what it adds to n. With a source,
 * adds the documents of a chunk to the next W. */
static void count_word(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t v)
{
    const ez_token_list *t = cpu->tokens;
    ez_topic_counter *counter = &thread->counter;
    for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1] && !cpu->settings->fixed; i++)
        ez_topic_counter_add(counter, cpu->topic[i]);
    if (!cpu->settings->source)
        add_base(cpu, counter, v);
    add_to_n(thread);
    if (!cpu->settings->source)
        ez_w_rows_set(&cpu->w, v, counter);
    else if (counter->n_touched > 0)
        ez_w_rows_add(&cpu->next, v, counter);
    ez_topic_counter_clear(counter);
}

/* With a source: chunks are added to the base. */
void ez_cpu_counts_begin(ez_cpu *cpu)
{
    if (cpu->pairs.on)
        ez_pairs_counts_begin(cpu);
    if (cpu->pairs.on || !cpu->settings->source)
        return;
#pragma omp parallel for schedule(dynamic, 16) num_threads(cpu->threads)
    for (uint32_t v = 0; v < cpu->next.words; v++) {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        add_base(cpu, &thread->counter, v);
        add_to_n(thread);
        ez_w_rows_set(&cpu->next, v, &thread->counter);
        ez_topic_counter_clear(&thread->counter);
    }
}

/* Places of the open tokens in [begin, end), relative to begin. */
static uint32_t list_open(const ez_cpu *cpu, ez_cpu_thread *thread, uint64_t begin, uint64_t end)
{
    uint32_t n = 0;
    for (uint64_t i = begin; i < end; i++) {
        thread->list[n] = (uint32_t)(i - begin);
        n += ez_is_open(cpu, i);
    }
    return n;
}

static uint32_t list_all(ez_cpu_thread *thread, uint64_t begin, uint64_t end)
{
    uint32_t n = (uint32_t)(end - begin);
    for (uint32_t i = 0; i < n; i++)
        thread->list[i] = i;
    return n;
}

static ezlda_status draw_word(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                              uint32_t v, uint64_t begin, uint64_t end, uint64_t iteration_key,
                              bool all)
{
    uint32_t n = all ? list_all(thread, begin, end) : list_open(cpu, thread, begin, end);
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_word_table_open(cpu, context, thread, v));
    thread->view.word_key =
        ez_part_key(ez_word_key(iteration_key, v), ez_doc_key_base(cpu->tokens));
    ez_word_job job = {
        .view = &thread->view,
        .doc = cpu->tokens->doc,
        .doc_key = cpu->tokens->doc_key,
        .topic = cpu->topic,
        .topic_mask = cpu->topic_mask,
        .word_begin = cpu->tokens->word_start[v],
        .list = thread->list,
        .n = n,
        .base = begin,
        .row = cpu->row,
        .row_of = cpu->row_of,
        .leave_one_out = cpu->settings->estimator == EZLDA_LEAVE_ONE_OUT,
    };
    thread->moved += cpu->kernels->draw(&job);
    ez_word_table_close(thread);
    return EZLDA_OK;
}

/* The places of a word that lie in a task. */
static void clip(const ez_token_list *t, const ez_word_task *task, uint32_t v, uint64_t *begin,
                 uint64_t *end)
{
    *begin = t->word_start[v] > task->begin ? t->word_start[v] : task->begin;
    *end = t->word_start[v + 1] < task->end ? t->word_start[v + 1] : task->end;
}

static ezlda_status draw_task(ez_cpu *cpu, ezlda_context *context, const ez_word_task *task,
                              uint64_t iteration_key, bool all)
{
    ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
    for (uint32_t v = task->first_word; v < task->last_word; v++) {
        uint64_t begin, end;
        clip(cpu->tokens, task, v, &begin, &end);
        EZ_TRY(draw_word(cpu, context, thread, v, begin, end, iteration_key, all));
        if (!is_split(cpu, task) && !cpu->settings->fixed)
            count_word(cpu, thread, v);
    }
    return EZLDA_OK;
}

/* Sums n over the threads; with a source the next W becomes the current one. */
void ez_cpu_counts_end(ez_cpu *cpu)
{
    ez_w_rows last = cpu->w;
    if (cpu->pairs.on) {
        ez_pairs_counts_end(cpu);
    } else if (cpu->settings->source) {
        cpu->w = cpu->next;
        cpu->next = last;
    }
    uint32_t topics = cpu->settings->topics;
    memset(cpu->topic_tokens, 0, topics * sizeof *cpu->topic_tokens);
    for (int i = 0; i < cpu->threads; i++) {
        for (uint32_t k = 0; k < topics; k++)
            cpu->topic_tokens[k] += cpu->thread[i].topic_tokens[k];
        memset(cpu->thread[i].topic_tokens, 0, topics * sizeof *cpu->topic_tokens);
    }
}

/* Words that are cut into regions are counted after all their regions are drawn. */
static void count_split_words(ez_cpu *cpu)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t i = 0; i < cpu->tasks; i++) {
        const ez_word_task *task = &cpu->task[i];
        if (is_split(cpu, task) && task->begin == cpu->tokens->word_start[task->first_word])
            count_word(cpu, &cpu->thread[omp_get_thread_num()], task->first_word);
    }
}

ezlda_status ez_cpu_words(ez_cpu *cpu, ezlda_context *context, uint32_t iteration, bool all)
{
    uint64_t key = ez_iteration_key(cpu->settings->seed, iteration);
    ezlda_status status = EZLDA_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t i = 0; i < cpu->tasks; i++)
        if (draw_task(cpu, context, &cpu->task[i], key, all) != EZLDA_OK) {
#pragma omp atomic write
            status = EZLDA_ERROR_MEMORY;
        }
    if (!cpu->settings->fixed)
        count_split_words(cpu);
    return status;
}

void ez_cpu_count_words(ez_cpu *cpu)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(cpu->threads)
    for (uint32_t v = 0; v < cpu->tokens->words; v++)
        count_word(cpu, &cpu->thread[omp_get_thread_num()], v);
}

/* The sum of log2 of the lengths of lines, less their scale; equal tokens of a document share a
 * line. */
static int64_t score_word(const ez_cpu *cpu, const ez_cpu_thread *thread, uint64_t begin,
                          uint64_t end)
{
    const ez_token_list *t = cpu->tokens;
    const ez_word_view *view = &thread->view;
    int64_t scale = (int64_t)(ez_exponent(view->record->scale) - 1 + EZ_ALPHA_BITS) << EZ_LOG2_BITS;
    int64_t sum = 0, value = 0;
    for (uint64_t i = begin; i < end; i++) {
        uint32_t doc = t->doc[i];
        if (i == begin || doc != t->doc[i - 1]) {
            double length = (double)(t->doc_start[doc + 1] - t->doc_start[doc]);
            ez_row_place at = cpu->row_of[doc];
            uint64_t total =
                cpu->kernels->total(view, cpu->row + (size_t)at.start * EZ_ROW_STEP, at.steps);
            value =
                ez_log2_fixed(total) - scale - ez_log2_fixed_double(length + cpu->priors.alpha_sum);
        }
        sum += value;
    }
    return sum;
}

ezlda_status ez_cpu_score_words(ez_cpu *cpu, ezlda_context *context, int64_t *sum)
{
    ezlda_status status = EZLDA_OK;
    int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads) reduction(+ : total)
    for (uint32_t i = 0; i < cpu->tasks; i++) {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        for (uint32_t v = cpu->task[i].first_word; v < cpu->task[i].last_word; v++) {
            uint64_t begin, end;
            clip(cpu->tokens, &cpu->task[i], v, &begin, &end);
            if (begin >= end)
                continue;
            if (ez_word_table_open(cpu, context, thread, v) != EZLDA_OK) {
#pragma omp atomic write
                status = EZLDA_ERROR_MEMORY;
                continue;
            }
            total += score_word(cpu, thread, begin, end);
            ez_word_table_close(thread);
        }
    }
    *sum = total;
    return status;
}
