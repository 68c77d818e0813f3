/* The kernels against the plain line, with weights so small that draws fall on every boundary: with
 * real weights a wrong <= would go unseen for a billion draws. */
#include "check.h"

#include "backend/cpu/kernels/kernels.h"
#include "backend/reference/line.h"

enum { TOPICS = 200, DOCS = 300, STEPS = 9, ROW = STEPS * EZ_ROW_STEP, TOKENS = 2 * DOCS };

typedef struct bench {
    uint32_t w[TOPICS], table[TOPICS + 16], row[DOCS * ROW], doc[TOKENS], list[TOKENS];
    uint64_t q[TOPICS];
    uint8_t is_top[TOPICS];
    uint16_t topic[TOKENS];
    ez_row_place row_of[DOCS];
    ez_word_weights weights;
    ez_word_view view;
    uint64_t q_through[TOPICS];
} bench;

static uint64_t state;

static uint32_t below(uint32_t n)
{
    return (uint32_t)ez_mulhi(ez_mix(state++), n);
}

static void make_word(bench *b)
{
    ez_word_record *record = &b->weights.record;
    /* Every other word has alpha parts alone, of a few units: ends of parts and branches are hit as
     * well. */
    const bool only_alpha = below(2);
    memset(b->is_top, 0, sizeof b->is_top);
    for (uint32_t k = 0; k < TOPICS; k++) {
        b->table[k] = b->w[k] = only_alpha ? 0 : below(3);
        b->q[k] = only_alpha ? below(3) : below(4) == 0 ? below(3 << EZ_ALPHA_BITS) : 0;
    }
    b->view.top_alpha_sum = record->q_rest = 0;
    for (uint32_t i = 0; i < EZ_TOP; i++) {
        uint32_t k = below(TOPICS);
        while (b->is_top[k])
            k = (k + 1) % TOPICS;
        b->is_top[k] = 1;
        b->w[k] = only_alpha ? 0 : 3;
        b->table[k] = EZ_MARK | i;
        record->topic[i] = (uint16_t)k;
        record->weight[i] = b->w[k];
        b->view.top_alpha_sum += b->view.top_alpha[i] = b->q[k];
    }
    for (uint32_t k = 0; k < TOPICS; k++)
        b->q_through[k] = record->q_rest += b->is_top[k] ? 0 : b->q[k];
}

/* Rows of 1 to STEPS steps, some topics in several entries. */
static void make_rows(bench *b)
{
    memset(b->row, 0, sizeof b->row);
    for (uint32_t d = 0; d < DOCS; d++) {
        uint32_t n = 0, most = 1 + below(ROW);
        for (uint32_t k = below(8); k < TOPICS && n < most; k += 1 + below(TOPICS / most + 1))
            for (uint32_t again = 1 + (below(20) == 0); again > 0 && n < most; again--)
                b->row[d * ROW + n++] = ez_entry(k, 1 + below(3));
        if (n == 0)
            b->row[d * ROW + n++] = ez_entry(below(TOPICS), 1);
        b->row_of[d] = (ez_row_place){d * STEPS, (n + EZ_ROW_STEP - 1) / EZ_ROW_STEP};
        for (uint32_t i = 2 * d; i < 2 * d + 2; i++) {
            b->doc[i] = d;
            b->topic[i] = (uint16_t)ez_entry_topic(b->row[d * ROW + below(n)]);
        }
    }
}

static uint32_t plain_topic(const bench *b, uint32_t i, bool leave_one_out)
{
    uint32_t d = b->doc[i];
    const uint32_t *row = b->row + d * ROW;
    size_t entries = b->row_of[d].steps * EZ_ROW_STEP;
    int64_t own = leave_one_out ? b->topic[i] : -1;
    ez_line line;
    ez_make_line(&line, &b->weights, row, entries, own);
    return ez_find_on_line(&line, &b->weights, row, entries, own,
                           ez_draw(b->view.word_key, d, i % 2));
}

static void check_draws(bench *b, const ez_kernels *kernels, bool leave_one_out)
{
    uint16_t before[TOKENS], expected[TOKENS];
    uint64_t moved = 0;
    uint32_t n = 0;
    memcpy(before, b->topic, sizeof before);
    memcpy(expected, b->topic, sizeof expected);
    for (uint32_t i = 0; i < TOKENS; i++) {
        if (below(4) == 0)
            continue;
        b->list[n++] = i;
        expected[i] = (uint16_t)plain_topic(b, i, leave_one_out);
        moved += expected[i] != before[i];
    }
    ez_word_job job = {.view = &b->view,
                       .doc = b->doc,
                       .topic = b->topic,
                       .topic_mask = 0x7fff,
                       .list = b->list,
                       .n = n,
                       .row = b->row,
                       .row_of = b->row_of,
                       .leave_one_out = leave_one_out};
    CHECK_EQ(kernels->draw(&job), moved);
    for (uint32_t i = 0; i < TOKENS; i++)
        if (b->topic[i] != expected[i])
            CHECK_FAIL("%s: token %u has topic %u, expected %u", kernels->name, i, b->topic[i],
                       expected[i]);
    memcpy(b->topic, before, sizeof before);
}

TEST(draws_on_every_boundary)
{
    static const char *const names[] = {"plain", "avx2", "avx512", "neon"};
    bench *b = calloc(1, sizeof *b);
    b->weights = (ez_word_weights){.topics = TOPICS, .w = b->w, .q = b->q, .is_top = b->is_top};
    b->view = (ez_word_view){.table = b->table,
                             .record = &b->weights.record,
                             .topics = TOPICS,
                             .q_ready = true,
                             .q_through = b->q_through};
    for (uint32_t turn = 0; turn < 100; turn++) {
        b->view.word_key = ez_word_key(turn, 1);
        make_word(b);
        make_rows(b);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            setenv("EZLDA_SIMD", names[i], 1);
            const ez_kernels *kernels = ez_choose_kernels();
            if (kernels) {
                check_draws(b, kernels, false);
                check_draws(b, kernels, true);
            }
        }
    }
    unsetenv("EZLDA_SIMD");
    free(b);
}

TEST_MAIN()
