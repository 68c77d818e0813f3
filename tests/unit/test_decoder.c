/* Text in other encodings, through the input and through ezlda_corpus_read. */
#include "text_case.h"

#include "corpus/input/input.h"

#include <iconv.h>
#include <sys/stat.h>

/* UTF-8 of 1 to 4 bytes in lines of all lengths, longer than several blocks; every 7th line is
 * ASCII. */
enum { SIZE = 3 << 20 };
static char sample[SIZE + 64];
static size_t sample_size;

static void make_sample(void)
{
    static const char *const words[] = {"caf\xc3\xa9 ", "na\xc3\xafve ",
                                        "\xe6\x97\xa5\xe6\x9c\xac ", "\xf0\x9d\x94\x98x ",
                                        "plain "};
    sample_size = 0;
    for (size_t i = 0; sample_size < SIZE; i++) {
        const char *word = i % 101 == 100 ? "\n" : words[i / 101 % 7 ? i % 5 : 4];
        sample_size += (size_t)snprintf(sample + sample_size, 64, "%s", word);
    }
}

static size_t encode(const char *encoding, const char *text, size_t n, char *out, size_t room)
{
    size_t size = room;
    iconv_t conversion = iconv_open(encoding, "UTF-8");
    char *from = (char *)(uintptr_t)text;
    if (conversion == (iconv_t)-1 || iconv(conversion, &from, &n, &out, &room) == (size_t)-1 ||
        iconv(conversion, NULL, NULL, &out, &room) == (size_t)-1)
        abort();
    iconv_close(conversion);
    return size - room;
}

static char encoded[4 * SIZE + 256];

static const char *write_encoded(const char *name, const char *encoding, const char *text)
{
    return write_bytes(name, encoded,
                       encode(encoding, text, strlen(text), encoded, sizeof encoded));
}

/* Reads in steps, after a look at the bytes as they are and one at the text. */
static void check_decoded(const char *path, const char *encoding, size_t step)
{
    static char back[SIZE + (1 << 21)];
    ezlda_context *context = check_context();
    ez_input *input = NULL;
    const unsigned char *head;
    size_t n, at = 0, got;
    CHECK_OK(context, ez_input_open(&input, context, path));
    CHECK_OK(context, ez_input_peek(input, context, &head, &n));
    CHECK_OK(context, ez_input_decode(input, context, encoding));
    CHECK_OK(context, ez_input_peek(input, context, &head, &n));
    CHECK_EQ(n, 65536);
    CHECK(!memcmp(head, sample, n));
    do {
        CHECK_OK(context, ez_input_read(input, context, back + at, step, &got));
        at += got;
    } while (got == step && at + step <= sizeof back);
    CHECK_EQ(at, sample_size);
    CHECK(!memcmp(back, sample, sample_size));
    ez_input_close(input);
}

TEST(characters_that_lie_across_blocks)
{
    static const char *const encodings[] = {"UTF-16", "UTF-16BE", "UTF-32", "GB18030", "UTF-7"};
    make_sample();
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        const char *path = write_bytes(
            "text", encoded, encode(encodings[i], sample, sample_size, encoded, sizeof encoded));
        check_decoded(path, encodings[i], 1);
        check_decoded(path, encodings[i], 4099);
        check_decoded(path, encodings[i], 1 << 20);
    }
}

TEST(threads_and_blocks_do_not_change_decoded_text)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    make_sample();
    CHECK_OK(check_context(),
             read_one(&corpus, write_bytes("u.txt", sample, sample_size), &options));
    uint64_t hash = info_of(corpus).hash;
    ezlda_corpus_free(corpus);
    const char *path = write_bytes("v.txt", encoded,
                                   encode("UTF-16", sample, sample_size, encoded, sizeof encoded));
    options.encoding = "utf-16";
    for (int threads = 1; threads <= 5; threads += 2) {
        ezlda_context_set_threads(check_context(), threads);
        CHECK_OK(check_context(), read_one(&corpus, path, &options));
        CHECK_EQ(info_of(corpus).hash, hash);
        ezlda_corpus_free(corpus);
    }
}

/* Each format in an encoding without bytes of ASCII in their places, recognised and named. */
TEST(every_text_format)
{
    static const struct {
        const char *name, *format, *text;
    } inputs[] = {
        {"plain", "text", "red caf\xc3\xa9\nblue\n"},
        {"table", "csv", "id,text\n1,\"red caf\xc3\xa9\"\n2,blue\n"},
        {"tabs", "tsv", "id\ttext\n1\tred caf\xc3\xa9\n2\tblue\n"},
        {"records", "jsonl", "{\"text\": \"red caf\xc3\xa9\"}\n{\"text\": \"blue\"}\n"},
        {"lines", "mallet", "a\tx\tred caf\xc3\xa9\nb\ty\tblue\n"},
    };
    for (size_t i = 0; i < 2 * sizeof inputs / sizeof *inputs; i++) {
        ezlda_import_options options = plain_options();
        ezlda_corpus *corpus;
        options.encoding = "UTF-16LE";
        options.format = i % 2 ? inputs[i / 2].format : NULL;
        CHECK_OK(check_context(),
                 read_one(&corpus,
                          write_encoded(inputs[i / 2].name, "UTF-16LE", inputs[i / 2].text),
                          &options));
        CHECK_EQ(info_of(corpus).docs, 2);
        CHECK_STR(document(corpus, 0), "caf\xc3\xa9:1 red:1");
        CHECK_STR(document(corpus, 1), "blue:1");
        ezlda_corpus_free(corpus);
    }
}

