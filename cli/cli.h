/* What the commands share: the list of commands, the settings that every command has, one-line
 * error messages, memory, and reading corpora. */
#ifndef CLI_H
#define CLI_H

#include "ezlda.h"
#include "options/options.h"
#include "platform.h"

#include <stdio.h>

enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_USAGE = 2 };

/* Every command's settings begin with these. */
typedef struct cli_common {
    int help, help_all;
    int quiet;
    int threads;
} cli_common;

extern const cli_command cmd_import, cmd_train, cmd_update, cmd_edit, cmd_label, cmd_tree,
    cmd_ensemble, cmd_sweep, cmd_plan, cmd_infer, cmd_eval, cmd_effect, cmd_trend, cmd_topics,
    cmd_docs, cmd_report, cmd_serve, cmd_diff, cmd_export, cmd_synth, cmd_info, cmd_devices,
    cmd_bench, cmd_help, cmd_version;

/* All commands in the order of the help; NULL ends the list. */
extern const cli_command *const cli_commands[];

/* --threads, --quiet, --help and --help-all, for every command that reads or writes corpora or
 * models. */
extern const cli_option cli_common_options[];

/* The values of --device. */
extern const char *const cli_devices[];

/* How raw corpora are read, for every command that reads them. Targets lie in an
 * ezlda_import_options. */
extern const cli_option cli_import_options[];
/* Filters of words by their counts, for commands that make a vocabulary. */
extern const cli_option cli_filter_options[];
/* --keep-order, for commands that use word order. */
extern const cli_option cli_order_options[];
/* --keep-text, for commands that write corpora of text. */
extern const cli_option cli_text_options[];

/* Prints one line "ezlda: MESSAGE" on standard error, with control characters escaped, and returns
 * the exit status. */
int cli_fail(const char *format, ...) PLATFORM_PRINTF(1, 2);
int cli_fail_errno(const char *path, const char *what);
/* From here on messages name the rank, if there are several. */
void cli_name_rank(int rank, int ranks);
/* The same for a misuse of a command; the line ends with a pointer to its help. */
int cli_misuse(const cli_command *command, const char *format, ...) PLATFORM_PRINTF(2, 3);
/* The same with the context's text: a misuse if the library rejected an argument. */
int cli_fail_library(const ezlda_context *context, ezlda_status status);

/* Skips a byte order mark at the beginning of the text. */
const char *cli_skip_mark(const char *text);

/* The library's callback for notes: prints each on a line of standard error. */
void cli_note(ezlda_note_level level, const char *text, void *user);
/* The same for --quiet: prints failures only. */
void cli_note_failure(ezlda_note_level level, const char *text, void *user);

/* realloc and calloc that end the program with a clear message if there is not enough memory. */
void *cli_grow(void *array, size_t n, size_t size);
void *cli_zeroed(size_t n, size_t size);

/* Whether a file begins with the magic word of a model, damaged or not. */
bool cli_is_model(const char *path);

/* Loads the first operand. If that is no model, the message says which operand is one, or how to
 * make one; it is then printed by cli_fail_library as usual. */
ezlda_status cli_load_model(ezlda_model **out, ezlda_context *context, const cli_call *call);

/* The stream for a command's closing lines: standard output, or standard error once
 * cli_reserve_stdout has said that an output file is standard output. */
FILE *cli_closing(void);
void cli_reserve_stdout(void);

/* Reads the operands as one corpus; the library's notes are printed if that succeeds. */
ezlda_status cli_read_corpus(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                             const ezlda_import_options *options);
/* The same for operands after a model; text is read as the model's was. */
ezlda_status cli_read_corpus_like(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                                  const ezlda_model *model, ezlda_import_options *options);
/* Notes which rules of reading were given on the command line, even if they equal the defaults. */
void cli_given_rules(const cli_call *call, ezlda_import_options *options);
/* Default of --stopwords for such a corpus: the model's stop words, if it has any. */
extern const char cli_model_stopwords[];
/* Prints "WHAT: N documents, N words, N tokens". */
void cli_print_corpus(const char *what, const ezlda_corpus *corpus);

#endif
