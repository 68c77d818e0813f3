/* Corpus files that are damaged or forged. */
#include "check.h"

#include "base/files/container_layout.h"
#include "base/files/content_hash.h"
#include "corpus/corpus_image.h"
#include "corpus/formats/readers.h"
#include "corpus_sample.h"

TEST(every_flipped_byte_and_truncation_is_refused)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("a.ezc"), *bad = check_tmp("bad.ezc");
    CHECK_OK(context, build_sample(&corpus, context, 1));
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    ezlda_corpus_free(corpus);
    unsigned char bytes[8192];
    size_t n = read_file(path, bytes, sizeof bytes);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (unsigned char)(1u << i % 8);
        write_file(bad, bytes, n);
        bytes[i] ^= (unsigned char)(1u << i % 8);
        if (ez_read_corpus_file(&corpus, context, bad) == EZLDA_OK)
            CHECK_FAIL("flipping byte %zu went unnoticed", i);
        ezlda_corpus_free(corpus);
        write_file(bad, bytes, i);
        if (ez_read_corpus_file(&corpus, context, bad) == EZLDA_OK)
            CHECK_FAIL("cutting at byte %zu went unnoticed", i);
        ezlda_corpus_free(corpus);
    }
}

/* Puts new checksums on a changed file, as a forger would. */
static void reseal(unsigned char *bytes, size_t n)
{
    ezlda_context *context = check_context();
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    for (uint32_t i = 0; i < footer.sections; i++) {
        ez_section section;
        unsigned char *entry = bytes + footer.table_offset + i * sizeof section;
        memcpy(&section, entry, sizeof section);
        CHECK_OK(context, ez_content_hash(&section.hash, context, bytes + section.offset,
                                          (size_t)section.bytes));
        memcpy(entry, &section, sizeof section);
    }
    footer.table_hash =
        ez_hash_bytes(bytes + footer.table_offset, footer.sections * sizeof(ez_section));
    footer.hash = ez_hash_bytes(&footer, offsetof(ez_footer, hash));
    memcpy(bytes + n - sizeof footer, &footer, sizeof footer);
}

/* Decodes everything that is there: a sanitizer sees what a wrong content would lead to. */
static uint64_t use_all(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    uint64_t sum = 0;
    uint32_t word[16], count[16];
    for (uint64_t doc = 0; doc < info.docs; doc++) {
        size_t n = ezlda_corpus_document(corpus, doc, word, count, 16);
        for (size_t i = 0; i < n && i < 16; i++)
            sum += (uint64_t)word[i] * count[i];
        for (uint32_t f = 0; f < info.fields; f++)
            sum += strlen(ezlda_corpus_field_value(corpus, f, doc));
    }
    for (uint32_t v = 0; v < info.words; v++)
        sum += strlen(ezlda_corpus_word(corpus, v)) + ez_corpus_word_tokens(corpus)[v];
    uint32_t start[EZ_CORPUS_BLOCK + 1];
    for (uint64_t block = 0; block < ez_corpus_blocks(corpus); block++) {
        size_t pairs = (size_t)(ez_corpus_pairs_before(corpus, block + 1) -
                                ez_corpus_pairs_before(corpus, block));
        uint32_t *words = malloc(4 * pairs + 1), *counts = malloc(4 * pairs + 1);
        sum += ez_corpus_decode(corpus, block, start, words, counts);
        free(words);
        free(counts);
    }
    return sum;
}

/* Every byte of every section changed to several values, with valid checksums: refused or harmless.
 */
TEST(forged_files_are_refused_or_harmless)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("a.ezc"), *bad = check_tmp("bad.ezc");
    CHECK_OK(context, build_sample(&corpus, context, 1));
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    ezlda_corpus_free(corpus);
    static unsigned char original[8192], bytes[8192];
    size_t n = read_file(path, original, sizeof original), refused = 0;
    ez_footer footer;
    memcpy(&footer, original + n - sizeof footer, sizeof footer);
    static const unsigned char masks[] = {0x01, 0x02, 0x80, 0xff, 0x10};
    for (size_t i = sizeof(ez_header);
         i < footer.table_offset + footer.sections * sizeof(ez_section); i++)
        for (size_t m = 0; m < sizeof masks; m++) {
            memcpy(bytes, original, n);
            bytes[i] ^= masks[m];
            if (i < footer.table_offset)
                reseal(bytes, n);
            write_file(bad, bytes, n);
            if (ez_read_corpus_file(&corpus, context, bad) == EZLDA_OK)
                CHECK(use_all(corpus) > 0);
            else
                refused++;
            ezlda_corpus_free(corpus);
        }
    CHECK(refused > 1000);
}

/* Replaces the documents' bytes (same length) in a valid file. */
static void check_documents(const unsigned char *docs, size_t n_docs, const char *message)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("a.ezc");
    CHECK_OK(context, build_sample(&corpus, context, 0));
    const unsigned char *original = corpus->doc_bytes;
    CHECK_EQ(corpus->doc_size, n_docs);
    corpus->doc_bytes = docs;
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    corpus->doc_bytes = original;
    ezlda_corpus_free(corpus);
    ez_clear(context);
    if (message)
        CHECK_FAILS(context, ez_read_corpus_file(&corpus, context, path), message);
    else
        CHECK_OK(context, ez_read_corpus_file(&corpus, context, path));
    ezlda_corpus_free(corpus);
}

