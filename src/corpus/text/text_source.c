/* Reads the inputs of a source block by block, cut at the end of a record. */
#include "corpus/text/text_source.h"

#include "corpus/formats/handed_records.h"
#include "corpus/input/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int ez_fault_set(ez_fault *fault, uint64_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    fault->line = line;
    fault->status = EZLDA_ERROR_FORMAT;
    return -1;
}

/* Guesses the encoding from the first bytes that are not UTF-8. */
static const char *likely_encoding(const char *at, size_t n)
{
    bool mark = n >= 2 && (memcmp(at, "\xff\xfe", 2) == 0 || memcmp(at, "\xfe\xff", 2) == 0);
    return mark ? "utf-16" : "latin1 or windows-1252";
}

int ez_text_check(const char *text, size_t n, uint64_t line, ez_fault *fault)
{
    size_t bad = ez_utf8_check(text, n);
    if (bad == n)
        return 0;
    line += ez_count_lines(text, bad);
    unsigned byte = (unsigned char)text[bad];
    if (byte == 0)
        return ez_fault_set(
            fault, line,
            "expected text, found a NUL byte (is this a binary file, or --encoding utf-16?)");
    return ez_fault_set(
        fault, line,
        "expected UTF-8, found the byte 0x%02x (for text in another encoding: --encoding %s)", byte,
        likely_encoding(text + bad, n - bad));
}

void ez_record_clear(const ez_field_plan *plan, ez_span *slots)
{
    memset(slots, 0, plan->slots * sizeof *slots);
}

size_t ez_cut_lines(const ez_text_source *source, size_t input, const char *text, size_t from,
                    size_t n)
{
    (void)source;
    (void)input;
    while (n > from && text[n - 1] != '\n')
        n--;
    return n;
}

const char *ez_text_source_name(const ez_text_source *source, size_t path)
{
    return strcmp(source->paths[path], "-") == 0 ? "standard input" : source->paths[path];
}

ezlda_status ez_text_source_init(ez_text_source *source, ezlda_context *context,
                                 const ez_record_reader *reader, const ez_field_plan *plan,
                                 const char *const *paths, size_t n_paths, ez_input *first)
{
    memset(source, 0, sizeof *source);
    source->reader = reader;
    source->plan = plan;
    source->paths = paths;
    source->n_paths = n_paths;
    source->input = first;
    source->at_start = true;
    source->line = 1;
    source->page_kind = EZ_PAGE_KINDS;
    return ez_array_zero(&source->layouts, context, n_paths, sizeof *source->layouts,
                         "the layout of tables");
}

ezlda_status ez_text_source_open(ez_text_source *source, ezlda_context *context)
{
    return source->reader == &ez_directory_reader ? ez_directory_list(source, context) : EZLDA_OK;
}

void ez_block_free(ez_block *block)
{
    ez_free(block->text.data);
    ez_free(block->pieces.data);
    ez_free(block->joined.data);
    ez_free(block->mended.data);
    ez_page_set_free(&block->pages);
}

void ez_text_source_free(ez_text_source *source)
{
    ez_input_close(source->input);
    ez_free(source->rest.data);
    if (source->layouts)
        ez_csv_layouts_free(source->layouts, source->n_paths);
    ez_directory_free(source);
    ez_rule_settings_free(&source->settings);
    memset(source, 0, sizeof *source);
}

/* Lets the reader parse the header once the first bytes of an input are there. */
static ezlda_status begin_input(ez_text_source *source, ezlda_context *context, ez_block *block)
{
    source->at_start = false;
    bool header = source->reader->begin && block->text.used > block->at;
    return header ? source->reader->begin(source, context, block) : EZLDA_OK;
}

/* Files of old Macintosh programs end their lines in CR alone. */
static void find_line_ends(ez_text_source *source, ezlda_context *context, const ez_buffer *text)
{
    source->ends_in_cr =
        text->used && memchr(text->data, '\r', text->used) && !memchr(text->data, '\n', text->used);
    if (source->ends_in_cr)
        ez_note(context, "%s: lines end in CR, as on old Macintosh computers",
                ez_text_source_name(source, source->path));
}

static void use_newlines(ez_buffer *text, size_t from)
{
    unsigned char *at = text->data + from;
    while ((at = memchr(at, '\r', (size_t)(text->data + text->used - at))))
        *at = '\n';
}

