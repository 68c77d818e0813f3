/* Reads files as documents: plain text is one document per file, pages (page_reader.h) have fields
 * and may have several documents. */
#include "base/os/os_files.h"
#include "corpus/input/line_mender.h"
#include "corpus/input/utf8.h"
#include "corpus/pages/page_reader.h"
#include "corpus/text/text_source.h"

#include <stdio.h>
#include <string.h>

typedef struct file_encoding {
    ez_encoding_guess guess;
    bool misread;  /* the encoding that was given is probably wrong */
    bool declared; /* by the page itself */
} file_encoding;

static ez_page_kind kind_of(const ez_text_source *source, const char *path, const char *head,
                            size_t n)
{
    if (!source->reads_pages)
        return EZ_PAGE_TEXT;
    bool recognised = source->page_kind == EZ_PAGE_KINDS;
    if (recognised)
        return ez_page_kind_of(path, head, n);
    bool tei = source->page_kind == EZ_PAGE_XML && ez_page_kind_of("xml", head, n) == EZ_PAGE_TEI;
    return tei ? EZ_PAGE_TEI : source->page_kind;
}

/* Finds the encoding of a file: what a page declares, else a guess. */
static ezlda_status find_encoding(const ez_text_source *source, ezlda_context *context,
                                  ez_input *input, const char *path, file_encoding *encoding)
{
    const unsigned char *head;
    const ez_encoding_guess *found;
    size_t n;
    EZ_TRY(ez_input_peek(input, context, &head, &n));
    encoding->declared = kind_of(source, path, (const char *)head, n) != EZ_PAGE_TEXT &&
                         ez_page_charset((const char *)head, n, encoding->guess.name);
    if (encoding->declared)
        return EZLDA_OK;
    EZ_TRY(ez_input_find_encoding(input, context, &found));
    encoding->guess = *found;
    return EZLDA_OK;
}

/* Opens a file of a folder or of an archive. *encoding: what was found, if none is given. */
static ezlda_status open_file(const ez_text_source *source, ezlda_context *context,
                              const ez_source_file *file, ez_input **input, file_encoding *encoding)
{
    const char *path = (const char *)source->file_names.data + file->name;
    ez_buffer bytes = {0};
    ezlda_status status = EZLDA_OK;
    if (file->member == EZ_PLAIN_FILE) {
        status = ez_input_open_text(input, context, path, source->encoding);
    } else {
        status = ez_zip_read(source->archives[file->input], context, file->member, &bytes);
        if (status == EZLDA_OK)
            status = ez_input_open_bytes(input, context, path, &bytes);
        if (status == EZLDA_OK && source->encoding)
            status = ez_input_decode(*input, context, source->encoding);
        ez_free(bytes.data);
    }
    if (status == EZLDA_OK && !source->encoding)
        status = find_encoding(source, context, *input, path, encoding);
    else if (status == EZLDA_OK)
        encoding->misread = ez_input_seems_utf8(*input);
    return status;
}

static ezlda_status read_file(const ez_text_source *source, ezlda_context *context,
                              const ez_source_file *file, ez_buffer *text, file_encoding *encoding)
{
    if (file->member == EZ_PIPED_FILE) {
        const ez_buffer *piped = &source->piped[file->input];
        text->used = 0;
        return ez_buffer_append(text, context, piped->data, piped->used);
    }
    ez_input *input = NULL;
    ezlda_status status = open_file(source, context, file, &input, encoding);
    if (status == EZLDA_OK)
        status = ez_input_read_all(input, context, text);
    ez_input_close(input);
    return status;
}

/* The name is the path below the directory or archive (including it, if there are several inputs).
 * The label is the last directory of that path, unless it is "." or "..". A file that is the only
 * input has its own name, and no label. */
