/* What the commands share: the list of commands, one-line failures, settings that every command
 * has. */
#ifndef CLI_H
#define CLI_H

#include "ezlda.h"
#include "options/options.h"

#include <stdio.h>

enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_USAGE = 2 };

/* Every command's settings open with these. */
typedef struct cli_common {
    int help;
    int quiet;
    int threads;
} cli_common;

extern const cli_command cmd_import, cmd_train, cmd_sweep, cmd_plan, cmd_infer, cmd_eval,
    cmd_topics, cmd_docs, cmd_report, cmd_diff, cmd_export, cmd_synth, cmd_info, cmd_devices,
    cmd_bench, cmd_help, cmd_version;

/* All commands in the order of the help, ended by NULL. */
extern const cli_command *const cli_commands[];

/* --threads, --quiet, --help: a part of every command that reads or writes corpora or models. */
extern const cli_option cli_common_options[];

/* What --device takes. */
extern const char *const cli_devices[];

/* How raw corpora are read: a part of every command that takes them. Targets lie in an
 * ezlda_import_options. */
extern const cli_option cli_import_options[];
extern const cli_option
    cli_filter_options[]; /* of the words by their counts: where a vocabulary is made */
/* --keep-order, for commands that do something with it; in an ezlda_import_options too. */
extern const cli_option cli_order_options[];

/* One line "ezlda: MESSAGE" on standard error, control characters escaped; the exit status is
 * returned. */
int cli_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_fail_errno(const char *path, const char *what);
/* Failures from here on name the rank, where there are several. */
void cli_name_rank(int rank, int ranks);
/* The same for a misuse of a command; the line ends by naming its help. */
int cli_misuse(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same with the context's text: a misuse where the library found an argument wrong, else a
 * failure. */
int cli_fail_library(const ezlda_context *context, ezlda_status status);

/* Text behind the byte order mark that it may open with. */
const char *cli_behind_mark(const char *text);

/* Remarks of the library, one line each on standard error; the library's callback. */
void cli_note(ezlda_note_level level, const char *text, void *user);
/* The same for --quiet: failures only. */
void cli_note_failure(ezlda_note_level level, const char *text, void *user);

/* realloc and calloc that end the program with a clear line where memory lacks. */
void *cli_grow(void *array, size_t n, size_t size);
void *cli_zeroed(size_t n, size_t size);

/* Whether a file opens with the magic word of a model, damaged or not. */
bool cli_is_model(const char *path);

/* Where a command's closing lines go: standard output, or standard error where an output file is
 * the former. */
FILE *cli_closing(void);
void cli_take_stdout(void);

/* Reads the operands as one corpus; the library's remarks are shown where that succeeds. */
ezlda_status cli_read_corpus(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                             const ezlda_import_options *options);
/* The same for operands behind a model, whose text is read as the model's was. */
ezlda_status cli_read_corpus_like(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                                  const ezlda_model *model, ezlda_import_options *options);
/* Which of the options' defaults were asked for. */
void cli_given_rules(const cli_call *call, ezlda_import_options *options);
/* Stop words of such a corpus, where none are named: those of the model, or none. */
extern const char cli_model_stopwords[];
/* "N documents, N words, N tokens" of a corpus, after `what` and a colon. */
void cli_print_corpus(const char *what, const ezlda_corpus *corpus);

#endif