TEST(directory_and_several_inputs)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    mkdir(check_tmp("docs"), 0777);
    const char *a = write_text("docs/a.txt", "red caf\xe9\n"),
               *b = write_text("docs/b.txt", "gr\xfcn\n");
    options.encoding = "latin1";
    CHECK_OK(check_context(), read_one(&corpus, check_tmp("docs"), &options));
    CHECK_STR(document(corpus, 1), "gr\xc3\xbcn:1");
    ezlda_corpus_free(corpus);
    const char *both[] = {a, b};
    CHECK_OK(check_context(), ezlda_corpus_read(&corpus, check_context(), both, 2, &options));
    CHECK_STR(document(corpus, 0), "caf\xc3\xa9:1 red:1");
    CHECK_STR(document(corpus, 1), "gr\xc3\xbcn:1");
    ezlda_corpus_free(corpus);
    options.encoding = "windows-1252";
    write_text("docs/b.txt", "fine\nno \x81\n");
    CHECK_FAILS(check_context(), read_one(&corpus, check_tmp("docs"), &options),
                "docs/b.txt:2: expected windows-1252, found the byte 0x81");
}

/* iconv holds such a letter back until it knows that no accent follows. */
TEST(the_last_letter_is_not_lost)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.encoding = "BIG5-HKSCS";
    CHECK_OK(check_context(), read_one(&corpus, write_text("t.txt", "red \x88\x66"), &options));
    CHECK_STR(document(corpus, 0), "red:1 \xc3\xaa:1");
    ezlda_corpus_free(corpus);
}

static void fails_with(const char *encoding, const void *bytes, size_t n, const char *why)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.encoding = encoding;
    CHECK_FAILS(check_context(), read_one(&corpus, write_bytes("t.txt", bytes, n), &options), why);
    options.format = "text";
    CHECK_FAILS(check_context(), read_one(&corpus, write_bytes("t.txt", bytes, n), &options), why);
}

TEST(bytes_that_an_encoding_has_not)
{
    fails_with("windows-1252", "one\ntwo\nno \x81\n", 13,
               "t.txt:3: expected windows-1252, found the byte 0x81");
    fails_with("ascii", "one\ncaf\xe9\n", 9, "t.txt:2: expected ascii, found the byte 0xe9");
    fails_with("utf-16le", "a\0\n\0b", 5,
               "t.txt:2: expected utf-16le, found the end of the file inside a character");
    fails_with("utf-16le", "a\0\n\0\0\xd8", 6,
               "t.txt:2: expected utf-16le, found the end of the file");
    fails_with("utf-16le", "a\0\n\0\0\xdc\n\0", 8,
               "t.txt:2: expected utf-16le, found the byte 0x00");
    fails_with("latin1", "a\0b", 3, "t.txt:1: expected text, found a NUL byte");
    make_sample(); /* in a later block */
    size_t n = encode("GB18030", sample, sample_size, encoded, sizeof encoded);
    memcpy(encoded + n, "\xff\n", 2);
    char why[64];
    snprintf(why, sizeof why, "t.txt:%llu: expected gb18030",
             (unsigned long long)ez_count_lines(sample, sample_size) + 1);
    fails_with("gb18030", encoded, n + 2, why);
}

TEST(names_of_encodings)
{
    fails_with("klingon", "x\n", 2, "unknown encoding \"klingon\": --encoding takes latin1");
    fails_with("", "x\n", 2, "unknown encoding \"\"");
    fails_with("latin1//IGNORE", "x\n", 2, "unknown encoding \"latin1//IGNORE\"");
    fails_with("utf-8", "caf\xe9\n", 5,
               "found the byte 0xe9 (for text in another encoding: --encoding latin1");
    fails_with("utf-8", "\xff\xfex\0", 4,
               "found the byte 0xff (for text in another encoding: --encoding utf-16)");
    fails_with("utf-8", "x\0y\0", 4, "or --encoding utf-16?");
}

TEST(bags_of_words_have_no_encoding)
{
    ezlda_import_options options;
    ezlda_corpus *corpus;
    ezlda_import_options_init(&options);
    options.encoding = "utf-16";
    const char *path = write_text("b.ldac", "1 0:2\n");
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "has no text in an encoding");
    options.format = "ldac";
    CHECK_FAILS(check_context(), read_one(&corpus, path, &options), "has no text in an encoding");
}

/* Stop words and the like are UTF-8 whatever the text is. */
TEST(stop_words_stay_utf8)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.stopwords = write_text("stop.txt", "caf\xc3\xa9\n");
    options.encoding = "latin1";
    CHECK_OK(check_context(), read_one(&corpus, write_text("t.txt", "red caf\xe9\n"), &options));
    CHECK_STR(document(corpus, 0), "red:1");
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
