/* Inputs of text as records. One thread at a time reads blocks of whole records, in order; many
 * threads parse them. There is one reader per format (formats/line_records.c, csv.c, jsonl.c,
 * file_documents.c); text_pipeline.h works with any of them. */
#ifndef EZ_TEXT_SOURCE_H
#define EZ_TEXT_SOURCE_H

#include "base/memory.h"
#include "corpus/formats/file_choice.h"
#include "corpus/input/encoding_tally.h"
#include "corpus/input/input.h"
#include "corpus/input/line_mender.h"
#include "corpus/input/zip_archive.h"
#include "corpus/pages/page_set.h"
#include "corpus/text/rules/rule_settings.h"
#include "corpus/text/string_table.h"
#include "corpus/text/text_split.h"

enum { EZ_BLOCK_BYTES = 1 << 20, EZ_RECORD_BYTES = 1 << 30 };

/* Slots for the fields of a record that are used. The name of a document is EZ_SLOT_NAME, else
 * EZ_SLOT_NAME_ELSE, else its line number. */
enum { EZ_SLOT_TEXT, EZ_SLOT_NAME, EZ_SLOT_NAME_ELSE, EZ_SLOT_LABEL, EZ_SLOT_KEPT };

typedef struct ez_field_plan {
    uint32_t slots;      /* EZ_SLOT_KEPT, then the kept fields, then the parts of the text */
    uint32_t text_parts; /* first slot of the parts of the text; `slots` if it has one field */
    const char **names;  /* the field of each slot; NULL: none */
    bool name_given, label_given;
    bool name_kept; /* "name" is to be kept and no field was named for names: "id" must be absent */
    bool optional;  /* the fields are those of earlier text: records may lack them */
    char *copy;     /* the lists of fields, split into names */
} ez_field_plan;

ezlda_status ez_field_plan_init(ez_field_plan *plan, ezlda_context *context,
                                const ezlda_import_options *options);
void ez_field_plan_free(ez_field_plan *plan);
/* Fails: a field "name" or "label" cannot be kept beside the names or labels of the documents. */
ezlda_status ez_refuse_kept(ezlda_context *context, const char *name);
/* Whether the user named the field of a slot, so that some record must have it. */
bool ez_slot_asked(const ez_field_plan *plan, uint32_t slot);

typedef struct ez_span {
    char *at; /* NULL: the record has no such field */
    size_t n;
} ez_span;

/* Fills the slot of the text from its parts, separated by newlines, in `room`. If the record has a
 * field whose name is the whole list, that field is the text. */
ezlda_status ez_join_text(const ez_field_plan *plan, ezlda_context *context, ez_span *slots,
                          ez_buffer *room);

typedef struct ez_block {
    ez_buffer text;     /* whole records, the last byte is '\n' */
    size_t at;          /* first byte not yet parsed */
    uint64_t line;      /* its line, from 1 */
    size_t input;       /* index of its path */
    uint64_t number;    /* number of the block, from 0 */
    size_t file, files; /* directory only: next file, and end of the files of the block */
    bool last;          /* the input ends with this block */
    bool closed;        /* JSON array only: its end was read */
    ez_buffer pieces;   /* JSON only: values of lists, until the record is complete */
    ez_buffer joined;   /* JSON only: lists as text */
    /* What the lines of the block that are not UTF-8 are encoded in; empty: not known yet. */
    char encoding[EZ_ENCODING_NAME];
    ez_buffer mended;          /* room for their conversion */
    ez_encoding_tally *tally;  /* counts the encodings of files and lines; NULL: not counted */
    ez_page_set pages;         /* directory only: documents of the file that was read last */
    ez_page_tally *page_tally; /* counts files by kind; NULL: not counted */
} ez_block;

void ez_block_free(ez_block *block);

/* An error in a record. It is kept, so that the first in the order of the input is reported,
 * whichever thread found it. */
typedef struct ez_fault {
    const char *path; /* NULL: the block's input */
    uint64_t line;    /* 0: none */
    ezlda_status status;
    char text[512]; /* empty: the context has the message */
} ez_fault;

/* Fills a fault and returns -1, as ez_record_fn does. */
int ez_fault_set(ez_fault *fault, uint64_t line, const char *format, ...) EZ_PRINTF(3, 4);

typedef struct ez_text_source ez_text_source;

/* Parses the next record of a block: returns 1 and its slots, 0 at the end, or -1 and a fault.
 * Values stay valid until the next call. */
typedef int (*ez_record_fn)(const ez_text_source *source, ezlda_context *context, ez_block *block,
                            ez_span *slots, uint64_t *line, ez_fault *fault);

typedef struct ez_record_reader {
    const char *format;
    ez_record_fn next;
    /* The end of the last whole record of text[from, n); `from` if no record is whole. */
    size_t (*cut)(const ez_text_source *source, size_t input, const char *text, size_t from,
                  size_t n);
    /* Reads the header of an input from its first bytes; NULL: the format has none. */
    ezlda_status (*begin)(ez_text_source *source, ezlda_context *context, ez_block *block);
} ez_record_reader;

