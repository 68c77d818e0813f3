/* Counts how often each count occurs in the rows of D and of W, for the prior fit. */
#include "backend/cpu/cpu.h"

#include <omp.h>
#include <string.h>

static ezlda_status count_document(ez_cpu_thread *thread, ezlda_context *context, ez_histograms *h)
{
    const ez_topic_counter *counter = &thread->counter;
    for (uint32_t i = 0; i < counter->n_touched; i++)
        EZ_TRY(ez_histograms_doc(h, context, counter->touched[i],
                                 counter->count[counter->touched[i]]));
    return EZLDA_OK;
}

static void count_row(const ez_cpu *cpu, uint32_t v, ez_histograms *h)
{
    const uint32_t *row = ez_w_dense(&cpu->w, v);
    if (row) {
        for (uint32_t k = 0; k < cpu->settings->topics; k++)
            if (row[k] > 0)
                ez_histograms_word(h, row[k]);
        return;
    }
    row = ez_w_sparse(&cpu->w, v);
    uint32_t entries = cpu->w.entries[v - cpu->w.dense_words], count;
    for (uint32_t j = 0; j < entries;) {
        j += ez_entry_run(row + j, entries - j, &count);
        ez_histograms_word(h, count);
    }
}

/* The blocks that this thread gets. If `mine` has no cells, there was not enough memory. */
static ezlda_status count_blocks(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread,
                                 ez_histograms *mine)
{
    const ez_token_list *t = cpu->tokens;
    ezlda_status status = mine->docs ? EZLDA_OK : EZLDA_ERROR_MEMORY;
#pragma omp for schedule(dynamic, 1)
    for (uint32_t b = 0; b < t->blocks; b++) {
        if (status != EZLDA_OK)
            continue;
        if (!cpu->pairs.on)
            memcpy(thread->cursor, ez_block_cursor(t, b), t->words * sizeof *thread->cursor);
        for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1] && status == EZLDA_OK; d++) {
            for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
                ez_topic_counter_add(&thread->counter,
                                     cpu->topic[cpu->pairs.on ? i : thread->cursor[t->word[i]]++]);
            status = count_document(thread, context, mine);
            ez_topic_counter_clear(&thread->counter);
        }
    }
    return status;
}

/* If `mine` has no cells, there was not enough memory. */
static void count_words(const ez_cpu *cpu, ez_histograms *mine)
{
#pragma omp for schedule(dynamic, 64)
    for (uint32_t v = 0; v < cpu->w.words; v++)
        if (mine->words)
            count_row(cpu, v, mine);
}

/* Adds the documents of the chunk that is loaded; and W, which is not in chunks, if `with_words`.
 */
static ezlda_status count_chunk(ez_cpu *cpu, ezlda_context *context, bool with_words,
                                ez_histograms *out)
{
    ezlda_status status = EZLDA_OK;
#pragma omp parallel num_threads(cpu->threads)
    {
        ez_histograms mine = {0};
        ezlda_status own = ez_histograms_init(&mine, context, cpu->settings->topics), more;
        more = count_blocks(cpu, context, &cpu->thread[omp_get_thread_num()], &mine);
        own = own == EZLDA_OK ? more : own;
        if (with_words)
            count_words(cpu, &mine);
#pragma omp critical(ez_histograms)
        {
            if (own == EZLDA_OK)
                own = ez_histograms_add(out, context, &mine);
            status = own != EZLDA_OK ? own : status;
        }
        ez_histograms_free(&mine);
    }
    return status;
}

ezlda_status ez_cpu_histograms(ez_backend *backend, ezlda_context *context, ez_histograms *out)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    ez_chunk_walk walk = {.changes = false};
    ez_histograms_clear(out);
    while (ez_cpu_next_chunk(cpu, context, &walk))
        EZ_TRY(count_chunk(cpu, context, walk.done == 1 && !cpu->settings->fixed, out));
    EZ_TRY(walk.status);
    memcpy(out->topic_tokens, cpu->topic_tokens, cpu->settings->topics * sizeof *out->topic_tokens);
    return EZLDA_OK;
}
