/* The text of documents in a corpus: as it was read, with the place of every token, in copies too.
 */
#include "check.h"

#include "base/files/container_layout.h"
#include "base/files/content_hash.h"
#include "corpus/corpus_image.h"
#include "corpus/formats/readers.h"

enum { LINES = 3000 };

static const char *write_lines(const char *name, int lines)
{
    const char *path = check_tmp(name);
    FILE *file = fopen(path, "w");
    for (int i = 0; i < lines; i++)
        fprintf(
            file,
            "  New York's harbour no. %d: H\xc3\xa4user, the w%c of w%c%c \xe2\x80\x94 \xe6\x97\xa5"
            "\xe6\x9c\xac\xe8\xaa\x9e and new york &amp; <b>iron</b>\n",
            i, 'a' + i % 7, 'a' + i % 26, 'a' + i % 5);
    fclose(file);
    return path;
}

static ezlda_import_options with_text(void)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.keep_text = 1;
    options.min_docs = 1;
    options.max_docs_share = 1;
    options.unit = "lines";
    options.format = "text";
    return options;
}

static ezlda_corpus *read_lines(const char *path, const ezlda_import_options *options)
{
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), ezlda_corpus_read(&corpus, check_context(), &path, 1, options));
    return corpus;
}

static ezlda_corpus_info facts(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info;
}

/* The words of a document as they stand in its text, each with its word: "York=york". */
static const char *in_place(const ezlda_corpus *corpus, uint64_t doc)
{
    static char list[2048];
    ezlda_doc_text *text;
    size_t used = 0;
    *list = '\0';
    CHECK_OK(check_context(), ezlda_corpus_doc_text(&text, check_context(), corpus, doc));
    CHECK_EQ(strlen(text->text), text->bytes);
    for (size_t i = 0; i < text->n_places; i++) {
        const ezlda_text_place *place = &text->places[i];
        CHECK(place->at + place->bytes <= text->bytes);
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s=%s", i ? "|" : "",
                                 (int)place->bytes, text->text + place->at,
                                 ezlda_corpus_word(corpus, place->word));
    }
    ezlda_doc_text_free(text);
    return list;
}

static const char *text_of(const ezlda_corpus *corpus, uint64_t doc)
{
    static char copy[1024];
    ezlda_doc_text *text;
    CHECK_OK(check_context(), ezlda_corpus_doc_text(&text, check_context(), corpus, doc));
    snprintf(copy, sizeof copy, "%s", text->text);
    ezlda_doc_text_free(text);
    return copy;
}

TEST(every_token_has_its_place)
{
    ezlda_import_options options = with_text();
    options.tokens = "pairs";
    ezlda_corpus *corpus = read_lines(write_lines("a.txt", LINES), &options);
    CHECK_STR(in_place(corpus, 1),
              "New=new|York=york|harbour=harbour|H\xc3\xa4user=h\xc3\xa4user|wb=wb|wbb=wbb|"
              "\xe6\x97\xa5\xe6\x9c\xac=\xe6\x97\xa5\xe6\x9c\xac|"
              "\xe6\x9c\xac\xe8\xaa\x9e=\xe6\x9c\xac\xe8\xaa\x9e|new=new|york=york|iron=iron");
    const char *text = text_of(corpus, LINES - 1);
    CHECK(strstr(text, "New York's harbour no. 2999: H\xc3\xa4user, the wd of wje") != NULL);
    CHECK(strstr(text, "<b>") == NULL);
    CHECK_EQ(facts(corpus).has_text, 1);
    CHECK(facts(corpus).text_bytes > 0);
    ezlda_corpus_free(corpus);
}

TEST(phrases_and_stems_stand_where_their_words_do)
{
    ezlda_import_options options = with_text();
    const char *path = write_lines("a.txt", LINES);
    options.tokens = "spaces";
    options.ngrams = 2;
    options.max_vocab = 40;
    ezlda_corpus *corpus = read_lines(path, &options);
    CHECK(strstr(in_place(corpus, 3), "new=new|new york=new_york|") != NULL);
    ezlda_corpus_free(corpus);
    options.ngrams = 1;
    options.max_vocab = 0;
    options.phrases = "0.2";
    options.stemmer = "english";
    corpus = read_lines(path, &options);
    CHECK(strstr(in_place(corpus, 3), "new york=new_york") != NULL);
    CHECK(strstr(in_place(corpus, 3), "|the=") == NULL);
    ezlda_corpus_free(corpus);
}

