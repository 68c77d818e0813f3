/* Words of text without spaces, by ICU or as pairs of characters. */
#include "text_case.h"
#include "word_list.h"

#include <stdbool.h>

/* The words of a text, cut in some way. */
static const char *cut(const char *text, ez_cutting cutting)
{
    ez_tokeniser tokeniser;
    ez_segmenter segmenter = {.cutting = cutting};
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    const char *words = cut_words(&tokeniser, &segmenter, text, strlen(text));
    CHECK_EQ(segmenter.status, EZLDA_OK);
    ez_segmenter_free(&segmenter);
    return words;
}

TEST(dictionaries_of_icu)
{
    if (!ez_icu_version()) {
        printf("  ICU is not installed\n");
        return;
    }
    CHECK_STR(cut("我们研究机器学习。", EZ_CUT_ICU), "我们|研究|机器|学习");
    CHECK_STR(cut("東京で新しい電車に乗る", EZ_CUT_ICU), "東京|で|新しい|電車|に|乗る");
    CHECK_STR(cut("ภาษาไทยเขียนติดกัน", EZ_CUT_ICU), "ภาษา|ไทย|เขียน|ติด|กัน");
    CHECK_STR(cut("ພາສາລາວ", EZ_CUT_ICU), "ພາສາ|ລາວ");
    CHECK_STR(cut("យើងរៀននៅសាលា", EZ_CUT_ICU), "យើង|រៀន|នៅ|សាលា");
    CHECK_STR(cut("ကျောင်းသွားသည်", EZ_CUT_ICU), "ကျောင်း|သွား|သည်");
    /* Words of other scripts stay whole, on either side. */
    CHECK_STR(cut("使用Python软件,the end 中国a中国", EZ_CUT_AUTO),
              "使用|python|软件|the|end|中国|a|中国");
    CHECK_STR(cut("ｶﾀｶﾅ", EZ_CUT_ICU), "カタカナ");                              /* half-width */
    CHECK_STR(cut("\xf0\xa0\x80\x80中国", EZ_CUT_ICU), "\xf0\xa0\x80\x80|中国"); /* above U+FFFF */
}

TEST(what_dictionaries_cut_too_finely_is_joined)
{
    if (!ez_icu_version())
        return;
    CHECK_STR(cut("总统特朗普在华盛顿说", EZ_CUT_ICU), "总统|特朗普|在|华盛顿|说");
    CHECK_STR(cut("他和你", EZ_CUT_ICU), "他|和|你"); /* words, not a name */
    /* More than four: a text that the dictionary does not know. */
    CHECK_STR(cut("葉甫根尼普", EZ_CUT_ICU), "葉|甫|根|尼|普");
    CHECK_STR(cut("葉甫根尼", EZ_CUT_ICU), "葉甫根尼");
    CHECK_STR(cut("電車に乗って行った", EZ_CUT_ICU), "電車|に|乗って|行っ|た");
    CHECK_STR(cut("ต่างๆ ๆ", EZ_CUT_ICU), "ต่าง|ๆ");
    CHECK_STR(cut("特朗普", EZ_CUT_PAIRS), "特朗|朗普"); /* pairs stay */
}

TEST(pieces_of_any_length_are_joined)
{
    /* A mark of two bytes, a Han character of four, and short pieces. */
    const char text[] = "\xcc\x81っ\xf0\xa0\x80\x80い行a";
    ez_piece pieces[] = {{0, 2}, {2, 3}, {5, 4}, {9, 3}, {12, 3}, {15, 1}};
    CHECK_EQ(ez_join_pieces(text, pieces, 6), 5);
    CHECK_EQ(pieces[0].bytes, 5);
    CHECK_EQ(pieces[1].bytes, 4);
    CHECK_EQ(pieces[4].at, 15);
    CHECK_EQ(ez_join_pieces(text, pieces, 0), 0);
}

TEST(pairs_of_characters)
{
    CHECK_STR(cut("研究机器学习", EZ_CUT_PAIRS), "研究|究机|机器|器学|学习");
    CHECK_STR(cut("水 a 水火", EZ_CUT_PAIRS), "水|a|水火");
    CHECK_STR(cut("ที่นี่", EZ_CUT_PAIRS), "ที่นี่");              /* marks stay with their letters */
    CHECK_STR(cut("ก\xe2\x80\x8bข", EZ_CUT_PAIRS), "ก|ข"); /* a zero-width space separates */
}

TEST(long_runs_are_cut_in_parts)
{
    enum { N = 10000 };
    static char text[3 * N + 1];
    for (size_t i = 0; i < N; i++)
        memcpy(text + 3 * i, i % 2 ? "国" : "中", 3);
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, false, false, true, 1);
    for (int cutting = EZ_CUT_AUTO; cutting <= EZ_CUT_PAIRS; cutting += 2) {
        ez_segmenter segmenter = {.cutting = (ez_cutting)cutting};
        ez_word_cursor cursor = {&tokeniser, &segmenter, check_context(), text, text + 3 * N};
        const char *form, *after = text;
        size_t n, words = 0;
        ez_segmenter_begin(&segmenter);
        for (; (form = ez_cursor_next(&cursor, &n)); words++) {
            CHECK(form <= after && form + n > after && n <= 12);
            after = form + n;
        }
        CHECK(after == text + 3 * N && words > N / 4);
        CHECK_EQ(segmenter.docs, 1);
        CHECK_EQ(segmenter.scripts, EZ_SCRIPT_HAN);
        ez_segmenter_free(&segmenter);
    }
}

