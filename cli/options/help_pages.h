/* Pages made from the tables of options: help on the terminal, man page, Markdown page, shell
 * completion. */
#ifndef CLI_HELP_PAGES_H
#define CLI_HELP_PAGES_H

#include "options/options.h"

void help_overview(void);
void help_command(const cli_command *command);
void help_man_page(void);
void help_markdown(void);
void help_bash_completion(void);

/* What an option looks like: "-k, --topics K". */
void help_option_form(const cli_option *option, char *text, size_t size);

/* Its text with the default at the end. settings: the command's defaults. */
void help_option_text(const cli_part *part, const cli_option *option, const void *settings,
                      char *text, size_t size);

/* One sentence on what the program is, shared by all pages. */
extern const char help_purpose[];

/* What the exit statuses mean, as text. */
extern const char help_exit_status[];

#endif
