/* Reads records that a program hands over. Threads parse them later, so the values are
 * copied into blocks: for each slot of a record its size, then its bytes. */
#include "corpus/formats/handed_records.h"

#include <string.h>

static const uint64_t MISSING = UINT64_MAX;

ezlda_status ez_record_feed_open(ez_record_feed *feed, ezlda_context *context,
                                 const ez_field_plan *plan)
{
    EZ_TRY(ez_array(&feed->column_of, context, plan->slots, sizeof *feed->column_of, "fields"));
    for (uint32_t i = 0; i < plan->slots; i++) {
        feed->column_of[i] = UINT32_MAX;
        for (uint32_t c = feed->n_fields; plan->names[i] && c-- > 0;)
            if (strcmp(plan->names[i], feed->fields[c]) == 0)
                feed->column_of[i] = c;
    }
    return EZLDA_OK;
}

void ez_record_feed_free(ez_record_feed *feed)
{
    ez_free(feed->column_of);
}

/* A NUL would end the value early in the corpus; in text it separates words. */
static void use_spaces(unsigned char *at, size_t n)
{
    for (unsigned char *end = at + n; (at = memchr(at, 0, (size_t)(end - at)));)
        *at = ' ';
}

static ezlda_status put_value(ez_buffer *out, ezlda_context *context, const ezlda_text *value)
{
    uint64_t size = value && value->at ? value->size : MISSING;
    EZ_TRY(ez_buffer_append(out, context, &size, sizeof size));
    if (size == MISSING)
        return EZLDA_OK;
    EZ_TRY(ez_buffer_append(out, context, value->at, value->size));
    use_spaces(out->data + out->used - value->size, value->size);
    return EZLDA_OK;
}

static ezlda_status put_record(ez_text_source *source, ezlda_context *context, ez_block *block)
{
    ez_record_feed *feed = source->feed;
    const ezlda_text *values = feed->now.values + (size_t)feed->at * feed->n_fields;
    size_t before = block->text.used;
    for (uint32_t i = 0; i < source->plan->slots; i++)
        EZ_TRY(put_value(&block->text, context,
                         feed->column_of[i] == UINT32_MAX ? NULL : values + feed->column_of[i]));
    if (block->text.used - before > EZ_RECORD_BYTES)
        return ez_fail(context, EZLDA_ERROR_FORMAT, "%s:%llu: a record is longer than 1 GiB",
                       ez_text_source_name(source, 0), (unsigned long long)source->line);
    feed->at++;
    source->line++;
    return EZLDA_OK;
}

/* Asks for more records if none is left. */
static ezlda_status ask(ez_record_feed *feed, ezlda_context *context)
{
    if (feed->ended || feed->at < feed->now.n)
        return EZLDA_OK;
    feed->now = (ezlda_records){0};
    feed->at = 0;
    if (feed->next(&feed->now, feed->user) != 0) {
        feed->ended = true;
        return ez_fail(context, EZLDA_ERROR_STOPPED, "stopped");
    }
    feed->ended = feed->now.n == 0;
    return EZLDA_OK;
}

ezlda_status ez_record_feed_block(ez_text_source *source, ezlda_context *context, ez_block *block,
                                  bool *more)
{
    ez_record_feed *feed = source->feed;
    block->input = 0;
    block->line = source->line;
    block->at = 0;
    block->text.used = 0;
    while (block->text.used < EZ_BLOCK_BYTES) {
        EZ_TRY(ask(feed, context));
        if (feed->ended)
            break;
        EZ_TRY(put_record(source, context, block));
    }
    block->last = feed->ended;
    *more = block->text.used > 0;
    /* readers of text may look at the byte after a value */
    return *more ? ez_buffer_append(&block->text, context, "\n", 1) : EZLDA_OK;
}

static int next_handed(const ez_text_source *source, ezlda_context *context, ez_block *block,
                       ez_span *slots, uint64_t *line, ez_fault *fault)
{
    (void)context;
    if (block->at + 1 >= block->text.used)
        return 0;
    *line = block->line++;
    for (uint32_t i = 0; i < source->plan->slots; i++) {
        uint64_t size;
        memcpy(&size, block->text.data + block->at, sizeof size);
        block->at += sizeof size;
        char *at = (char *)block->text.data + block->at;
        slots[i] = size == MISSING ? (ez_span){NULL, 0} : (ez_span){at, (size_t)size};
        block->at += slots[i].n;
        if (slots[i].at && ez_text_check(at, slots[i].n, *line, fault)) {
            fault->line = *line; /* not the line within the text */
            return -1;
        }
    }
    return 1;
}

const ez_record_reader ez_handed_reader = {"records", next_handed, NULL, NULL};
