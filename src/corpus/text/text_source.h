/* Text inputs as records: blocks of whole records are read in order by one thread at a time, parsed
 * by many.
 *
 * One reader a format (line_records.c, csv.c, jsonl.c, directory.c); text_pipeline.h works with any
 * of them. */
#ifndef EZ_TEXT_SOURCE_H
#define EZ_TEXT_SOURCE_H

#include "base/memory.h"
#include "corpus/input/input.h"
#include "corpus/text/string_table.h"

enum { EZ_BLOCK_BYTES = 1 << 20, EZ_RECORD_BYTES = 1 << 30 };

/* What is wanted of a record. The name is taken from EZ_SLOT_NAME, else from EZ_SLOT_NAME_ELSE,
 * else it is the line. */
enum { EZ_SLOT_TEXT, EZ_SLOT_NAME, EZ_SLOT_NAME_ELSE, EZ_SLOT_LABEL, EZ_SLOT_KEPT };

typedef struct ez_field_plan {
    uint32_t slots;      /* EZ_SLOT_KEPT, the kept fields, the parts of the text */
    uint32_t text_parts; /* first slot of the fields that the text is joined of, where a list names
                            it; else `slots` */
    const char **names;  /* the field each slot is filled from; NULL: none */
    bool name_given, label_given;
    bool name_kept; /* "name" is to be kept, and no field was named for names: "id" must not come
                       before it */
    char *copy;     /* of lists of fields, cut into names */
} ez_field_plan;

ezlda_status ez_field_plan_init(ez_field_plan *plan, ezlda_context *context,
                                const ezlda_import_options *options);
void ez_field_plan_free(ez_field_plan *plan);
/* Fails: "name" or "label" cannot be kept beside the documents' own. */
ezlda_status ez_refuse_kept(ezlda_context *context, const char *name);
bool ez_slot_asked(const ez_field_plan *plan,
                   uint32_t slot); /* whether a field was named that must be somewhere */

typedef struct ez_span {
    char *at; /* NULL: the record has no such field */
    size_t n;
} ez_span;

/* Fills the text's slot from its parts, a newline between them, in `room`. A field whose name is
 * the whole list is the text as it is, and stands for all parts. */
ezlda_status ez_join_text(const ez_field_plan *plan, ezlda_context *context, ez_span *slots,
                          ez_buffer *room);

typedef struct ez_block {
    ez_buffer text;     /* whole records; the last byte is '\n' */
    size_t at;          /* first byte not yet parsed */
    uint64_t line;      /* its line, from 1 */
    size_t input;       /* which path it came from */
    uint64_t number;    /* of the block, from 0 */
    size_t file, files; /* directory: next file and end of the block's files */
} ez_block;

/* What is wrong with a record, so that the first in input order is reported whichever thread met
 * it. */
typedef struct ez_fault {
    const char *path; /* NULL: the block's input */
    uint64_t line;    /* 0: no line to tell */
    ezlda_status status;
    char text[512]; /* empty: the context has the text */
} ez_fault;

/* Fills a fault; returns -1, what ez_record_fn returns then. */
int ez_fault_set(ez_fault *fault, uint64_t line, const char *format, ...) EZ_PRINTF(3, 4);

typedef struct ez_text_source ez_text_source;

/* The next record of a block: 1 and its slots, 0 at the end, -1 and a fault. Values stay until the
 * next call. */
typedef int (*ez_record_fn)(const ez_text_source *source, ezlda_context *context, ez_block *block,
                            ez_span *slots, uint64_t *line, ez_fault *fault);

typedef struct ez_record_reader {
    const char *format;
    ez_record_fn next;
    /* Start of the last record that is not whole, at least `from`; `from` itself where none is. */
    size_t (*cut)(const ez_text_source *source, size_t input, const char *text, size_t from,
                  size_t n);
    /* Reads what opens an input (a header) from its first bytes; NULL: nothing does. */
    ezlda_status (*begin)(ez_text_source *source, ezlda_context *context, ez_block *block);
} ez_record_reader;

extern const ez_record_reader ez_text_reader, ez_mallet_reader, ez_csv_reader, ez_tsv_reader,
    ez_jsonl_reader, ez_directory_reader;

typedef struct ez_csv_layout {
    size_t columns;
    size_t *column_of; /* of each slot; SIZE_MAX: none */
    char separator;
} ez_csv_layout;

typedef struct ez_source_file {
    size_t name;  /* where in file_names */
    size_t input; /* the path it lies below */
} ez_source_file;

struct ez_text_source {
    const ez_record_reader *reader;
    const ez_field_plan *plan;
    const char *const *paths;
    size_t n_paths, path; /* path: the one being read */
    const char *encoding; /* of the text; NULL: UTF-8 */
    ez_input *input;      /* NULL: path not yet opened */
    ez_buffer rest;       /* read, but behind the last whole record */
    bool at_start;        /* nothing of the input has been handed out */
    uint64_t line, blocks;
    ez_csv_layout *layouts; /* of each path, complete before its first block is handed out */
    ez_buffer file_names;   /* directory: full paths, each with its NUL */
    ez_buffer files;        /* ... ez_source_file, in order */
    size_t n_files, file;   /* ... the next one */
};

/* first: the first path's input where it is open already (taken over), else NULL. */
ezlda_status ez_text_source_init(ez_text_source *source, ezlda_context *context,
                                 const ez_record_reader *reader, const ez_field_plan *plan,
                                 const char *const *paths, size_t n_paths, ez_input *first);
/* The next block; *more false at the end. */
ezlda_status ez_text_source_next(ez_text_source *source, ezlda_context *context, ez_block *block,
                                 bool *more);
const char *ez_text_source_name(const ez_text_source *source, size_t path); /* for messages */
void ez_text_source_free(ez_text_source *source);

/* Checks that what is left of a block is UTF-8 without NUL. */
int ez_block_check(const ez_block *block, ez_fault *fault);
/* The same for any text, whose first line is `line`. */
int ez_text_check(const char *text, size_t n, uint64_t line, ez_fault *fault);

/* Parts of the readers, for each other. */
size_t ez_cut_lines(const ez_text_source *source, size_t input, const char *text, size_t from,
                    size_t n);
void ez_slots_clear(const ez_field_plan *plan, ez_span *slots);
ezlda_status ez_directory_list(ez_text_source *source, ezlda_context *context);
bool ez_directory_next(ez_text_source *source, ez_block *block);
void ez_csv_layouts_free(ez_csv_layout *layouts, size_t n);

#endif