extern const ez_record_reader ez_text_reader, ez_mallet_reader, ez_csv_reader, ez_tsv_reader,
    ez_jsonl_reader, ez_json_reader, ez_directory_reader;

typedef struct ez_csv_layout {
    size_t columns;
    size_t *column_of; /* column of each slot; SIZE_MAX: none */
    char separator;
} ez_csv_layout;

/* A file that is one document: in a folder or an archive, or named itself. */
typedef struct ez_source_file {
    size_t name;   /* offset in file_names */
    size_t input;  /* index of the path that it is below */
    size_t member; /* its number in the archive; EZ_PLAIN_FILE, or EZ_PIPED_FILE: see piped */
} ez_source_file;

#define EZ_PLAIN_FILE SIZE_MAX
#define EZ_PIPED_FILE (SIZE_MAX - 1)

struct ez_text_source {
    const ez_record_reader *reader;
    const ez_field_plan *plan;
    const char *const *paths;
    size_t n_paths, path;                 /* path: index of the one being read */
    const char *encoding;                 /* encoding of the text; NULL: found for each file */
    ez_encoding_tally tally;              /* encodings of the inputs that were opened */
    char line_encoding[EZ_ENCODING_NAME]; /* encoding of the lines of this input that are not UTF-8
                                           */
    ez_input *input;                      /* NULL: the path is not open yet */
    ez_buffer rest;                       /* bytes after the last whole record */
    bool at_start;                        /* no block of this input was returned yet */
    bool ends_in_cr;                      /* the lines of this input end in CR alone */
    uint64_t line, blocks;
    ez_csv_layout *layouts; /* by path, complete before the first block of the path is returned */
    /* Members of the directory reader. */
    ez_buffer file_names; /* full paths, each with its NUL */
    ez_buffer files;      /* ez_source_file, in order */
    size_t n_files, file; /* file: index of the next one */
    ez_zip **archives;    /* by path; NULL: not an archive */
    ez_buffer *piped;     /* by path: the content of an input that can be read only once */
    ez_file_choice choice;
    struct ez_record_feed *feed; /* handed records only (formats/handed_records.h) */
    bool reads_pages;            /* HTML, XML and Markdown are read as such */
    ez_page_kind page_kind;      /* kind of all files; EZ_PAGE_KINDS: each is recognised */
    ez_page_tally page_tally;
    /* Members of any format. */
    ez_split split;
    char field_list[512];      /* names of the fields there are, for messages */
    ez_rule_settings settings; /* how the text is read; moved to the job */
};

/* first: the input of the first path if it is open already, else NULL; the source closes it. */
ezlda_status ez_text_source_init(ez_text_source *source, ezlda_context *context,
                                 const ez_record_reader *reader, const ez_field_plan *plan,
                                 const char *const *paths, size_t n_paths, ez_input *first);
/* Prepares the first block. Call it after the members that are options are set: encoding, choice,
 * split. */
ezlda_status ez_text_source_open(ez_text_source *source, ezlda_context *context);
/* Reads the next block; *more is false at the end. */
ezlda_status ez_text_source_next(ez_text_source *source, ezlda_context *context, ez_block *block,
                                 bool *more);
const char *ez_text_source_name(const ez_text_source *source, size_t path); /* for messages */
void ez_text_source_free(ez_text_source *source);

/* Checks that the rest of a block is UTF-8 without NUL; returns 0, or -1 and a fault. If no
 * encoding was given, lines that are not UTF-8 are converted. */
int ez_block_check(const ez_text_source *source, ezlda_context *context, ez_block *block,
                   ez_fault *fault);
/* Converts the lines of a block that are not UTF-8 and says what was converted; returns 0, or -1
 * and a fault. */
int ez_block_mend(ezlda_context *context, ez_block *block, ez_mended *mended, ez_fault *fault);
/* Counts converted lines of a file that is UTF-8 otherwise. */
void ez_block_count_lines(const ez_block *block, const char *path, const ez_mended *mended);
/* Checks any text; `line` is its first line. */
int ez_text_check(const char *text, size_t n, uint64_t line, ez_fault *fault);

/* Functions that readers share. */
size_t ez_cut_lines(const ez_text_source *source, size_t input, const char *text, size_t from,
                    size_t n);
void ez_record_clear(const ez_field_plan *plan, ez_span *slots);
/* Lists the files below the paths of a source; done by ez_text_source_open. */
ezlda_status ez_directory_list(ez_text_source *source, ezlda_context *context);
/* Adds the files of an archive; part of ez_directory_list. */
ezlda_status ez_archive_list(ez_text_source *source, ezlda_context *context, size_t input);
void ez_directory_free(ez_text_source *source);
bool ez_directory_next(ez_text_source *source, ez_block *block);
/* Finds the fields of a table in its first bytes (field_sample.h). `text` ends with a newline and
 * is changed. */
struct ez_field_sample;
ezlda_status ez_csv_sample(struct ez_field_sample *sample, ezlda_context *context, char separator,
                           char *text, size_t n);
void ez_csv_layouts_free(ez_csv_layout *layouts, size_t n);

#endif
