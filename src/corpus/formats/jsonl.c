/* Reads records of JSON, strictly: JSON Lines, one object per line, and arrays of objects. Fields
 * may be nested (a.b, a.b[0].c); values of lists are joined by newlines. Lines of spaces hold no
 * record. */
#include "corpus/formats/json_parse.h"

#include <string.h>

/* The record that is parsed. */
typedef struct json_record {
    const ez_field_plan *plan;
    ezlda_context *context;
    ez_block *block;
    ez_span *slots;
    ezlda_status status; /* whether lists had enough memory */
} json_record;

/* A value of a list, for a slot. */
typedef struct list_piece {
    uint32_t slot;
    ez_span text;
} list_piece;

static void store(json_record *record, uint32_t slot, ez_span text, bool listed)
{
    list_piece piece = {slot, text};
    if (!listed || !record->slots[slot].at)
        record->slots[slot] = text;
    if (listed && record->status == EZLDA_OK)
        record->status =
            ez_buffer_append(&record->block->pieces, record->context, &piece, sizeof piece);
}

/* Puts a value into the slots of its field, and says whether a slot names a field inside it. */
static ez_json_answer take(ez_json *json, ez_json_kind kind, ez_span text)
{
    json_record *record = json->user;
    ez_json_answer answer = EZ_JSON_SKIP;
    for (uint32_t i = 0; i < record->plan->slots; i++) {
        const char *name = record->plan->names[i];
        bool listed;
        if (!name)
            continue;
        ez_json_relation relation = ez_json_relate(json, name, &listed);
        if (relation == EZ_JSON_APART)
            continue;
        if (kind != EZ_JSON_SCALAR)
            answer = EZ_JSON_ENTER;
        if (relation == EZ_JSON_ABOVE)
            continue;
        if (kind == EZ_JSON_OBJECT)
            return EZ_JSON_WRONG;
        if (kind == EZ_JSON_LIST)
            text = (ez_span){json->at, 0};
        store(record, i, text, listed && kind == EZ_JSON_SCALAR);
    }
    return answer;
}

static bool is_list(const ez_block *block, uint32_t slot)
{
    const list_piece *pieces = (const list_piece *)(const void *)block->pieces.data;
    for (size_t i = 0; i < block->pieces.used / sizeof *pieces; i++)
        if (pieces[i].slot == slot)
            return true;
    return false;
}

/* Joins the values of lists by newlines. The buffer gets its room first, so that it does not move.
 */
static ezlda_status join_lists(json_record *record)
{
    ez_block *block = record->block;
    const list_piece *pieces = (const list_piece *)(const void *)block->pieces.data;
    size_t n = block->pieces.used / sizeof *pieces, room = 0;
    for (size_t i = 0; i < n; i++)
        room += pieces[i].text.n + 1;
    block->joined.used = 0;
    EZ_TRY(ez_buffer_reserve(&block->joined, record->context, room));
    for (uint32_t slot = 0; slot < record->plan->slots; slot++) {
        if (!is_list(block, slot))
            continue;
        char *start = (char *)block->joined.data + block->joined.used, *at = start;
        for (size_t i = 0; i < n; i++) {
            if (pieces[i].slot != slot)
                continue;
            if (at > start)
                *at++ = '\n';
            memcpy(at, pieces[i].text.at, pieces[i].text.n);
            at += pieces[i].text.n;
        }
        record->slots[slot] = (ez_span){start, (size_t)(at - start)};
        block->joined.used += (size_t)(at - start);
    }
    return EZLDA_OK;
}

/* Parses one object into the slots. */
static bool parse_record(ez_json *json, json_record *record)
{
    record->block->pieces.used = 0;
    ez_record_clear(record->plan, record->slots);
    if (!ez_json_object(json))
        return false;
    if (record->block->pieces.used && record->status == EZLDA_OK)
        record->status = join_lists(record);
    return true;
}

static int fault_at(const ez_json *json, const char *what, ez_fault *fault)
{
    if (json->many_lines)
        return ez_fault_set(fault, json->line, "not valid %s: expected %s", what, json->wrong);
    return ez_fault_set(fault, json->line, "not valid %s: expected %s at byte %zu of the line",
                        what, json->wrong, (size_t)(json->at - json->line_start) + 1);
}