/* Reads until the block has a whole record or the input ends. *cut: the end of the whole records.
 */
static ezlda_status fill(ez_text_source *source, ezlda_context *context, ez_block *block,
                         size_t *cut, bool *ended)
{
    ez_buffer *text = &block->text;
    for (*cut = 0, *ended = false; !*ended && *cut <= block->at;) {
        size_t want = text->used > EZ_BLOCK_BYTES ? text->used : EZ_BLOCK_BYTES, got;
        EZ_TRY(ez_buffer_reserve(text, context, want + 1));
        EZ_TRY(ez_input_read(source->input, context, text->data + text->used, want, &got));
        text->used += got;
        *ended = got < want;
        if (source->at_start) {
            block->at = ez_byte_order_mark((const char *)text->data, text->used);
            find_line_ends(source, context, text);
        }
        if (source->ends_in_cr)
            use_newlines(text, text->used - got);
        if (*ended && text->used > block->at && text->data[text->used - 1] != '\n')
            text->data[text->used++] = '\n';
        if (source->at_start)
            EZ_TRY(begin_input(source, context, block));
        if (*ended)
            *cut = text->used;
        else
            *cut = source->reader->cut(source, source->path, (const char *)text->data, block->at,
                                       text->used);
        if (*cut <= block->at && text->used > EZ_RECORD_BYTES)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s:%llu: a record that begins here is longer than 1 GiB",
                           ez_text_source_name(source, source->path),
                           (unsigned long long)source->line);
    }
    return EZLDA_OK;
}

static void end_input(ez_text_source *source)
{
    ez_input_close(source->input);
    source->input = NULL;
    source->path++;
    source->at_start = true;
    source->line = 1;
}

/* Counts the encoding of an input and keeps that of its lines that are not UTF-8. */
static ezlda_status find_encoding(ez_text_source *source, ezlda_context *context)
{
    const ez_encoding_guess *guess;
    EZ_TRY(ez_input_find_encoding(source->input, context, &guess));
    ez_encoding_tally_add(&source->tally, guess->name, 1, 0);
    bool lines = !guess->whole && strcmp(guess->name, "UTF-8") != 0;
    memcpy(source->line_encoding, lines ? guess->name : "", lines ? sizeof guess->name : 1);
    return EZLDA_OK;
}

static ezlda_status next_of_input(ez_text_source *source, ezlda_context *context, ez_block *block)
{
    size_t cut;
    bool ended;
    block->input = source->path;
    block->line = source->line;
    block->at = 0;
    block->text.used = 0;
    if (!source->input)
        EZ_TRY(ez_input_open_text(&source->input, context, source->paths[source->path],
                                  source->encoding));
    if (source->at_start && !source->encoding)
        EZ_TRY(find_encoding(source, context));
    else if (source->at_start && ez_input_seems_utf8(source->input))
        ez_encoding_tally_misread(&source->tally, source->encoding);
    memcpy(block->encoding, source->line_encoding, sizeof block->encoding);
    EZ_TRY(ez_buffer_append(&block->text, context, source->rest.data, source->rest.used));
    source->rest.used = 0;
    EZ_TRY(fill(source, context, block, &cut, &ended));
    block->last = ended;
    block->closed = false;
    EZ_TRY(
        ez_buffer_append(&source->rest, context, block->text.data + cut, block->text.used - cut));
    block->text.used = cut;
    source->line =
        block->line + ez_count_lines((const char *)block->text.data + block->at, cut - block->at);
    if (ended)
        end_input(source);
    return EZLDA_OK;
}

ezlda_status ez_text_source_next(ez_text_source *source, ezlda_context *context, ez_block *block,
                                 bool *more)
{
    *more = true;
    block->number = source->blocks;
    if (source->reader == &ez_directory_reader) {
        *more = ez_directory_next(source, block);
    } else if (source->feed) {
        EZ_TRY(ez_record_feed_block(source, context, block, more));
    } else {
        do {
            if (source->path == source->n_paths) {
                *more = false;
                return EZLDA_OK;
            }
            EZ_TRY(next_of_input(source, context, block));
        } while (block->at == block->text.used);
    }
    source->blocks += *more;
    return EZLDA_OK;
}