static size_t save(const ezlda_corpus *corpus, const char *name, unsigned char *bytes, size_t room)
{
    const char *path = check_tmp(name);
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    FILE *file = fopen(path, "rb");
    size_t n = fread(bytes, 1, room, file);
    fclose(file);
    return n;
}

static unsigned char one[1 << 22], two[1 << 22];

TEST(the_bytes_do_not_depend_on_threads)
{
    ezlda_import_options options = with_text();
    const char *path = write_lines("a.txt", 20 * LINES);
    ezlda_context_set_threads(check_context(), 1);
    ezlda_corpus *corpus = read_lines(path, &options);
    CHECK(corpus->text_blocks > 64); /* more than one batch */
    size_t n = save(corpus, "one.ezc", one, sizeof one);
    ezlda_corpus_free(corpus);
    ezlda_context_set_threads(check_context(), 4);
    corpus = read_lines(path, &options);
    CHECK_EQ(save(corpus, "two.ezc", two, sizeof two), n);
    CHECK(n > 1000 && n < sizeof one && memcmp(one, two, n) == 0);
    CHECK(strstr(text_of(corpus, 43210), "no. 43210:") != NULL);
    ezlda_corpus_free(corpus);
    ezlda_context_set_threads(check_context(), 0);
}

TEST(text_changes_neither_words_nor_hash)
{
    ezlda_import_options options = with_text();
    const char *path = write_lines("a.txt", LINES);
    ezlda_corpus *with = read_lines(path, &options);
    options.keep_text = 0;
    ezlda_corpus *without = read_lines(path, &options), *automatic;
    CHECK_EQ(facts(with).hash, facts(without).hash);
    CHECK_EQ(facts(without).has_text, 0);
    ezlda_doc_text *text;
    CHECK_FAILS(check_context(), ezlda_corpus_doc_text(&text, check_context(), without, 0),
                "the corpus has no text of its documents");
    CHECK_FAILS(check_context(), ezlda_corpus_doc_text(&text, check_context(), with, LINES),
                "document 3000: the corpus has 3000 documents");
    options.keep_text = EZLDA_KEEP_TEXT_AUTO;
    automatic = read_lines(path, &options);
    CHECK_EQ(facts(automatic).has_text, 1);
    ezlda_corpus_free(with);
    ezlda_corpus_free(without);
    ezlda_corpus_free(automatic);
}

/* ---- copies ---- */

static void check_same(const ezlda_corpus *a, uint64_t d, const ezlda_corpus *b, uint64_t e)
{
    char first[2048];
    snprintf(first, sizeof first, "%s", in_place(a, d));
    CHECK(strchr(first, '|') != NULL);
    CHECK_STR(in_place(b, e), first);
    snprintf(first, sizeof first, "%s", text_of(a, d));
    CHECK_STR(text_of(b, e), first);
}

TEST(copies_keep_the_text)
{
    ezlda_import_options options = with_text();
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = read_lines(write_lines("a.txt", LINES), &options), *some, *rest, *joint;
    uint64_t ascending[] = {0, 300, 2999}, mixed[] = {2999, 7, 7, 300};
    CHECK_OK(context, ezlda_corpus_select(&some, context, corpus, ascending, 3));
    for (uint64_t i = 0; i < 3; i++)
        check_same(corpus, ascending[i], some, i);
    CHECK_OK(context,
             ezlda_corpus_join(&joint, context, (const ezlda_corpus *const[]){some, corpus}, 2));
    check_same(corpus, 1234, joint, 1237);
    check_same(some, 2, joint, 2);
    ezlda_corpus_free(joint);
    ezlda_corpus_free(some);
    CHECK_OK(context, ezlda_corpus_select(&some, context, corpus, mixed, 4));
    for (uint64_t i = 0; i < 4; i++)
        check_same(corpus, mixed[i], some, i);
    ezlda_corpus_free(some);
    CHECK_OK(context, ezlda_corpus_split(&some, &rest, context, corpus, 0.5, 1));
    CHECK_EQ(facts(some).has_text + facts(rest).has_text, 2);
    check_same(corpus, (uint64_t)atoll(ezlda_corpus_field_value(rest, 0, 9)) - 1, rest, 9);
    ezlda_corpus_free(some);
    ezlda_corpus_free(rest);
    CHECK_OK(context, ezlda_corpus_with_fields(&some, context, corpus, NULL, 0, NULL));
    check_same(corpus, 77, some, 77);
    ezlda_corpus_free(some);
    ezlda_corpus_free(corpus);
}