TEST(crafted_documents_are_refused)
{
    const char *refused = "documents 1 to 3 are not as the format says";
    /* Document 1: words 0, 2 (count 300), 5 (count 2). Document 3: word 5, count 2^32-1. */
    unsigned char good[] = {6, 0, 3, 0xaa, 2, 5, 0, 0, 6, 11, 0xfd, 0xff, 0xff, 0xff, 0x0f};
    unsigned char bytes[sizeof good];
    check_documents(good, sizeof good, NULL);
    static const struct {
        size_t at;
        unsigned char value;
    } changes[] = {
        {0, 5},     /* the next document begins inside a pair */
        {0, 0x86},  /* a length that runs on */
        {1, 2},     /* words 1, 3, 6: past the vocabulary */
        {5, 7},     /* word 6 */
        {9, 13},    /* word 6 of document 3 */
        {4, 0x82},  /* a count that runs into the next pair */
        {10, 0xfe}, /* a count of 2^32 */
        {8, 200},   /* a length past the end */
        {7, 1},     /* an empty document that is not empty */
        {6, 1},     /* another sum */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(bytes, good, sizeof good);
        bytes[changes[i].at] = changes[i].value;
        check_documents(bytes, sizeof bytes, refused);
    }
    unsigned char longer[] = {6, 0,  3,    0xaa, 2,    5,    0,   0,
                              6, 11, 0xfd, 0xff, 0xff, 0x8f, 0x00}; /* not the shortest form */
    check_documents(longer, sizeof longer, refused);
}

/* Documents that are wrong where everything that is stated about them agrees. */
static void check_agreed(const unsigned char *docs, size_t n_docs, uint64_t more_tokens,
                         int accepted)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("a.ezc");
    CHECK_OK(context, build_sample(&corpus, context, 0));
    const unsigned char *original = corpus->doc_bytes;
    ez_corpus_mark *last = (ez_corpus_mark *)(void *)corpus->mark_buffer.data + 1;
    last->bytes = corpus->doc_size = n_docs;
    last->tokens += more_tokens;
    corpus->meta.tokens += more_tokens;
    corpus->meta.longest += more_tokens;
    corpus->doc_bytes = docs;
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    corpus->doc_bytes = original;
    ezlda_corpus_free(corpus);
    CHECK_EQ(ez_read_corpus_file(&corpus, context, path) == EZLDA_OK, accepted);
    ezlda_corpus_free(corpus);
}

TEST(crafted_documents_with_agreeing_sums_are_refused)
{
    unsigned char good[] = {6, 0, 3, 0xaa, 2, 5, 0, 0, 6, 11, 0xfd, 0xff, 0xff, 0xff, 0x0f};
    check_agreed(good, sizeof good, 0, 1);
    unsigned char trailing[] = {6, 0, 3, 0xaa, 2, 5, 0, 0, 6, 11, 0xfd, 0xff, 0xff, 0xff, 0x0f, 0};
    check_agreed(trailing, sizeof trailing, 0, 0);
    unsigned char large[] = {6, 0,  3,    0xaa, 2,    5,    0,   0,
                             6, 11, 0xfe, 0xff, 0xff, 0xff, 0x0f}; /* a count of 2^32 */
    check_agreed(large, sizeof large, 1, 0);
}

static void change_meta(size_t at, uint64_t value, size_t size, const char *message)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    const char *path = check_tmp("a.ezc");
    CHECK_OK(context, build_sample(&corpus, context, 1));
    CHECK_OK(context, ezlda_corpus_save(context, corpus, path));
    ezlda_corpus_free(corpus);
    unsigned char bytes[8192];
    size_t n = read_file(path, bytes, sizeof bytes);
    memcpy(bytes + sizeof(ez_header) + at, &value, size);
    reseal(bytes, n);
    write_file(path, bytes, n);
    ez_clear(context);
    CHECK_FAILS(context, ez_read_corpus_file(&corpus, context, path), message);
}

TEST(crafted_totals_are_refused)
{
    change_meta(offsetof(ez_corpus_meta, docs), UINT64_MAX, 8,
                "more documents or words than there are");
    change_meta(offsetof(ez_corpus_meta, docs), 4, 8, "documents 1 to 4 are not as");
    change_meta(offsetof(ez_corpus_meta, docs), 2, 8, "documents 1 to 2 are not as");
    change_meta(offsetof(ez_corpus_meta, words), UINT32_MAX, 4,
                "more documents or words than there are");
    change_meta(offsetof(ez_corpus_meta, words), 5, 4, "documents 1 to 3 are not as");
    change_meta(offsetof(ez_corpus_meta, words), 7, 4, "word 7 is not UTF-8 or not in its place");
    change_meta(offsetof(ez_corpus_meta, fields), UINT32_MAX, 4, "more fields than there are");
    change_meta(offsetof(ez_corpus_meta, fields), 1, 4, "wrong size");
    change_meta(offsetof(ez_corpus_meta, pairs), 5, 8, "index does not fit");
    change_meta(offsetof(ez_corpus_meta, tokens), 5, 8, "index does not fit");
    change_meta(offsetof(ez_corpus_meta, longest), 5, 8, "do not add up to the totals");
    change_meta(offsetof(ez_corpus_meta, empty_docs), 2, 8, "do not add up to the totals");
    change_meta(offsetof(ez_corpus_meta, block_docs), 128, 4, "other constants");
}

TEST(saving_to_a_full_disk)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    CHECK_OK(context, build_sample(&corpus, context, 1));
    CHECK_FAILS(context, ezlda_corpus_save(context, corpus, "/dev/full"),
                "/dev/full: cannot write: No space left");
    CHECK_FAILS(context, ezlda_corpus_save(context, corpus, "/"), "is a directory");
    CHECK_FAILS(context, ezlda_corpus_save(context, NULL, "x"), "needed to save");
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
