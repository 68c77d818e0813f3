/* Files with names of topics: what the page of a report saves (TSV or JSON), and answers to the
 * prompts of label (JSON Lines). */
#ifndef CLI_NAMES_OPTION_H
#define CLI_NAMES_OPTION_H

#include "cli.h"
#include "output/text_out.h"

/* Bytes of a name that edits accept. */
enum { NAME_BYTES = 200 };

/* Whether a text has a byte that no name may have: an operation is one line. */
bool names_has_control(const char *text);

/* Appends an operation `rename` for each name in the file. 0, or an exit status after one line: for
 * a topic that the model does not have, one that occurs twice, a name that edits would refuse, and,
 * if `distinct` is set, a name that two topics would have in the end. */
int names_read(cli_text *operations, const ezlda_model *model, const char *path, bool distinct);

/* Appends a whole file of text, without a byte order mark; - is standard input. 0, or an exit
 * status after one line. */
int names_read_text(cli_text *text, const char *path);

#endif
