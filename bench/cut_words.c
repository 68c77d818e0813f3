/* cut_words [WAY] < TEXT: prints, for each line of a UTF-8 text, where its words begin and end in
 * bytes: "0-6 6-9". WAY is a value of the import's option --tokens. bench/segmentation.py compares
 * the words with those of a treebank. */
#include "corpus/text/tokeniser/segmentation.h"

#include "corpus/input/utf8.h"

#include <stdio.h>
#include <stdlib.h>

static int fail(const char *why)
{
    fprintf(stderr, "cut_words: %s\n", why);
    return 1;
}

/* Prints the words of one line. */
static ezlda_status cut_line(ezlda_context *context, const ez_tokeniser *tokeniser,
                             ez_segmenter *segmenter, const char *line, size_t length)
{
    ez_word_cursor cursor = {tokeniser, segmenter, context, line, line + length};
    const char *form, *space = "";
    size_t n;
    ez_segmenter_begin(segmenter);
    for (; (form = ez_cursor_next(&cursor, &n)); space = " ")
        printf("%s%zu-%zu", space, (size_t)(form - line), (size_t)(form - line) + n);
    printf("\n");
    return segmenter->status;
}

static int cut_lines(ezlda_context *context, const ez_tokeniser *tokeniser, ez_segmenter *segmenter)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int result = 0;
    while (!result && (length = getline(&line, &room, stdin)) > 0) {
        if (ez_utf8_check(line, (size_t)length) != (size_t)length)
            result = fail("expected UTF-8");
        else if (cut_line(context, tokeniser, segmenter, line, (size_t)length) != EZLDA_OK)
            result = fail(ezlda_error_message(context));
    }
    free(line);
    return result;
}

int main(int argc, char **argv)
{
    ezlda_context *context;
    ez_tokeniser tokeniser;
    ez_segmenter segmenter = {.cutting = EZ_CUT_AUTO};
    if (argc > 1 && !ez_cutting_named(argv[1], &segmenter.cutting))
        return fail("unknown way to cut words");
    if (ezlda_context_create(&context) != EZLDA_OK)
        return fail("not enough memory");
    ez_tokeniser_init(&tokeniser, true, true, true, 1);
    tokeniser.runs = segmenter.cutting != EZ_CUT_SPACES;
    int result = cut_lines(context, &tokeniser, &segmenter);
    ez_segmenter_free(&segmenter);
    ezlda_context_free(context);
    return result;
}
