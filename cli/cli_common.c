/* Messages, memory and reading of corpora, shared by all commands. */
#include "cli.h"

#include "output/text_out.h"
#include "platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cli_option cli_common_options[] = {
    {.name = "threads",
     .type = CLI_INT,
     .argument = "N",
     .target = offsetof(cli_common, threads),
     .least = 1,
     .most = 4096,
     .unset = "OMP_NUM_THREADS, or one per processor",
     .help = "number of threads; results do not depend on it"},
    {.name = "quiet",
     .letter = 'q',
     .type = CLI_FLAG,
     .target = offsetof(cli_common, quiet),
     .help = "print errors only: no notes, progress or closing summary"},
    {.name = "help",
     .letter = 'h',
     .type = CLI_FLAG,
     .target = offsetof(cli_common, help),
     .help = "show this help"},
    {.name = "help-all",
     .type = CLI_FLAG,
     .target = offsetof(cli_common, help_all),
     .help = "show the help with every option"},
    {0}};

const char *const cli_devices[] = {"auto", "cuda",      "cuda:N,...", "cuda:all",
                                   "cpu",  "reference", NULL};

/* ---- messages ---- */

static void put_line(const char *prefix, const char *message)
{
    char room[16384] = "";
    cli_text line = TEXT_IN(room);
    text_printf(&line, "%s", prefix);
    text_shown(&line, message);
    fflush(stdout);
    fprintf(stderr, "%s\n", line.data);
}

static char failure_prefix[32] = "ezlda: ";

void cli_name_rank(int rank, int ranks)
{
    if (ranks > 1)
        snprintf(failure_prefix, sizeof failure_prefix, "ezlda: rank %d: ", rank);
}

static void put_message(const char *prefix, const char *format, va_list args)
{
    char message[4096];
    vsnprintf(message, sizeof message, format, args);
    put_line(prefix, message);
}

int cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_message(failure_prefix, format, args);
    va_end(args);
    return CLI_FAILURE;
}

int cli_fail_errno(const char *path, const char *what)
{
    return cli_fail("%s: cannot %s: %s", path, what, strerror(errno));
}

const char *cli_skip_mark(const char *text)
{
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

int cli_misuse(const cli_command *command, const char *format, ...)
{
    char message[4096];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(message, sizeof message, format, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n < sizeof message ? (size_t)n : sizeof message - 1;
    snprintf(message + used, sizeof message - used, " (see 'ezlda help%s%s')", command ? " " : "",
             command ? command->name : "");
    put_line(failure_prefix, message);
    return CLI_USAGE;
}

/* What to do about the error of the library that is printed next. */
static char failure_advice[512];

int cli_fail_library(const ezlda_context *context, ezlda_status status)
{
    const char *message = ezlda_error_message(context);
    cli_text text = {0};
    text_printf(&text, "%s%s", message[0] ? message : ezlda_status_name(status), failure_advice);
    put_line(failure_prefix, text.data);
    text_free(&text);
    return status == EZLDA_ERROR_ARGUMENT ? CLI_USAGE : CLI_FAILURE;
}

void cli_note(ezlda_note_level level, const char *text, void *user)
{
    (void)level;
    (void)user;
    put_line("", text);
}

void cli_note_failure(ezlda_note_level level, const char *text, void *user)
{
    if (level == EZLDA_NOTE_FAILURE)
        cli_note(level, text, user);
}

/* The library's callback while a corpus is read. Notes are held back: if reading fails, only the
 * error is printed. */
static void hold_note(ezlda_note_level level, const char *text, void *user)
{
    (void)level;
    text_shown(user, text);
    text_put(user, "\n", 1);
}

static bool stdout_reserved;

void cli_reserve_stdout(void)
{
    stdout_reserved = true;
}

FILE *cli_closing(void)
{
    return stdout_reserved ? stderr : stdout;
}

/* ---- memory ---- */

static void *or_end(void *memory)
{
    if (memory)
        return memory;
    fputs("ezlda: not enough memory\n", stderr);
    exit(CLI_FAILURE);
}

void *cli_grow(void *array, size_t n, size_t size)
{
    size_t bytes;
    bool fits = !__builtin_mul_overflow(n ? n : 1, size, &bytes);
    return or_end(fits ? realloc(array, bytes) : NULL);
}

void *cli_zeroed(size_t n, size_t size)
{
    return or_end(calloc(n ? n : 1, size));
}

/* ---- corpora ---- */

bool cli_is_model(const char *path)
{
    char magic[8] = {0};
    platform_info info;
    FILE *file =
        platform_look(path, &info) == 0 && info.is_regular ? platform_open(path, "rb") : NULL;
    if (!file)
        return false;
    bool model =
        fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "EZLDAMDL", 8) == 0;
    fclose(file);
    return model;
}

ezlda_status cli_load_model(ezlda_model **out, ezlda_context *context, const cli_call *call)
{
    ezlda_status status = ezlda_model_load(out, context, call->operands[0]);
    if (status != EZLDA_ERROR_FORMAT || cli_is_model(call->operands[0]))
        return status;
    snprintf(failure_advice, sizeof failure_advice, " (ezlda train makes models)");
    for (size_t i = 1; i < call->n_operands; i++)
        if (cli_is_model(call->operands[i]))
            snprintf(failure_advice, sizeof failure_advice,
                     " (the model comes first: ezlda %s %.200s %.200s)", call->command->name,
                     call->operands[i], call->operands[0]);
    return status;
}

ezlda_status cli_read_corpus(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                             const ezlda_import_options *options)
{
    const cli_common *common = call->settings;
    cli_text notes = {0};
    if (!common->quiet)
        ezlda_context_set_notes(context, hold_note, &notes);
    ezlda_status status =
        ezlda_corpus_read(out, context, call->operands, call->n_operands, options);
    ezlda_context_set_notes(context, common->quiet ? cli_note_failure : cli_note, NULL);
    if (status == EZLDA_OK && notes.n)
        fputs(notes.data, stderr);
    text_free(&notes);
    return status;
}

const char cli_model_stopwords[] = "the model's";

void cli_given_rules(const cli_call *call, ezlda_import_options *options)
{
    options->min_length_given = cli_given(call, "min-length");
    options->ngrams_given = cli_given(call, "ngrams");
}

ezlda_status cli_read_corpus_like(ezlda_corpus **out, ezlda_context *context, const cli_call *call,
                                  const ezlda_model *model, ezlda_import_options *options)
{
    cli_call inputs = *call;
    inputs.operands++;
    inputs.n_operands--;
    options->like = ezlda_model_reading_rules(model);
    cli_given_rules(call, options);
    if (options->stopwords == cli_model_stopwords)
        options->stopwords = NULL;
    return cli_read_corpus(out, context, &inputs, options);
}

void cli_print_corpus(const char *what, const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    char docs[32], words[32], tokens[32], text[32];
    cli_text line = {0};
    text_shown(&line, what);
    text_printf(&line, ": %s documents, %s words, %s tokens", text_count(info.docs, docs),
                text_count(info.words, words), text_count(info.tokens, tokens));
    if (info.has_text)
        text_printf(&line, ", text kept in %s", text_bytes(info.text_bytes, text));
    fprintf(cli_closing(), "%s\n", line.data);
    text_free(&line);
}