TEST(a_filter_removes_places_and_a_file_gives_the_text_back)
{
    ezlda_import_options options = with_text(), filter;
    options.tokens = "spaces";
    const char *path = check_tmp("a.ezc");
    ezlda_corpus *corpus = read_lines(write_lines("a.txt", LINES), &options), *filtered;
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_import_options_init(&filter);
    filter.max_vocab = 4;
    filter.keep_text = 1;
    filtered = read_lines(path, &filter);
    CHECK_STR(text_of(filtered, 9), text_of(corpus, 9));
    CHECK_STR(in_place(filtered, 9),
              "New=new|York=york|harbour=harbour|H\xc3\xa4user=h\xc3\xa4user|"
              "new=new|york=york");
    ezlda_corpus_free(filtered);
    ezlda_corpus_free(corpus);
    options.keep_text = 0;
    corpus = read_lines(write_lines("a.txt", 9), &options);
    CHECK_OK(check_context(), ezlda_corpus_save(check_context(), corpus, path));
    ezlda_corpus_free(corpus);
    CHECK_FAILS(check_context(), ezlda_corpus_read(&corpus, check_context(), &path, 1, &filter),
                "a.ezc: has no text to keep: it was imported without keeping it");
}

/* ---- forged files ---- */

static void reseal(unsigned char *bytes, size_t n)
{
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    for (uint32_t i = 0; i < footer.sections; i++) {
        ez_section section;
        unsigned char *entry = bytes + footer.table_offset + i * sizeof section;
        memcpy(&section, entry, sizeof section);
        CHECK_OK(check_context(), ez_content_hash(&section.hash, check_context(),
                                                  bytes + section.offset, (size_t)section.bytes));
        memcpy(entry, &section, sizeof section);
    }
    footer.table_hash =
        ez_hash_bytes(bytes + footer.table_offset, footer.sections * sizeof(ez_section));
    footer.hash = ez_hash_bytes(&footer, offsetof(ez_footer, hash));
    memcpy(bytes + n - sizeof footer, &footer, sizeof footer);
}

static void find_section(const unsigned char *bytes, size_t n, uint32_t tag, ez_section *found)
{
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    for (uint32_t i = 0; i < footer.sections; i++) {
        memcpy(found, bytes + footer.table_offset + i * sizeof *found, sizeof *found);
        if (found->tag == tag)
            return;
    }
    CHECK_FAIL("there is no section %x", tag);
}

/* Reads every text; a sanitizer sees what wrong content would lead to. Returns how many fail. */
static unsigned read_all(const ezlda_corpus *corpus)
{
    unsigned failed = 0;
    for (uint64_t d = 0; d < facts(corpus).docs; d++) {
        ezlda_doc_text *text;
        if (ezlda_corpus_doc_text(&text, check_context(), corpus, d) != EZLDA_OK) {
            CHECK(strstr(ezlda_error_message(check_context()), "is not as the format says"));
            failed++;
            continue;
        }
        for (size_t i = 0; i < text->n_places; i++)
            CHECK(text->places[i].at + text->places[i].bytes <= text->bytes);
        ezlda_doc_text_free(text);
    }
    return failed;
}

static void forge(uint32_t tag, unsigned *refused, unsigned *failed)
{
    ezlda_import_options options = with_text();
    const char *bad = check_tmp("bad.ezc");
    ezlda_corpus *corpus = read_lines(write_lines("a.txt", 12), &options);
    size_t n = save(corpus, "a.ezc", one, sizeof one);
    ez_section section;
    ezlda_corpus_free(corpus);
    find_section(one, n, tag, &section);
    for (uint64_t i = 0; i < section.bytes; i++) {
        memcpy(two, one, n);
        two[section.offset + i] ^= (unsigned char)(1u << i % 8);
        reseal(two, n);
        FILE *file = fopen(bad, "wb");
        CHECK(fwrite(two, 1, n, file) == n);
        fclose(file);
        if (ez_read_corpus_file(&corpus, check_context(), bad) != EZLDA_OK) {
            ++*refused;
            continue;
        }
        *failed += read_all(corpus) > 0;
        ezlda_corpus_free(corpus);
    }
}

