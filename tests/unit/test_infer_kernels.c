/* The kernels of whole documents against the plain line, with weights so small that draws fall on
 * every boundary. */
#include "check.h"

#include "backend/cpu/inference/infer_sampling.h"
#include "backend/reference/line.h"

enum { TOPICS = 200, WORDS = 40, LENGTH = 150, ZEROS = 3, PITCH = EZ_INFER_PAD, ENTRIES = TOPICS };

/* Zero row 2, and words that have it, weigh nothing below this topic. */
enum { APART = TOPICS / 2 };

typedef struct bench {
    ez_cpu cpu;
    ez_settings settings;
    ez_token_list tokens;
    ez_infer_words words;
    ez_word_record record[WORDS];
    float alpha_scaled[TOPICS + 16];
    uint64_t start[WORDS + 1], zero_q[ZEROS][TOPICS], doc_start[2];
    uint16_t topic[WORDS * ENTRIES], start_topic[LENGTH];
    int32_t more[WORDS * ENTRIES];
    uint32_t zero_weight[TOPICS * PITCH], token_word[LENGTH];
    uint8_t zero[WORDS];
    /* The same plainly. */
    uint32_t w[WORDS][TOPICS], row[TOPICS + EZ_ROW_STEP], count[TOPICS];
    uint64_t q[WORDS][TOPICS];
    uint8_t is_top[WORDS][TOPICS];
} bench;

static uint64_t state;

static uint32_t below(uint32_t n)
{
    return (uint32_t)ez_mulhi(ez_mix(state++), n);
}

static void make_zeros(bench *b)
{
    for (uint32_t k = 0; k < TOPICS; k++)
        b->alpha_scaled[k] = (float)(1 + below(3));
    for (uint32_t z = 0; z < ZEROS; z++) {
        uint64_t sum = 0;
        for (uint32_t k = 0; k < TOPICS; k++) {
            uint32_t weight = z == 2 && k < APART ? 0 : below(4) / 2;
            b->zero_weight[k * PITCH + z] = weight;
            b->zero_q[z][k] = sum += ez_alpha_weight(weight, b->alpha_scaled[k]);
        }
    }
}

/* Top topics weigh 4; few or many others differ from the zero row. */
static void make_word(bench *b, uint32_t v)
{
    uint32_t z = b->zero[v] = (uint8_t)below(ZEROS), first = z == 2 ? APART : 0,
             rare = 1 + below(30);
    uint64_t at = b->start[v];
    memset(b->is_top[v], 0, TOPICS);
    for (uint32_t i = 0; i < EZ_TOP; i++) {
        uint32_t k = first + below(TOPICS - first);
        while (b->is_top[v][k])
            k = k + 1 < TOPICS ? k + 1 : first;
        b->is_top[v][k] = 1;
        b->record[v].topic[i] = (uint16_t)k;
        b->record[v].weight[i] = 4;
    }
    b->record[v].q_rest = 0;
    for (uint32_t k = 0; k < TOPICS; k++) {
        bool top = b->is_top[v][k], entry = top || (k >= first && below(rare) == 0);
        b->w[v][k] = top ? 4 : b->zero_weight[k * PITCH + z] + (entry ? below(3) : 0);
        b->q[v][k] = ez_alpha_weight(b->w[v][k], b->alpha_scaled[k]);
        b->record[v].q_rest += top ? 0 : b->q[v][k];
        b->topic[at] = (uint16_t)k;
        b->more[at] = (int32_t)((top ? 0 : b->w[v][k]) - b->zero_weight[k * PITCH + z]);
        at += entry;
    }
    b->start[v + 1] = at;
}

/* One document: tokens of some words, few topics; of words that are apart only the lower ones. */
static void make_document(bench *b)
{
    uint32_t n = 1 + below(LENGTH), spread = 1 + below(APART);
    uint64_t i = 0;
    for (uint32_t v = 0; v < WORDS && i < n; v++)
        for (uint32_t again = below(6); again > 0 && i < n; again--, i++) {
            b->token_word[i] = v;
            b->start_topic[i] = (uint16_t)below(below(3) ? spread : APART);
        }
    b->doc_start[1] = i;
}

