/* Reading bags of words in Matrix Market's format. */
#include "check.h"

#include "corpus/formats/number_parse.h"
#include "reader_help.h"

#define BANNER(kind) "%%MatrixMarket matrix coordinate " kind " general\n"

TEST(kinds)
{
    CHECK_READS(ez_read_matrix_market, BANNER("integer") "3 4 3\n1 1 2\n1 4 1\n3 2 5\n",
                "0:2 3:1||1:5|");
    CHECK_READS(ez_read_matrix_market,
                BANNER("real") "% a remark\n%\n\n3 4 3                        \n1 1 2.0\n1 4 1\n3 "
                               "2 5.000e+00\n",
                "0:2 3:1||1:5|");
    CHECK_READS(ez_read_matrix_market, BANNER("pattern") "3 4 2\n2 2\n1 1\n", "0:1|1:1||");
    CHECK_READS(ez_read_matrix_market,
                "%%matrixmarket MATRIX Coordinate Real General\r\n1 2 1\r\n1 2 0.3e1\r\n", "1:3|");
    CHECK_READS(ez_read_matrix_market, BANNER("integer") "2 4 3\n2 4 1\n1 1 1\n2 4 1\n",
                "0:1|3:2|");
}

TEST(refusals)
{
    CHECK_REFUSES(ez_read_matrix_market, "",
                  "input:1: expected '%%MatrixMarket', found the end of the line");
    CHECK_REFUSES(ez_read_matrix_market, "%%MatrixMarket vector\n",
                  "input:1: expected 'matrix', found 'vector'");
    CHECK_REFUSES(ez_read_matrix_market, "%%MatrixMarket matrix array real general\n",
                  "input:1: expected 'coordinate', found 'array'");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("complex"),
                  "input:1: expected 'integer', 'real' or 'pattern', found 'complex'");
    CHECK_REFUSES(ez_read_matrix_market, "%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n",
                  "input:1: expected 'general', found 'symmetric'");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "% x\n",
                  "input:3: expected a line 'documents words triples', found the end of the file");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "3 4\n",
                  "input:2: expected the number of triples, found the end");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "3 -4 5\n",
                  "input:2: expected the number of words, found '-4'");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "3 4 5 6\n",
                  "input:2: expected the end of the line, found '6'");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "%\n1 4 2\n1 1 1\n",
                  "input:3: expected 2 triples as the header says, found only 1");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("real") "1 4 1\n1 5 1\n",
                  "input:3: expected a word number from 1 to 4 (header, line 2), found '5'");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("integer") "1 4 1\n1 4 1.0\n",
                  "input:3: expected a count");
    CHECK_REFUSES(ez_read_matrix_market, BANNER("pattern") "1 4 1\n1 4 1\n",
                  "input:3: expected the end of the line, found '1'");
    static const char *const bad[] = {
        "0.5",   "-1",  "nan", "inf",          "1e", "1e10", "4294967296", "4294967296.0",
        "1.2.3", "0x3", ".",   "1.0000000001", "e5", "3e-1", "--3",        "+"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200], message[100];
        snprintf(text, sizeof text, "%s1 4 1\n1 4 %s\n", BANNER("real"), bad[i]);
        snprintf(message, sizeof message, "from 0 to 4294967295), found '%s'", bad[i]);
        CHECK_REFUSES(ez_read_matrix_market, text, message);
    }
}

TEST(whole_numbers_written_as_reals)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"0.0", 0},
                {"3.", 3},
                {"3.0", 3},
                {"+3", 3},
                {"3e0", 3},
                {"1.5e1", 15},
                {"150e-1", 15},
                {"0.0004E4", 4},
                {"4294967295.000", 4294967295},
                {"0e99999999", 0},
                {"1.0000000000000000e+00", 1},
                {".5e1", 5},
                {"00012", 12},
                {"4.294967295e9", 4294967295}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char line[64];
        uint32_t value = 77;
        snprintf(line, sizeof line, "%s\n", good[i].text);
        const char *end = ez_parse_count(line, true, &value);
        if (!end || *end != '\n' || value != good[i].value)
            CHECK_FAIL("%s read as %u", good[i].text, value);
    }
}

TEST_MAIN()
