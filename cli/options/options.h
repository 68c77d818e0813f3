/* Options by table. A command has tables of options, one per section of its help. Parsing, --help,
 * the man page, the Markdown page and shell completion are all made from them. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "ezlda.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_type {
    CLI_FLAG,     /* int: becomes 1, or 0 if `off` is set */
    CLI_TEXT,     /* const char * */
    CLI_INT,      /* int, least to most */
    CLI_U32,      /* uint32_t, least to most */
    CLI_U64,      /* uint64_t, least to most */
    CLI_BYTES,    /* uint64_t above 0; k, M, G or T after the number multiplies by powers of 1000 */
    CLI_BITS,     /* the same in bits per second */
    CLI_REAL,     /* double, least to most */
    CLI_POSITIVE, /* double above 0, and up to `most` if that is not 0 */
    CLI_CHOICE,   /* an enum: the index in choices */
    CLI_NAME /* const char *: one of choices; ":N" in a choice stands for a whole number, "..." for
                more of them */
} cli_type;

typedef struct cli_option {
    const char *name; /* long, without "--"; NULL ends a table */
    char letter;      /* short, or 0 */
    cli_type type;
    const char *argument; /* name of the value in the help; NULL for a flag */
    size_t target;        /* offset in the section's struct */
    double least, most;
    const char *const *choices; /* ended by NULL */
    bool required;
    bool off;          /* of a flag */
    const char *unset; /* default to show if the settings hold 0 or NULL; NULL: show none */
    const char *help;
} cli_option;

/* A table of options whose targets lie in one struct, `base` bytes into the command's settings. */
typedef struct cli_section {
    const char *title; /* heading of the help; "": continues the section above; NULL: the end */
    const cli_option *options;
    size_t base;
} cli_section;

enum { CLI_MAX_OPTIONS = 128 };

typedef struct cli_call cli_call;

typedef struct cli_command {
    const char *name;
    const char *operands;    /* as in the synopsis: "CORPUS... -k K -o MODEL" */
    const char *summary;     /* one line, no full stop */
    const char *description; /* paragraphs separated by "\n\n" */
    const char *examples;    /* lines, each a command */
    const cli_section *sections;
    size_t settings_size;
    void (*defaults)(void *settings); /* fills settings; NULL: zeros */
    int (*run)(cli_call *call, ezlda_context *context);
    size_t min_operands, max_operands;
    const char *const *first_options; /* those of the short help, ended by NULL; NULL: all */
    const char *operand_name;         /* name of a missing operand in the message */
} cli_command;

/* A command as it was called. */
struct cli_call {
    const cli_command *command;
    void *settings;
    const char **operands;
    size_t n_operands;
    bool given[CLI_MAX_OPTIONS]; /* by the option's number, counted over all sections */
};

/* Parses the arguments after the command's name. 0, or CLI_USAGE after one line on standard error.
 * The call is freed by cli_call_free in any case. Parsing ends at --help. */
int cli_parse(cli_call *call, const cli_command *command, int argc, char **argv);
void cli_call_free(cli_call *call);

/* Whether an option was given, by its long name. */
bool cli_given(const cli_call *call, const char *name);

/* New settings with their defaults; freed with free. */
void *cli_default_settings(const cli_command *command);

/* The default of an option as text, "" if there is none to show. */
void cli_default_text(const cli_option *option, const void *target, char *text, size_t size);

/* The option's value as messages name it: its argument, or its choices as "a, b, c". */
void cli_value_name(const cli_option *option, char *text, size_t size);

/* Strict numbers: digits only. False if the text is not a number or does not fit. */
bool cli_parse_u64(const char *text, uint64_t *value);
/* Decimal notation with an optional sign and exponent; no hexadecimal, infinity or NaN. */
bool cli_parse_real(const char *text, double *value);

/* The candidate nearest to a misspelt word, NULL if none is near. Candidates end with NULL. */
const char *cli_nearest(const char *word, const char *const *candidates);

#endif
