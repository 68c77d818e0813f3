/* What one document of text is: files or lines, pieces of long texts, files that are chosen. */
#include "check.h"
#include "corpus/formats/file_choice.h"
#include "corpus/formats/text_unit.h"
#include "corpus/text/text_split.h"

#include <string.h>

/* Whether n files with these heads are one document each. */
static bool files(size_t n, const char *const *heads)
{
    ez_text_units units = {0};
    for (size_t i = 0; i < n; i++)
        CHECK_OK(check_context(),
                 ez_text_units_add(&units, check_context(), heads[i], strlen(heads[i])));
    bool are = ez_text_units_are_files(&units);
    ez_text_units_free(&units);
    return are;
}

static bool same_files(size_t n, const char *head)
{
    const char *heads[20];
    for (size_t i = 0; i < n; i++)
        heads[i] = head;
    return files(n, heads);
}

static const char *repeated(const char *line, int n)
{
    static char text[65536];
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        strcat(text, line);
    return text;
}

TEST(letters_are_documents)
{
    const char *letter = "Dear Anna,\n\nthe ship left in the night and nobody saw it until the\n"
                         "lamp went out. Write soon.\n\nYours\n";
    CHECK(same_files(2, letter) && same_files(5, letter));
    CHECK(!same_files(1, letter));
    CHECK(same_files(5, repeated("A sentence of a letter.\n", 6)));
    CHECK(same_files(12, repeated("One paragraph on a line of its own, and then the next.\n", 60)));
    CHECK(same_files(2, "One line is one text.\n"));
    CHECK(same_files(2, repeated("The keeper climbed the stairs of the lighthouse every\n"
                                 "evening and lit the lamp. Ships that passed in the\n"
                                 "night saw it from afar.\n",
                                 30)));
    CHECK(same_files(3, "Old lines\rwith carriage\rreturns\r"));
}

TEST(lists_of_documents_are_lines)
{
    CHECK(!same_files(2, repeated("Great phone, would buy again!\n", 500)));
    CHECK(!same_files(10, repeated("Great phone, would buy again!\n", 1000)));
    CHECK(!same_files(2, repeated("great phone would buy it again and again\n", 100)));
    CHECK(!same_files(2, "some plain words\nmore words\n"));
    ez_text_units units = {.files = 5, .prose = 5, .unseen = true};
    CHECK(!ez_text_units_are_files(&units));
}

/* The pieces of a text, separated by bars. */
static const char *split_at(const char *how, const char *text)
{
    static char copy[1000], pieces[1000];
    ez_split split;
    ez_pieces cursor;
    char *piece;
    size_t n, used = 0;
    CHECK_OK(check_context(), ez_split_parse(&split, check_context(), how));
    snprintf(copy, sizeof copy, "%s", text);
    pieces[0] = '\0';
    ez_pieces_begin(&cursor, &split, copy, strlen(copy));
    while (ez_pieces_next(&cursor, &piece, &n))
        used += (size_t)snprintf(pieces + used, sizeof pieces - used, "%.*s|", (int)n, piece);
    return pieces;
}

TEST(pieces_of_words)
{
    CHECK_STR(split_at("2", "a b c d"), "a b |c d|");
    CHECK_STR(split_at("2", "  a b\nc d e "), "  a b\n|c d |e |");
    CHECK_STR(split_at("3", "a b c d"), "a b c d|");
    CHECK_STR(split_at("100", "a b"), "a b|");
    CHECK_STR(split_at("1", "aa bb"), "aa |bb|");
    CHECK_STR(split_at("1", " \n "), "");
    CHECK_STR(split_at("1", ""), "");
    CHECK_STR(split_at("2", "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82"
                            "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82"),
              "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82|"
              "\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xbd\xa0\xe5\xa5\xbd\xe3\x80\x82|");
}

TEST(pieces_between_empty_lines)
{
    CHECK_STR(split_at("blank", "a\nb\n\nc"), "a\nb|c|");
    CHECK_STR(split_at("blank", "\n \n a\r\nb\r\n\t\r\n\r\nc\r\n"), " a\r\nb|c|");
    CHECK_STR(split_at("blank", "a\r\rb\r"), "a|b|");
    CHECK_STR(split_at("blank", " \n\n"), "");
    ez_split split;
    for (size_t i = 0; i < 4; i++) {
        static const char *const bad[] = {"0", "-5", "5x", "words"};
        CHECK_FAILS(check_context(), ez_split_parse(&split, check_context(), bad[i]),
                    "expected a number of words or \"blank\"");
    }
}

TEST(files_are_chosen_by_patterns)
{
    ez_file_choice choice = {.include = "*.txt,notes/*", .exclude = "drafts,x.txt"};
    CHECK(ez_file_chosen(&choice, "a.txt") && ez_file_chosen(&choice, "/b/a.txt"));
    CHECK(ez_file_chosen(&choice, "notes/a.md"));
    CHECK(!ez_file_chosen(&choice, "a.md") && !ez_file_chosen(&choice, "b/x.txt"));
    CHECK(!ez_file_chosen(&choice, "drafts/a.txt") && !ez_file_chosen(&choice, "b/drafts/c/a.txt"));
    CHECK_EQ(choice.skipped, 4);
    ez_file_choice all = {0};
    CHECK(ez_file_chosen(&all, "a.md"));
}

TEST_MAIN()