/* Ends a record: its status, or 1. */
static int record_end(const json_record *record, ez_fault *fault)
{
    fault->status = record->status;
    return record->status == EZLDA_OK ? 1 : -1;
}

static ez_json json_begin(const ez_block *block, json_record *record)
{
    char *text = (char *)block->text.data;
    return (ez_json){.at = text + block->at,
                     .end = text + block->text.used - 1,
                     .line_start = text + block->at,
                     .line = block->line,
                     .value = take,
                     .user = record};
}

static int next_jsonl(const ez_text_source *source, ezlda_context *context, ez_block *block,
                      ez_span *slots, uint64_t *line, ez_fault *fault)
{
    json_record record = {source->plan, context, block, slots, EZLDA_OK};
    const char *text = (const char *)block->text.data;
    while (block->at < block->text.used) {
        ez_json json = json_begin(block, &record);
        *line = block->line++;
        ez_json_spaces(&json);
        bool empty = *json.at == '\n';
        if (!empty && parse_record(&json, &record)) {
            ez_json_spaces(&json);
            if (*json.at != '\n')
                ez_json_expected(&json, "the end of the line");
        }
        if (json.wrong)
            return fault_at(&json, "JSON Lines", fault);
        block->at = (size_t)(json.at + 1 - text);
        if (!empty)
            return record_end(&record, fault);
    }
    return 0;
}

/* ---- an array of objects ---- */

/* Moves past the bracket that opens the array. */
static ezlda_status begin_array(ez_text_source *source, ezlda_context *context, ez_block *block)
{
    (void)context;
    (void)source;
    ez_json json = json_begin(block, NULL);
    json.many_lines = true;
    ez_json_spaces(&json);
    if (*json.at == '[') {
        block->at = (size_t)(json.at + 1 - (char *)block->text.data);
        block->line = json.line;
    }
    return EZLDA_OK;
}

/* The place after the last comma between elements. */
static size_t cut_array(const ez_text_source *source, size_t input, const char *text, size_t from,
                        size_t n)
{
    (void)source;
    (void)input;
    size_t cut = from, depth = 0;
    bool quoted = false;
    for (size_t i = from; i < n; i++) {
        char c = text[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0;
        } else if (c == ',' && !depth) {
            cut = i + 1;
        }
    }
    return cut;
}

/* Moves past the comma after an element, or past the end of the array. */
static void end_element(ez_json *json, ez_block *block)
{
    ez_json_spaces(json);
    if (*json->at == ',') {
        json->at++;
    } else if (*json->at == ']') {
        json->at++;
        block->closed = true;
    } else {
        ez_json_expected(json, "\",\" or \"]\" after an object");
    }
}

static int next_of_array(const ez_text_source *source, ezlda_context *context, ez_block *block,
                         ez_span *slots, uint64_t *line, ez_fault *fault)
{
    if (block->at >= block->text.used)
        return 0;
    json_record record = {source->plan, context, block, slots, EZLDA_OK};
    ez_json json = json_begin(block, &record);
    json.many_lines = true;
    ez_json_spaces(&json);
    *line = json.line;
    if (!block->closed && *json.at == ']') {
        block->closed = true;
        json.at++;
        ez_json_spaces(&json);
    }
    bool ended = json.at == json.end || block->closed;
    if (block->closed && json.at != json.end)
        ez_json_expected(&json, "the end of the file after the array");
    else if (ended && block->last && !block->closed)
        ez_json_expected(&json, "\"]\" at the end of the array");
    else if (!ended && parse_record(&json, &record))
        end_element(&json, block);
    if (json.wrong)
        return fault_at(&json, "JSON", fault);
    block->at = ended ? block->text.used : (size_t)(json.at - (char *)block->text.data);
    block->line = json.line;
    return ended ? 0 : record_end(&record, fault);
}

const ez_record_reader ez_jsonl_reader = {"jsonl", next_jsonl, ez_cut_lines, NULL};
const ez_record_reader ez_json_reader = {"json", next_of_array, cut_array, begin_array};