static void name_document(const ez_text_source *source, size_t input, char *path, ez_span *slots)
{
    size_t base = strlen(source->paths[input]);
    ez_os_use_slashes(path);
    char *name = source->n_paths > 1 ? path : path + base + (path[base] == '/'),
         *slash = strrchr(path, '/');
    if (!*name)
        name = slash ? slash + 1 : path;
    slots[EZ_SLOT_NAME] = (ez_span){name, strlen(name)};
    char *end = strrchr(name, '/');
    if (!end)
        return;
    while (end > name && end[-1] == '/')
        end--; /* the directory was given as "x//" */
    char *start = end;
    while (start > name && start[-1] != '/')
        start--;
    size_t n = (size_t)(end - start);
    bool dots = (n == 1 && start[0] == '.') || (n == 2 && start[0] == '.' && start[1] == '.');
    if (n && !dots)
        slots[EZ_SLOT_LABEL] = (ez_span){start, n};
}

/* Converts the lines of a file that are not UTF-8. A page may declare an encoding that it does not
 * have. */
static int mend_file(ezlda_context *context, ez_block *block, bool declared, ez_mended *mended,
                     ez_fault *fault)
{
    ez_fault wrong = {0};
    if (!declared)
        return ez_block_mend(context, block, mended, fault);
    if (!ez_block_mend(context, block, mended, &wrong))
        return 0;
    block->encoding[0] = '\0';
    return ez_block_mend(context, block, mended, fault);
}

/* Checks that a file is UTF-8, converts its lines that are not, and counts its encoding. */
static int check_file(const ez_text_source *source, ezlda_context *context, ez_block *block,
                      const file_encoding *encoding, ez_fault *fault)
{
    ez_mended mended;
    ez_fault ignored = {0};
    const char *text = (const char *)block->text.data, *name = encoding->guess.name;
    block->at = 0;
    block->line = 1;
    if (encoding->misread && block->tally)
        ez_encoding_tally_misread(block->tally, source->encoding);
    if (source->encoding)
        return ez_text_check(text, block->text.used, 1, fault);
    block->encoding[0] = '\0';
    if (!encoding->guess.whole && strcmp(name, "UTF-8") != 0)
        memcpy(block->encoding, name, sizeof block->encoding);
    name = encoding->declared ? "UTF-8" : name;
    if (ez_text_check(text, block->text.used, 1, &ignored)) {
        if (mend_file(context, block, encoding->declared, &mended, fault))
            return -1;
        name = mended.mixed ? "UTF-8" : mended.encoding;
        if (mended.mixed)
            ez_block_count_lines(block, fault->path, &mended);
    }
    if (block->tally)
        ez_encoding_tally_add(block->tally, name, 1, 0);
    return 0;
}

/* The path of the file that was read last. */
static char *path_of(const ez_text_source *source, const ez_block *block, size_t *input)
{
    const ez_source_file *file =
        (const ez_source_file *)(const void *)source->files.data + block->file - 1;
    *input = file->input;
    return (char *)source->file_names.data + file->name;
}

/* Returns the next document of a page: 1, or 0 if there is none. Fields that were asked for replace
 * its path as its name and its folder as its label. */
static int next_of_page(const ez_text_source *source, ezlda_context *context, ez_block *block,
                        ez_span *slots, ez_fault *fault)
{
    uint64_t number;
    size_t input;
    ez_page_set *pages = &block->pages;
    if (pages->next == ez_page_set_docs(pages))
        return 0;
    char *path = path_of(source, block, &input), ending[32] = "";
    ez_span named[EZ_SLOT_KEPT] = {{0}};
    ez_record_clear(source->plan, slots);
    ez_page_set_next(pages, slots, &number);
    name_document(source, input, path, named);
    if (number)
        snprintf(ending, sizeof ending, "#%llu", (unsigned long long)number);
    pages->name.used = 0;
    fault->status =
        ez_buffer_append(&pages->name, context, named[EZ_SLOT_NAME].at, named[EZ_SLOT_NAME].n);
    if (fault->status == EZLDA_OK)
        fault->status = ez_buffer_append(&pages->name, context, ending, strlen(ending));
    if (fault->status != EZLDA_OK)
        return -1;
    uint32_t slot = source->plan->name_given ? EZ_SLOT_NAME_ELSE : EZ_SLOT_NAME;
    slots[slot] = (ez_span){(char *)pages->name.data, pages->name.used};
    if (!source->plan->label_given)
        slots[EZ_SLOT_LABEL] = named[EZ_SLOT_LABEL];
    return 1;
}