TEST(forged_texts_are_refused_or_harmless)
{
    unsigned refused = 0, failed = 0;
    forge(EZ_TAG('T', 'I', 'D', 'X'), &refused, &failed);
    CHECK_EQ(refused + failed, 2 * sizeof(ez_text_mark));
    refused = failed = 0;
    forge(EZ_TAG('T', 'E', 'X', 'T'), &refused, &failed);
    CHECK_EQ(refused, 0);
    CHECK(failed > 50);
}

/* Records that a forger compresses well: text, places and pairs that do not fit. */
static unsigned count_bad(const unsigned char *record, size_t n)
{
    ezlda_context *context = check_context();
    const char *const words[] = {"a", "b"};
    ez_corpus_builder *builder;
    ezlda_corpus *corpus;
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    ez_corpus_builder_keep_text(builder);
    CHECK_OK(context, ez_corpus_builder_add(builder, context, (uint32_t[]){0, 1},
                                            (uint32_t[]){2, 1}, 2, NULL));
    CHECK_OK(context, ez_corpus_builder_add_text(builder, context, "x", 1, NULL, 0));
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, words, 2));
    ez_text_store store;
    ez_spool packed;
    ez_buffer marks = {0};
    const void *bytes;
    ez_text_store_init(&store);
    ez_spool_init(&packed, EZ_SPOOL_LIMIT);
    static const ez_text_mark first = {0};
    CHECK_OK(context, ez_buffer_append(&store.marks, context, &first, sizeof first));
    CHECK_OK(context, ez_spool_append(&store.raw, context, record, n));
    store.docs = 1;
    CHECK_OK(context, ez_text_store_finish(&store, context, &packed, &marks));
    CHECK_OK(context, ez_spool_seal(&packed, context, &bytes));
    const ez_text_mark *kept = corpus->text_marks;
    corpus->text_bytes = bytes;
    corpus->text_size = packed.used;
    corpus->text_marks = (const ez_text_mark *)(const void *)marks.data;
    unsigned failed = ez_corpus_check_text(corpus, context, "here") != EZLDA_OK;
    failed += failed ? 0 : read_all(corpus);
    corpus->text_marks = kept;
    ez_text_store_free(&store);
    ez_spool_free(&packed);
    ez_free(marks.data);
    ezlda_corpus_free(corpus);
    return failed;
}

TEST(crafted_records_are_refused)
{
    /* the text "aé b a" with the places of a, b and a */
    static const unsigned char good[] = {17, 7, 'a', 0xc3, 0xa9, ' ', 'b', ' ', 'a',
                                         0,  1, 0,   4,    1,    1,   2,   1,   0};
    unsigned char bytes[sizeof good];
    CHECK_EQ(count_bad(good, sizeof good), 0);
    static const struct {
        size_t at;
        unsigned char value;
    } cases[] = {
        {0, 16},   /* bytes after the record */
        {0, 18},   /* the record ends after the block */
        {1, 18},   /* the text ends after the record */
        {3, 'x'},  /* not UTF-8 */
        {9, 2},    /* begins inside a character */
        {10, 2},   /* ends inside a character */
        {10, 0},   /* no bytes */
        {11, 1},   /* b twice, a once */
        {11, 2},   /* no such pair */
        {15, 9},   /* begins after the text */
        {16, 2},   /* ends after the text */
        {17, 0x80} /* a number without its end */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memcpy(bytes, good, sizeof good);
        bytes[cases[i].at] = cases[i].value;
        if (!count_bad(bytes, sizeof bytes))
            CHECK_FAIL("byte %zu set to %d went unnoticed", cases[i].at, cases[i].value);
    }
    static const unsigned char fewer[] = {14,  7, 'a', 0xc3, 0xa9, ' ', 'b', ' ',
                                          'a', 0, 1,   0,    4,    1,   1};
    CHECK_EQ(count_bad(fewer, sizeof fewer), 1);
}

TEST_MAIN()