static uint32_t plain_row(bench *b, const uint16_t *topic, uint32_t n)
{
    uint32_t entries = 0;
    memset(b->count, 0, sizeof b->count);
    memset(b->row, 0, sizeof b->row);
    for (uint32_t i = 0; i < n; i++)
        b->count[topic[i]]++;
    for (uint32_t k = 0; k < TOPICS; k++)
        if (b->count[k] > 0)
            b->row[entries++] = ez_entry(k, b->count[k]);
    return (entries + EZ_ROW_STEP - 1) / EZ_ROW_STEP * EZ_ROW_STEP;
}

/* One iteration of the topics, plainly. */
static void plain_iteration(bench *b, uint16_t *topic, uint32_t n, uint64_t key)
{
    uint32_t entries = plain_row(b, topic, n), occurrence = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = b->token_word[i];
        ez_word_weights weights = {.topics = TOPICS,
                                   .w = b->w[v],
                                   .q = b->q[v],
                                   .is_top = b->is_top[v],
                                   .record = b->record[v]};
        ez_line line;
        occurrence = i > 0 && b->token_word[i - 1] == v ? occurrence + 1 : 0;
        ez_make_line(&line, &weights, b->row, entries, topic[i]);
        uint64_t u = ez_draw(ez_word_key(key, v), b->tokens.first_doc, occurrence);
        topic[i] = (uint16_t)ez_find_on_line(&line, &weights, b->row, entries, topic[i], u);
    }
}

/* T would be 0 if neither the document's topics nor alpha had weight; top topics prevent that. */
static void check_document(bench *b, const ez_kernels *kernels, ez_infer_doc *doc)
{
    uint16_t expected[LENGTH];
    uint32_t n = (uint32_t)b->doc_start[1];
    memcpy(expected, b->start_topic, sizeof expected);
    ez_doc_tokens tokens = {b->tokens.first_doc, n, b->token_word, b->start_topic};
    ez_infer_doc_begin(doc, &b->cpu, &b->words, &tokens);
    for (uint32_t turn = 0; turn < 3; turn++) {
        uint64_t key = ez_iteration_key(b->tokens.first_doc, turn);
        kernels->infer->iterate(doc, key);
        plain_iteration(b, expected, n, key);
        for (uint32_t i = 0; i < n; i++)
            if (doc->token[i].topic != expected[i])
                CHECK_FAIL("%s: token %u of %u, word %u, iteration %u has topic %u, expected %u",
                           kernels->name, i, n, b->token_word[i], turn, doc->token[i].topic,
                           expected[i]);
    }
}

static bench *make_bench(void)
{
    bench *b = calloc(1, sizeof *b);
    b->settings = (ez_settings){.topics = TOPICS};
    b->tokens = (ez_token_list){.docs = 1, .doc_start = b->doc_start, .word = b->token_word};
    b->cpu.settings = &b->settings;
    b->cpu.tokens = &b->tokens;
    b->cpu.alpha_scaled = b->alpha_scaled;
    b->cpu.record = b->record;
    b->words =
        (ez_infer_words){.start = b->start, .topic = b->topic, .more = b->more, .zeros = PITCH};
    b->words.zero_weight = b->zero_weight;
    b->words.zero = b->zero;
    for (uint32_t z = 0; z < ZEROS; z++)
        b->words.zero_q[z] = b->zero_q[z];
    for (uint32_t v = 0; v < WORDS; v++)
        b->record[v].scale = 1;
    return b;
}

TEST(whole_documents_on_every_boundary)
{
    static const char *const names[] = {"plain", "avx2", "avx512", "neon"};
    static const ez_infer_size size = {
        .tokens = LENGTH, .words = WORDS, .cells = (uint64_t)WORDS * ENTRIES, .row = TOPICS};
    bench *b = make_bench();
    ez_infer_doc doc;
    CHECK_OK(check_context(), ez_infer_doc_init(&doc, &b->cpu, check_context(), &b->words, &size));
    for (uint32_t turn = 0; turn < 300; turn++) {
        b->tokens.first_doc = turn;
        make_zeros(b);
        for (uint32_t v = 0; v < WORDS; v++)
            make_word(b, v);
        make_document(b);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            setenv("EZLDA_SIMD", names[i], 1);
            const ez_kernels *kernels = ez_choose_kernels();
            if (kernels)
                check_document(b, kernels, &doc);
        }
    }
    unsetenv("EZLDA_SIMD");
    ez_infer_doc_free(&doc);
    free(b);
}

TEST_MAIN()