/* Parses the file in the block if it is a page. *read is false if it is read as text. */
static int parse_page(const ez_text_source *source, ezlda_context *context, ez_block *block,
                      ez_page_kind kind, bool *read, ez_fault *fault)
{
    ez_page_set *pages = &block->pages;
    ez_page_fault wrong;
    pages->tally = block->page_tally;
    ez_page_set_begin(pages, source->plan);
    fault->status = ez_page_read(pages, context, kind, (char *)block->text.data, block->text.used,
                                 read, &wrong);
    if (!*read || fault->status != EZLDA_OK)
        ez_page_set_begin(pages, source->plan);
    if (block->page_tally) {
        block->page_tally->files[kind]++;
        block->page_tally->docs[kind] += *read ? ez_page_set_docs(pages) : 1;
        block->page_tally->filtered += !*read && kind != EZ_PAGE_TEXT;
    }
    if (fault->status != EZLDA_OK && wrong.text[0])
        return ez_fault_set(fault, wrong.line,
                            "%s (--keep-markup reads it as plain text, --exclude skips it)",
                            wrong.text);
    return fault->status == EZLDA_OK ? 0 : -1;
}

/* The text of a file that is not a page, or that is read without a parser. */
static void take_text(const ez_text_source *source, ez_block *block, ez_span *slots)
{
    const ez_field_plan *plan = source->plan;
    char *text = (char *)block->text.data;
    size_t n = block->text.used, mark = ez_byte_order_mark(text, n), input;
    char *path = path_of(source, block, &input);
    ez_record_clear(plan, slots);
    name_document(source, input, path, slots);
    if (plan->name_given) {
        slots[EZ_SLOT_NAME_ELSE] = slots[EZ_SLOT_NAME];
        slots[EZ_SLOT_NAME] = (ez_span){0};
    }
    if (plan->label_given)
        slots[EZ_SLOT_LABEL] = (ez_span){0};
    for (uint32_t i = 0; i < plan->slots; i++)
        if (i != EZ_SLOT_NAME && i != EZ_SLOT_LABEL && plan->names[i] &&
            strcmp(plan->names[i], "text") == 0)
            slots[i] = (ez_span){text + mark, n - mark};
}

static int next_file(const ez_text_source *source, ezlda_context *context, ez_block *block,
                     ez_span *slots, uint64_t *line, ez_fault *fault)
{
    bool read = false;
    size_t input;
    *line = 1;
    int got = next_of_page(source, context, block, slots, fault);
    if (got || block->file == block->files)
        return got;
    const ez_source_file *file =
        (const ez_source_file *)(const void *)source->files.data + block->file++;
    fault->path = path_of(source, block, &input);
    fault->line = 0;
    file_encoding encoding = {.guess = {.name = "UTF-8"}};
    fault->status = read_file(source, context, file, &block->text, &encoding);
    if (fault->status != EZLDA_OK)
        return -1;
    if (check_file(source, context, block, &encoding, fault))
        return -1;
    ez_page_kind kind = kind_of(source, fault->path, (char *)block->text.data, block->text.used);
    if (parse_page(source, context, block, kind, &read, fault))
        return -1;
    fault->path = NULL;
    if (read)
        return next_of_page(source, context, block, slots, fault);
    take_text(source, block, slots);
    return 1;
}

const ez_record_reader ez_directory_reader = {"dir", next_file, NULL, NULL};
