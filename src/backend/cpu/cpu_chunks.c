/* Chunks on the CPU: loads one chunk after another, keeps the memory of the chunk that is worked
 * on, and stores its topics when it is replaced. Without a source all documents are one chunk. */
#include "backend/cpu/cpu.h"

#include <string.h>

/* Sets where the rows of D of each block begin, with room for the worst case; pages are touched
 * only when they are used. Returns the number of entries of all rows. */
static uint64_t lay_out_rows(ez_cpu *cpu)
{
    const ez_token_list *t = cpu->tokens;
    uint64_t at = 0;
    uint32_t topics = cpu->settings->topics;
    for (uint32_t b = 0; b < t->blocks; b++) {
        cpu->block_row[b] = at;
        for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
            uint64_t length = t->doc_start[d + 1] - t->doc_start[d];
            uint64_t entries = ez_entries_most(length, topics);
            at += (entries + EZ_ROW_STEP - 1) / EZ_ROW_STEP * EZ_ROW_STEP;
        }
    }
    return at;
}

/* Makes an array large enough for n elements; its content is lost. */
static ezlda_status make_room(void *array, size_t *room, ezlda_context *context, size_t n,
                              size_t size, const char *what)
{
    void *last;
    memcpy(&last, array, sizeof last);
    if (last && n <= *room)
        return EZLDA_OK;
    ez_free(last);
    *room = 0;
    EZ_TRY(ez_array(array, context, n, size, what));
    *room = n;
    return EZLDA_OK;
}

ezlda_status ez_cpu_chunk_room(ez_cpu *cpu, ezlda_context *context)
{
    const ez_token_list *t = cpu->tokens;
    ez_chunk_room *room = &cpu->room;
    EZ_TRY(make_room(&cpu->topic, &room->tokens, context, t->tokens, sizeof *cpu->topic, "topics"));
    if (cpu->pairs.on)
        return EZLDA_OK;
    if (cpu->topic_mask == 0xffff)
        EZ_TRY(make_room(&cpu->flag, &room->flags, context, t->tokens, sizeof *cpu->flag,
                         "open topics"));
    EZ_TRY(make_room(&cpu->block_row, &room->blocks, context, t->blocks, sizeof *cpu->block_row,
                     "rows of D"));
    EZ_TRY(make_room(&cpu->row, &room->row, context, lay_out_rows(cpu), sizeof *cpu->row, "D"));
    EZ_TRY(
        make_room(&cpu->row_of, &room->docs, context, t->docs, sizeof *cpu->row_of, "rows of D"));
    cpu->tasks = ez_cut_word_tasks(t, NULL);
    EZ_TRY(make_room(&cpu->task, &room->tasks, context, cpu->tasks, sizeof *cpu->task, "tasks"));
    ez_cut_word_tasks(t, cpu->task);
    return EZLDA_OK;
}

void ez_cpu_chunk_store(ez_cpu *cpu)
{
    ez_token_source *source = cpu->settings->source;
    if (!cpu->changed)
        return;
    ez_cpu_copy_topics(cpu, source->topic + source->first_token[cpu->chunk]);
    cpu->changed = false;
}

static void unload(ez_cpu *cpu)
{
    ez_token_list_free(cpu->loaded);
    cpu->loaded = NULL;
    cpu->tokens = cpu->given;
}

/* Makes the loaded list the current chunk: indexes it, makes room for it and copies its topics. */
static ezlda_status install(ez_cpu *cpu, ezlda_context *context, uint32_t chunk)
{
    const ez_token_source *source = cpu->settings->source;
    EZ_TRY(ez_token_list_index(cpu->loaded, context));
    cpu->tokens = cpu->loaded;
    cpu->chunk = chunk;
    EZ_TRY(ez_cpu_chunk_room(cpu, context));
    if (cpu->has_topics)
        ez_cpu_set_topics(cpu, source->topic + source->first_token[chunk]);
    return EZLDA_OK;
}

static ezlda_status load(ez_cpu *cpu, ezlda_context *context, uint32_t chunk)
{
    ez_token_source *source = cpu->settings->source;
    if (cpu->loaded && cpu->chunk == chunk)
        return EZLDA_OK;
    if (cpu->loaded) {
        ez_cpu_chunk_store(cpu);
        source->behind(source, cpu->chunk);
        unload(cpu);
    }
    EZ_TRY(source->load(source, context, chunk, &cpu->loaded));
    ezlda_status status = install(cpu, context, chunk);
    if (status != EZLDA_OK)
        unload(cpu);
    return status;
}

/* Walks go up and down in turns, so the last chunk of a pass is the first one of the next. */
bool ez_cpu_next_chunk(ez_cpu *cpu, ezlda_context *context, ez_chunk_walk *walk)
{
    ez_token_source *source = cpu->settings->source;
    uint32_t last = source ? source->chunks - 1 : 0, i = walk->done;
    walk->status = EZLDA_OK;
    if (source && i == 0)
        walk->down = cpu->loaded && cpu->chunk == last;
    if (source && i > 0)
        cpu->changed = cpu->changed || walk->changes;
    if (i > last)
        return false;
    if (source)
        walk->status = load(cpu, context, walk->down ? last - i : i);
    if (walk->status != EZLDA_OK)
        return false;
    if (i < last)
        source->ahead(source, walk->down ? last - i - 1 : i + 1);
    walk->done++;
    return true;
}

void ez_cpu_chunks_free(ez_cpu *cpu)
{
    unload(cpu);
    ez_free(cpu->topic);
    ez_free(cpu->flag);
    ez_free(cpu->row);
    ez_free(cpu->row_of);
    ez_free(cpu->block_row);
    ez_free(cpu->task);
}
