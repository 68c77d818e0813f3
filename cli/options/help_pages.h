/* Pages made from the option tables: help on the terminal (help_pages.c), man page and Markdown
 * page (man_page.c), completion for bash, zsh and fish (completion*.c). */
#ifndef CLI_HELP_PAGES_H
#define CLI_HELP_PAGES_H

#include "options/options.h"

#include <stdbool.h>
#include <stdio.h>

void help_overview(FILE *to);
/* The help of a command; without `all`, only the options that most people use, if the command names
 * them. */
void help_command(const cli_command *command, bool all);
void help_man_page(void);
void help_markdown(void);
void help_bash_completion(void);
void help_zsh_completion(void);
void help_fish_completion(void);

/* An option as it is written: "-k, --topics K". */
void help_option_form(const cli_option *option, char *text, size_t size);

/* The text of an option, with its choices and its default at the end. settings: the command's
 * defaults. */
void help_option_text(const cli_section *section, const cli_option *option, const void *settings,
                      char *text, size_t size);

/* One sentence on what the program is, shared by all pages. */
extern const char help_purpose[];

/* The meaning of the exit statuses, shared by all pages. */
extern const char help_exit_status[];

#endif
