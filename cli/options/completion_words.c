/* Prints the words that completion scripts offer, for every shell alike. */
#include "options/completion_words.h"

#include <stdio.h>
#include <string.h>

void completion_put_text(const char *help)
{
    size_t n = strcspn(help, ";:(.");
    while (help[n] == '.' && help[n + 1] != ' ' && help[n + 1]) /* as in 6.2G or FILE.html */
        n += 1 + strcspn(help + n + 1, ";:(.");
    while (n && help[n - 1] == ' ')
        n--;
    for (size_t i = 0; i < n; i++)
        if (!strchr("'\"\\`$[]", help[i]))
            putchar(help[i]);
}

bool completion_is_closed(const cli_option *option)
{
    return option->type != CLI_FLAG && option->type != CLI_TEXT;
}

void completion_put_values(const cli_option *option)
{
    const char *space = "";
    for (int i = 0; option->choices && option->choices[i]; i++) {
        if (strchr(option->choices[i], ':'))
            continue;
        printf("%s%s", space, option->choices[i]);
        space = " ";
    }
}
