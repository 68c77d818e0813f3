/* Fuzzes the command line: the first byte chooses the command, the rest are its arguments, one per line. The command is
 * not run, but values that commands parse themselves (lists of numbers, alpha) are parsed. */
#include "fuzz_file.h"

#include "options/alpha_option.h"
#include "cli.h"
#include "options/number_list.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 64 };

static void look_into(const cli_call *call)
{
    for (size_t i = 0; i < call->n_operands; i++) {
        double alpha = 0, *vector = NULL, number = 0;
        if (strncmp(call->operands[i], "sum:", 4) == 0 || cli_parse_real(call->operands[i], &number))
            alpha_option(call, call->operands[i], 7, &alpha, &vector);
        free(vector);
        free(number_list(call, "--numbers", call->operands[i], 1000));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t commands = 0;
    while (cli_commands[commands])
        commands++;
    if (size < 1)
        return 0;
    char *text = malloc(size), *arguments[MOST_ARGUMENTS], *at = text;
    int n = 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    for (char *end; at && n < MOST_ARGUMENTS; at = end) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        arguments[n++] = at;
    }
    cli_call call;
    int status = cli_parse(&call, cli_commands[data[0] % commands], n, arguments);
    fuzz_claim(status == CLI_SUCCESS || status == CLI_USAGE, "arguments are right or a misuse");
    if (status == CLI_SUCCESS)
        look_into(&call);
    cli_call_free(&call);
    free(text);
    return 0;
}
