/* The documents pass: gathers a document's topics through the inverted index, decides tokens early
 * (three_branch_loop.h) and writes the row of D if tokens stay open. Also decides whether early
 * decisions pay: they save the words pass of the tokens they decide and cost a look at every token,
 * so they pay when many tokens are decided. The topics do not depend on this choice. */
#include "backend/cpu/cpu.h"
#include "backend/start.h"

#include <omp.h>
#include <string.h>

/* Finds the places in T of a document's tokens and moves the block's cursors past them; returns the
 * number of tokens. */
static uint32_t find_places(const ez_token_list *t, ez_cpu_thread *thread, uint64_t doc)
{
    const uint32_t *word = t->word + t->doc_start[doc];
    uint32_t length = (uint32_t)(t->doc_start[doc + 1] - t->doc_start[doc]);
    for (uint32_t i = 0; i < length; i++)
        thread->place[i] = thread->cursor[word[i]]++;
    return length;
}

static void begin_block(const ez_token_list *t, ez_cpu_thread *thread, uint32_t b)
{
    memcpy(thread->cursor, ez_block_cursor(t, b), t->words * sizeof *thread->cursor);
}

static void count_topics(const ez_cpu *cpu, ez_cpu_thread *thread, uint32_t length)
{
    enum { AHEAD = 24 };
    for (uint32_t i = 0; i < length; i++) {
        if (i + AHEAD < length)
            __builtin_prefetch(&cpu->topic[thread->place[i + AHEAD]], 1);
        uint16_t k = cpu->topic[thread->place[i]];
        thread->old[i] = k;
        ez_topic_counter_add(&thread->counter, k);
    }
}

/* Writes the row of D at `at`, padded; returns where it ends. */
static uint64_t write_row(ez_cpu *cpu, ez_cpu_thread *thread, uint64_t doc, uint64_t at)
{
    uint32_t n = ez_topic_counter_entries(&thread->counter, cpu->row + at);
    for (; n % EZ_ROW_STEP != 0; n++)
        cpu->row[at + n] = 0;
    cpu->row_of[doc] = (ez_row_place){(uint32_t)(at / EZ_ROW_STEP), n / EZ_ROW_STEP};
    return at + n;
}

static void write_topics(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        uint32_t next = thread->next[i], place = thread->place[i];
        thread->moved += next != thread->old[i] && !(next & EZ_MARK);
        if (cpu->flag) {
            cpu->flag[place] = (uint8_t)(next >> 31);
            cpu->topic[place] = (uint16_t)next;
        } else {
            cpu->topic[place] = (uint16_t)(next >> 16 | next);
        }
    }
}

/* What the documents of a thread share during a pass. */
static ez_doc_job begin_job(const ez_cpu *cpu, const ez_cpu_thread *thread, uint32_t iteration)
{
    const ez_settings *s = cpu->settings;
    return (ez_doc_job){
        .old = thread->old,
        .count = thread->counter.count,
        .next = thread->next,
        .iteration_key = ez_iteration_key(s->seed, iteration),
        .record = cpu->record,
        .alpha_scaled = cpu->alpha_scaled,
        .alpha_same = cpu->alpha_same,
        .leave_one_out = s->estimator == EZLDA_LEAVE_ONE_OUT,
        .three_branch = s->sampler == EZLDA_THREE_BRANCH,
        .g = s->g ? s->g : EZ_TOP,
    };
}

/* Decides tokens of a document early; returns how many stay open. */
static uint32_t decide(ez_cpu *cpu, ez_cpu_thread *thread, ez_doc_job *job, uint64_t doc,
                       uint32_t length)
{
    const ez_token_list *t = cpu->tokens;
    job->doc = ez_doc_key(t, doc);
    job->length = length;
    job->word = t->word + t->doc_start[doc];
    uint32_t open = cpu->kernels->decide(job);
    write_topics(cpu, thread, length);
    return open;
}

static void work_block(ez_cpu *cpu, ez_cpu_thread *thread, ez_doc_job *job, uint32_t b,
                       bool with_decisions)
{
    const ez_token_list *t = cpu->tokens;
    uint64_t at = cpu->block_row[b];
    begin_block(t, thread, b);
    for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
        uint32_t length = find_places(t, thread, d);
        count_topics(cpu, thread, length);
        uint32_t open = with_decisions ? decide(cpu, thread, job, d, length) : length;
        thread->undecided += open;
        if (open > 0)
            at = write_row(cpu, thread, d, at);
        ez_topic_counter_clear(&thread->counter);
    }
}

