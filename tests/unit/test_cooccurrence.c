/* Counts of words and pairs in documents and windows, against going through every window. */
#include "check.h"

#include "corpus/corpus.h"
#include "eval/cooccurrence.h"

enum { WORDS = 40, DOCS = 1300, LENGTH = 90, K = 9, N = 6 }; /* documents of several slabs */

typedef struct sample {
    uint32_t length[DOCS], token[DOCS][LENGTH];
    uint32_t top[K][N];
    ez_topic_words topics[K];
    ezlda_corpus *corpus;
} sample;

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static void add_document(ez_corpus_builder *builder, const uint32_t *token, uint32_t n)
{
    uint32_t tally[WORDS] = {0}, word[WORDS], count[WORDS], place_of[WORDS], place[LENGTH];
    size_t pairs = 0;
    for (uint32_t i = 0; i < n; i++)
        tally[token[i]]++;
    for (uint32_t w = 0; w < WORDS; w++)
        if (tally[w]) {
            place_of[w] = (uint32_t)pairs;
            word[pairs] = w;
            count[pairs++] = tally[w];
        }
    for (uint32_t i = 0; i < n; i++)
        place[i] = place_of[token[i]];
    CHECK_OK(check_context(), ez_corpus_builder_add_ordered(builder, check_context(), word, count,
                                                            pairs, place, n, NULL));
}

static sample *sample_make(uint64_t seed)
{
    sample *s = calloc(1, sizeof *s);
    ez_corpus_builder *builder = NULL;
    CHECK_OK(check_context(), ez_corpus_builder_create(&builder, check_context(), NULL, 0));
    ez_corpus_builder_keep_order(builder);
    for (uint32_t d = 0; d < DOCS; d++) {
        s->length[d] = d % 10 == 0 ? 0 : draw(&seed, LENGTH + 1);
        for (uint32_t i = 0; i < s->length[d]; i++) {
            uint32_t most = 1 + draw(&seed, WORDS); /* small numbers are frequent */
            s->token[d][i] = draw(&seed, most);
        }
        add_document(builder, s->token[d], s->length[d]);
    }
    CHECK_OK(check_context(),
             ez_corpus_builder_finish(builder, &s->corpus, check_context(), NULL, WORDS));
    for (uint32_t t = 0; t < K; t++) {
        uint32_t shift = draw(&seed, WORDS),
                 step = 1 + 2 * draw(&seed, 3); /* 1, 3 and 5: no word comes twice */
        for (uint32_t i = 0; i < N; i++)
            s->top[t][i] = (shift + i * step) % WORDS;
        s->topics[t] = (ez_topic_words){s->top[t], N};
    }
    return s;
}

/* Which of the words each window has, by what gensim does as it slides on, or by looking. */
static void slide(const uint32_t *token, uint32_t n, uint32_t start, uint32_t window, bool whole,
                  bool *has)
{
    if (start == 0 || whole) {
        memset(has, 0, WORDS * sizeof *has);
        for (uint32_t i = start; i < n && i < start + window; i++)
            has[token[i]] = true;
        return;
    }
    has[token[start - 1]] = false;
    has[token[start + window - 1]] = true;
}

/* alone[v]; both[v][w] */
static uint64_t count_all(const sample *s, uint32_t window, bool whole, uint64_t *alone,
                          uint64_t (*both)[WORDS])
{
    uint64_t windows = 0;
    bool has[WORDS];
    for (uint32_t d = 0; d < DOCS; d++) {
        uint32_t n = s->length[d], width = window ? window : LENGTH,
                 last = n > width ? n - width : 0;
        for (uint32_t start = 0; start <= last; start++, windows++) {
            slide(s->token[d], n, start, width, whole, has);
            for (uint32_t v = 0; v < WORDS; v++)
                for (uint32_t w = 0; has[v] && w < WORDS; w++)
                    both[v][w] += has[w];
        }
    }
    for (uint32_t v = 0; v < WORDS; v++)
        alone[v] = both[v][v];
    return windows;
}

static void check_counts(const sample *s, const ez_word_lists *lists, uint32_t window, bool whole)
{
    ezlda_context *context = check_context();
    ez_cooccurrence counts = {0};
    uint64_t alone[WORDS];
    uint64_t(*both)[WORDS] = calloc(WORDS, sizeof *both),
    windows = count_all(s, window, whole, alone, both);
    CHECK_OK(context, ez_cooccurrence_count(&counts, context, lists, s->corpus, window,
                                            &(ez_quality_options){.whole_windows = whole}));
    CHECK_EQ(counts.windows, windows);
    for (uint32_t t = 0; t < K; t++)
        for (uint32_t j = 0; j < N; j++) {
            CHECK_EQ(counts.word[lists->word[t * N + j]], alone[s->top[t][j]]);
            for (uint32_t i = 0; i < j; i++)
                CHECK_EQ(counts.pair[lists->pair[lists->pair_start[t] + ez_pair_of(i, j)]],
                         both[s->top[t][i]][s->top[t][j]]);
        }
    ez_cooccurrence_free(&counts);
    free(both);
}

static void check_sample(uint64_t seed)
{
    static const uint32_t windows[] = {0, 1, 2, 10, 55, LENGTH, 1000};
    ez_word_lists lists = {0};
    ez_topic_quality quality[K] = {{0}};
    sample *s = sample_make(seed);
    CHECK_OK(check_context(),
             ez_word_lists_build(&lists, check_context(), s->topics, K, N, s->corpus, quality));
    CHECK_EQ(lists.start[K], K * N);
    CHECK(lists.n_pairs < lists.pair_start[K]); /* some pair is in two topics */
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        check_counts(s, &lists, windows[i], false);
        check_counts(s, &lists, windows[i], true);
    }
    ez_word_lists_free(&lists);
    ezlda_corpus_free(s->corpus);
    free(s);
}

TEST(counts_are_those_of_every_window)
{
    ezlda_context_set_threads(check_context(), 1);
    check_sample(1);
}

TEST(counts_by_several_threads)
{
    ezlda_context_set_threads(check_context(), 3);
    check_sample(2);
}

static void check_spans(bool whole, const char *expected)
{
    ez_window_span span[4];
    char text[100] = "";
    size_t used = 0, n = ez_window_spans((const uint32_t[]){2, 4, 20, 29}, 4, 5, 25, whole, span);
    for (size_t i = 0; i < n; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%u-%u ", span[i].from, span[i].to);
    CHECK_STR(text, expected);
}

/* Tokens at 2, 4, 20 and 29 of 30, windows of 5 that begin at 0 to 25. gensim lets go of it when
 * token 2 leaves. */
TEST(spans_of_a_word)
{
    check_spans(true, "0-4 16-20 25-25 ");
    check_spans(false, "0-2 16-20 25-25 ");
}

TEST_MAIN()
