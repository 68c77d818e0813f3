/* What the completion scripts of all shells share: short descriptions of options, made safe for a
 * shell's quotes. */
#ifndef CLI_COMPLETION_WORDS_H
#define CLI_COMPLETION_WORDS_H

#include "options/options.h"

/* Prints the first part of a help text, up to a semicolon, colon, parenthesis or full stop, without
 * characters that end a quoted word or a description. */
void completion_put_text(const char *help);
/* Whether completion offers a fixed set of values, or none, instead of files. */
bool completion_is_closed(const cli_option *option);
/* Prints the fixed values of an option with spaces between them; forms with a number are left to
 * the user. */
void completion_put_values(const cli_option *option);

#endif
