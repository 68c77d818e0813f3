/* Makes a block valid UTF-8 before it is parsed: lines in another encoding are converted if no
 * encoding was given, and counted. */
#include "corpus/input/line_mender.h"
#include "corpus/text/text_source.h"

#include <string.h>

/* Reports a line that no encoding explains. */
static int refuse_line(const ez_block *block, const ez_mended *mended, const char *encoding,
                       ez_fault *fault)
{
    const char *text = (const char *)block->text.data;
    uint64_t line = block->line + ez_count_lines(text + block->at, mended->bad - block->at);
    return ez_fault_set(fault, line, "expected UTF-8 or %s, found neither (--encoding NAME)",
                        encoding);
}

void ez_block_count_lines(const ez_block *block, const char *path, const ez_mended *mended)
{
    if (!block->tally || !mended->lines || block->encoding[0])
        return;
    ez_encoding_tally_add(block->tally, mended->encoding, 0, mended->lines);
    ez_encoding_tally_place(block->tally, block->number, path, block->line + mended->first);
}

int ez_block_mend(ezlda_context *context, ez_block *block, ez_mended *mended, ez_fault *fault)
{
    const char *text = (const char *)block->text.data + block->at;
    size_t n = block->text.used - block->at;
    ez_encoding_guess guess = {.name = ""};
    memcpy(guess.name, block->encoding, sizeof guess.name);
    *mended = (ez_mended){0};
    if (memchr(text, 0, n) || (!guess.name[0] && !ez_detect_encoding(text, n, &guess)))
        return ez_text_check(text, n, block->line, fault);
    fault->status =
        ez_mend_lines(&block->text, context, block->at, guess.name, &block->mended, mended);
    if (fault->status != EZLDA_OK)
        return -1;
    mended->mixed = guess.mixed;
    memcpy(mended->encoding, guess.name, sizeof mended->encoding);
    return mended->bad == SIZE_MAX ? 0 : refuse_line(block, mended, guess.name, fault);
}

int ez_block_check(const ez_text_source *source, ezlda_context *context, ez_block *block,
                   ez_fault *fault)
{
    ez_mended mended;
    ez_fault ignored = {0};
    const char *text = (const char *)block->text.data + block->at;
    size_t n = block->text.used - block->at;
    if (source->feed) /* its values are checked one by one */
        return 0;
    if (source->encoding)
        return ez_text_check(text, n, block->line, fault);
    if (!ez_text_check(text, n, block->line, &ignored))
        return 0;
    if (ez_block_mend(context, block, &mended, fault))
        return -1;
    ez_block_count_lines(block, ez_text_source_name(source, block->input), &mended);
    return 0;
}