void ez_cpu_documents(ez_cpu *cpu, uint32_t iteration, bool with_decisions)
{
#pragma omp parallel num_threads(cpu->threads)
    {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        ez_doc_job job = begin_job(cpu, thread, iteration);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < cpu->tokens->blocks; b++)
            work_block(cpu, thread, &job, b, with_decisions);
    }
}

ezlda_status ez_cpu_start_topics(ez_cpu *cpu, ezlda_context *context)
{
    const ez_token_list *t = cpu->tokens;
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(cpu->threads)
    {
        ez_cpu_thread *thread = &cpu->thread[omp_get_thread_num()];
        ez_start_scratch scratch;
        ezlda_status mine = ez_start_scratch_init(&scratch, context, t);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t b = 0; b < t->blocks; b++) {
            if (!cpu->pairs.on)
                begin_block(t, thread, b);
            for (uint64_t d = t->block_doc[b]; mine == EZLDA_OK && d < t->block_doc[b + 1]; d++) {
                if (cpu->pairs.on) {
                    ez_start_document(t, cpu->settings, d, cpu->topic + t->doc_start[d], &scratch);
                    continue;
                }
                uint32_t length = find_places(t, thread, d);
                ez_start_document(t, cpu->settings, d, thread->old, &scratch);
                for (uint32_t i = 0; i < length; i++)
                    cpu->topic[thread->place[i]] = thread->old[i];
            }
        }
        ez_start_scratch_free(&scratch);
        if (mine != EZLDA_OK) {
#pragma omp critical(ez_cpu_status)
            status = mine;
        }
    }
    return status;
}

void ez_cpu_copy_topics(ez_cpu *cpu, uint16_t *out)
{
    const ez_token_list *t = cpu->tokens;
    if (cpu->pairs.on) {
        memcpy(out, cpu->topic, t->tokens * sizeof *out);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint32_t *cursor = cpu->thread[omp_get_thread_num()].cursor;
        begin_block(t, &cpu->thread[omp_get_thread_num()], b);
        for (uint64_t i = ez_block_first(t, b); i < ez_block_first(t, b + 1); i++)
            out[i] = cpu->topic[cursor[t->word[i]]++];
    }
}

void ez_cpu_set_topics(ez_cpu *cpu, const uint16_t *topic)
{
    const ez_token_list *t = cpu->tokens;
    if (cpu->pairs.on) {
        memcpy(cpu->topic, topic, t->tokens * sizeof *topic);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(cpu->threads)
    for (uint32_t b = 0; b < t->blocks; b++) {
        uint32_t *cursor = cpu->thread[omp_get_thread_num()].cursor;
        begin_block(t, &cpu->thread[omp_get_thread_num()], b);
        for (uint64_t i = ez_block_first(t, b); i < ez_block_first(t, b + 1); i++)
            cpu->topic[cursor[t->word[i]]++] = topic[i];
    }
}

/* ---- whether early decisions pay ---- */

/* Iterations after which decisions are tried again: more and more tokens can be decided as the run
 * continues, while the documents pass without decisions costs about the same all along. */
enum { EZ_COST_AGE = 16 };

bool ez_decide_worthwhile(const ez_cpu *cpu, uint32_t iteration)
{
    const ez_decision_cost *cost = &cpu->decision_cost;
    if (cpu->settings->sampler == EZLDA_TWO_BRANCH)
        return false;
    if (cpu->settings->g != 0)
        return true;
    if (cost->measured[0] == 0)
        return false;
    if (cost->measured[1] == 0 || iteration - cost->measured[1] > EZ_COST_AGE)
        return true;
    double all = cost->open_token * (double)cpu->all_tokens;
    return cost->documents[1] + cost->open_share * all < cost->documents[0] + all;
}

void ez_decide_measured(ez_cpu *cpu, uint32_t iteration, bool decided, double documents,
                        double words, uint64_t open)
{
    ez_decision_cost *cost = &cpu->decision_cost;
    cost->documents[decided] = documents;
    cost->measured[decided] = iteration;
    if (open > 0)
        cost->open_token = words / (double)open;
    if (decided)
        cost->open_share = (double)open / (double)cpu->all_tokens;
}