static ezlda_import_options cutting_options(const char *tokens)
{
    ezlda_import_options options = plain_options();
    options.format = "text";
    options.tokens = tokens;
    return options;
}

static const char *first_document(const char *text, const ezlda_import_options *options)
{
    static char words[4096];
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_one(&corpus, write_text("c.txt", text), options));
    snprintf(words, sizeof words, "%s", corpus ? document(corpus, 0) : "");
    ezlda_corpus_free(corpus);
    return words;
}

TEST(ways_of_cutting_an_import)
{
    ezlda_import_options options = cutting_options("pairs");
    hear_notes();
    CHECK_STR(first_document("研究 the 机器学习\nplain\n", &options),
              "the:1 器学:1 学习:1 机器:1 研究:1");
    CHECK(strstr(notes, "words: pairs of characters in 1 of 2 documents (Han)"));
    options.tokens = "spaces";
    CHECK_STR(first_document("机器学习 the机器, 机器\n", &options), "the机器:1 机器:1 机器学习:1");
    options.tokens = "pre";
    options.min_length = 2;
    CHECK_STR(first_document("The the , 机器学习\n", &options), ",:1 The:1 the:1 机器学习:1");
    options.min_length_given = 1;
    CHECK_STR(first_document("The the , 机器学习\n", &options), "The:1 the:1 机器学习:1");
    options.stopwords = "en";
    CHECK_STR(first_document("The Cat , 机器学习\n", &options), "Cat:1 机器学习:1");
    options.tokens = "units";
    CHECK_STR(first_document("New York\x1f city \x1f \x1f\x1f, \n", &options), "New York:1 city:1");
    options.tokens = "letters";
    ezlda_corpus *corpus;
    CHECK_EQ(read_one(&corpus, write_text("c.txt", "a\n"), &options), EZLDA_ERROR_ARGUMENT);
    CHECK(strstr(ezlda_error_message(check_context()),
                 "\"letters\" (auto, icu, pairs, spaces, pre or units)"));
}

static ezlda_corpus *made_with(const char *tokens, const char *text)
{
    ezlda_import_options options = cutting_options(tokens);
    ezlda_corpus *corpus;
    CHECK_OK(check_context(), read_one(&corpus, write_text("old.txt", text), &options));
    return corpus;
}

/* What new text becomes if it is read like text that was cut in some way. */
static void check_like(const char *tokens, const char *old, const char *new, const char *expected)
{
    ezlda_corpus *corpus = made_with(tokens, old);
    ezlda_import_options options = cutting_options(NULL);
    options.like = ezlda_corpus_text_rules(corpus);
    CHECK_STR(first_document(new, &options), expected);
    ezlda_corpus_free(corpus);
}

TEST(new_text_is_cut_as_before)
{
    check_like("pairs", "研究\n", "机器学习\n", "器学:1 学习:1 机器:1");
    check_like("spaces", "研究\n", "机器学习\n", "机器学习:1");
    check_like("pre", "研究\n", "Ab, 机器学习\n", "Ab,:1 机器学习:1");
    if (ez_icu_version())
        check_like("auto", "研究\n", "机器学习\n", "学习:1 机器:1");
    /* Turkish was found in the old text; the new text is too short to show it. */
    check_like(NULL, "ışık sıcak kız kapı yıl\n", "ISI\n", "ısı:1");
    check_like(NULL, "light warm girl door year\n", "ISI\n", "isi:1");
}

TEST(old_rules_fold_case_and_leave_runs)
{
    ezlda_corpus *corpus = made_with(NULL, "plain text\n");
    const ezlda_text_rules *rules = ezlda_corpus_text_rules(corpus);
    /* Rules of a file written before there were settings. */
    size_t head = 64;
    ezlda_text_rules *old = calloc(1, head);
    if (!old)
        abort();
    memcpy(old, rules, head);
    memset((char *)old + 24, 0, sizeof(uint64_t)); /* bytes of the strings */
    ezlda_import_options options = cutting_options(NULL);
    options.like = old;
    options.min_length = 2;
    options.min_length_given = 1;
    CHECK_STR(first_document("größte the机器 水\n", &options), "grösste:1 the机器:1");
    free(old);
    ezlda_corpus_free(corpus);
}

TEST(threads_do_not_change_how_runs_are_cut)
{
    static char text[1 << 20];
    size_t used = 0;
    for (int i = 0; used < sizeof text - 200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 i % 3 ? "我们研究机器学习 %c 東京で新しい電車に乗る\n"
                                       : "plain words %c only\n",
                                 'a' + i % 26);
    const char *path = write_bytes("c.txt", text, used);
    ezlda_import_options options = cutting_options(NULL);
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        ezlda_context *context;
        ezlda_corpus *corpus = NULL;
        CHECK_EQ(ezlda_context_create(&context), EZLDA_OK);
        ezlda_context_set_threads(context, i ? 7 : 1);
        CHECK_OK(context, ezlda_corpus_read(&corpus, context, &path, 1, &options));
        hash[i] = info_of(corpus).hash;
        ezlda_corpus_free(corpus);
        ezlda_context_free(context);
    }
    CHECK_EQ(hash[0], hash[1]);
}

TEST_MAIN()
