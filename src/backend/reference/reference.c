/* The reference backend: one thread, dense W, no shortcut. It draws every token from its whole line
 * and checks each early decision against it, so a bound that is not sound ends the run with an
 * internal error. */
#include "backend/backend.h"
#include "backend/reference/line.h"
#include "backend/start.h"
#include "base/memory.h"
#include "sampler/log2_fixed.h"

typedef struct reference {
    ez_backend base;
    const ez_token_list *tokens;
    const ez_settings *settings;
    ez_priors priors;
    int weight_bits;
    uint16_t *topic;   /* tokens, in T */
    uint32_t *w_count; /* W: words * topics */
    uint64_t *topic_tokens;
    float *rate, *f;
    uint32_t *histogram; /* topics */
    uint32_t *row;       /* D: all rows, each padded */
    uint64_t *row_start; /* docs+1 */
    ez_word_weights weights;
} reference;

static void reference_free(ez_backend *backend)
{
    reference *r = (reference *)backend;
    if (!r)
        return;
    ez_free(r->topic);
    ez_free(r->w_count);
    ez_free(r->topic_tokens);
    ez_free(r->rate);
    ez_free(r->f);
    ez_free(r->histogram);
    ez_free(r->row);
    ez_free(r->row_start);
    ez_free(r->weights.w);
    ez_free(r->weights.q);
    ez_free(r->weights.is_top);
    ez_free(r);
}

/* The most entries of a document's row of D: distinct topics, entries of large counts, padding. */
static uint64_t row_capacity(uint64_t length, uint32_t topics)
{
    uint64_t entries = ez_entries_most(length, topics);
    return (entries + EZ_ROW_STEP - 1) / EZ_ROW_STEP * EZ_ROW_STEP;
}

static ezlda_status allocate(reference *r, ezlda_context *context)
{
    const ez_token_list *t = r->tokens;
    size_t k = r->settings->topics, rows = 0;
    for (uint64_t d = 0; d < t->docs; d++)
        rows += row_capacity(t->doc_start[d + 1] - t->doc_start[d], r->settings->topics);
    size_t cells;
    if (!ez_mul_size(t->words, k, &cells))
        return ez_fail(context, EZLDA_ERROR_MEMORY,
                       "the reference backend's W of %u x %zu counts is too large", t->words, k);
    EZ_TRY(ez_array(&r->topic, context, t->tokens, sizeof *r->topic, "topics"));
    EZ_TRY(ez_array(&r->w_count, context, cells, sizeof *r->w_count, "W"));
    EZ_TRY(ez_array(&r->topic_tokens, context, k, sizeof *r->topic_tokens, "topic sums"));
    EZ_TRY(ez_array(&r->rate, context, k, sizeof *r->rate, "topic rates"));
    EZ_TRY(ez_array(&r->f, context, k, sizeof *r->f, "weights"));
    EZ_TRY(ez_array_zero(&r->histogram, context, k, sizeof *r->histogram, "a histogram"));
    EZ_TRY(ez_array(&r->row, context, rows, sizeof *r->row, "D"));
    EZ_TRY(ez_array_zero(&r->row_start, context, t->docs + 1, sizeof *r->row_start, "rows of D"));
    EZ_TRY(ez_array(&r->weights.w, context, k, sizeof *r->weights.w, "weights"));
    EZ_TRY(ez_array(&r->weights.q, context, k, sizeof *r->weights.q, "weights"));
    return ez_array(&r->weights.is_top, context, k, sizeof *r->weights.is_top, "weights");
}

static ezlda_status reference_create(ez_backend **out, ezlda_context *context,
                                     ez_token_list *tokens, const ez_settings *settings,
                                     const ez_gpus *gpus)
{
    (void)gpus;
    *out = NULL;
    reference *r = NULL;
    EZ_TRY(ez_array_zero(&r, context, 1, sizeof *r, "the backend"));
    r->base.ops = &ez_reference_backend;
    r->tokens = tokens;
    r->settings = settings;
    r->weights.topics = settings->topics;
    r->priors = settings->priors;
    r->weight_bits = ez_weight_bits(tokens->longest, r->priors.alpha_sum);
    ezlda_status status = ez_token_list_index(tokens, context);
    if (status == EZLDA_OK)
        status = allocate(r, context);
    if (status != EZLDA_OK) {
        reference_free(&r->base);
        return status;
    }
    *out = &r->base;
    return EZLDA_OK;
}

/* Called for each document with the places of its tokens in T. */
typedef void (*visit_fn)(reference *r, uint64_t doc, const uint32_t *place, void *user);

static ezlda_status for_each_document(reference *r, ezlda_context *context, visit_fn visit,
                                      void *user)
{
    const ez_token_list *t = r->tokens;
    uint32_t *cursor = NULL, *place = NULL;
    ezlda_status status = ez_array(&cursor, context, t->words, sizeof *cursor, "word cursors");
    if (status == EZLDA_OK)
        status = ez_array(&place, context, t->longest, sizeof *place, "a document");
    for (uint32_t v = 0; status == EZLDA_OK && v < t->words; v++)
        cursor[v] = (uint32_t)t->word_start[v];
    for (uint64_t d = 0; status == EZLDA_OK && d < t->docs; d++) {
        uint64_t first = t->doc_start[d];
        for (uint64_t i = first; i < t->doc_start[d + 1]; i++)
            place[i - first] = cursor[t->word[i]]++;
        visit(r, d, place, user);
    }
    ez_free(cursor);
    ez_free(place);
    return status;
}

typedef struct start_user {
    uint16_t *topic;
    ez_start_scratch scratch;
} start_user;

static void start_document(reference *r, uint64_t doc, const uint32_t *place, void *user)
{
    start_user *s = user;
    ez_start_document(r->tokens, r->settings, doc, s->topic, &s->scratch);
    for (uint64_t i = 0; i < r->tokens->doc_start[doc + 1] - r->tokens->doc_start[doc]; i++)
        r->topic[place[i]] = s->topic[i];
}

static ezlda_status reference_start(ez_backend *backend, ezlda_context *context)
{
    reference *r = (reference *)backend;
    start_user user = {0};
    ezlda_status status =
        ez_array(&user.topic, context, r->tokens->longest, sizeof *user.topic, "a document");
    if (status == EZLDA_OK)
        status = ez_start_scratch_init(&user.scratch, context, r->tokens);
    if (status == EZLDA_OK)
        status = for_each_document(r, context, start_document, &user);
    ez_free(user.topic);
    ez_start_scratch_free(&user.scratch);
    return status;
}

/* Makes a document's row of D from its topics. */
static void make_row(reference *r, uint64_t doc, const uint32_t *place, void *user)
{
    (void)user;
    uint64_t length = r->tokens->doc_start[doc + 1] - r->tokens->doc_start[doc],
             at = r->row_start[doc];
    for (uint64_t i = 0; i < length; i++)
        r->histogram[r->topic[place[i]]]++;
    for (uint32_t k = 0; k < r->settings->topics; k++) {
        uint32_t left = r->histogram[k];
        r->histogram[k] = 0;
        for (; left > 0; left -= left < EZ_ENTRY_MAX ? left : EZ_ENTRY_MAX)
            r->row[at++] = ez_entry(k, left < EZ_ENTRY_MAX ? left : EZ_ENTRY_MAX);
    }
    while (at % EZ_ROW_STEP != 0)
        r->row[at++] = 0;
    r->row_start[doc + 1] = at;
}

static void add_base(reference *r)
{
    const ez_base_counts *base = r->settings->base;
    for (uint32_t v = 0; base && ez_is_root(r->settings->group) && v < r->tokens->words; v++)
        for (uint64_t i = base->start[v]; i < base->start[v + 1]; i++) {
            r->w_count[(size_t)v * r->settings->topics + base->topic[i]] += base->count[i];
            r->topic_tokens[base->topic[i]] += base->count[i];
        }
}

/* Counts W, n and all rows of D from the topics, and makes the rates. */
static ezlda_status count(reference *r, ezlda_context *context)
{
    const ez_token_list *t = r->tokens;
    uint32_t topics = r->settings->topics;
    memset(r->w_count, 0, (size_t)t->words * topics * sizeof *r->w_count);
    memset(r->topic_tokens, 0, topics * sizeof *r->topic_tokens);
    add_base(r);
    for (uint32_t v = 0; v < t->words && !r->settings->fixed; v++)
        for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1]; i++) {
            r->w_count[(size_t)v * topics + r->topic[i]]++;
            r->topic_tokens[r->topic[i]]++;
        }
    EZ_TRY(ez_group_sum32(r->settings->group, context, r->w_count, (size_t)t->words * topics));
    EZ_TRY(ez_group_sum64(r->settings->group, context, r->topic_tokens, topics));
    for (uint32_t k = 0; k < topics; k++)
        r->rate[k] = ez_topic_rate(r->topic_tokens[k], t->words, r->priors.beta);
    return for_each_document(r, context, make_row, NULL);
}

static void weigh(reference *r, uint32_t v)
{
    ez_weigh_word(&r->weights, r->w_count + (size_t)v * r->settings->topics, r->rate,
                  r->priors.alpha, r->priors.beta, r->weight_bits, r->f);
}

/* Draws the token at place i of word v and checks the early decision. */
static ezlda_status draw(reference *r, ezlda_context *context, uint64_t i, uint64_t u,
                         ez_iteration *done)
{
    const ez_settings *s = r->settings;
    uint64_t doc = r->tokens->doc[i],
             length = r->tokens->doc_start[doc + 1] - r->tokens->doc_start[doc];
    const uint32_t *row = r->row + r->row_start[doc];
    size_t entries = r->row_start[doc + 1] - r->row_start[doc];
    int64_t own = s->estimator == EZLDA_LEAVE_ONE_OUT ? r->topic[i] : -1;
    ez_line line;
    ez_make_line(&line, &r->weights, row, entries, own);
    uint32_t topic = ez_find_on_line(&line, &r->weights, row, entries, own, u);
    if (topic >= s->topics)
        return ez_fail(context, EZLDA_ERROR_INTERNAL, "a draw fell off its line");
    int branch = EZ_UNDECIDED, g = s->g ? s->g : EZ_TOP;
    if (s->sampler != EZLDA_TWO_BRANCH) {
        uint64_t rest = length - (own >= 0);
        for (int b = 0; b < g; b++)
            rest -= line.top_count[b];
        branch = ez_decide(&r->weights.record, line.top_count, line.top_alpha, g, rest, u,
                           s->sampler == EZLDA_THREE_BRANCH);
    }
    if (branch != EZ_UNDECIDED && r->weights.record.topic[branch] != topic)
        return ez_fail(context, EZLDA_ERROR_INTERNAL,
                       "an early decision for topic %u disagrees with topic %u",
                       r->weights.record.topic[branch], topic);
    done->undecided += branch == EZ_UNDECIDED;
    done->moved += topic != r->topic[i];
    r->topic[i] = (uint16_t)topic;
    return EZLDA_OK;
}

static ezlda_status reference_iterate(ez_backend *backend, ezlda_context *context,
                                      uint32_t iteration, ez_iteration *done)
{
    reference *r = (reference *)backend;
    const ez_token_list *t = r->tokens;
    uint64_t key = ez_iteration_key(r->settings->seed, iteration);
    *done = (ez_iteration){0};
    EZ_TRY(count(r, context));
    for (uint32_t v = 0; v < t->words; v++) {
        if (t->word_start[v] == t->word_start[v + 1])
            continue;
        weigh(r, v);
        uint64_t word_key = ez_word_key(key, v);
        uint32_t occurrence = 0;
        for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1]; i++) {
            occurrence = i > t->word_start[v] && t->doc[i] == t->doc[i - 1] ? occurrence + 1 : 0;
            EZ_TRY(
                draw(r, context, i, ez_draw(word_key, ez_doc_key(t, t->doc[i]), occurrence), done));
        }
    }
    return EZLDA_OK;
}

static ezlda_status reference_priors(ez_backend *backend, ezlda_context *context,
                                     const ez_priors *priors)
{
    (void)context;
    reference *r = (reference *)backend;
    r->priors = *priors;
    r->weight_bits = ez_weight_bits(r->tokens->longest, priors->alpha_sum);
    return EZLDA_OK;
}

static ezlda_status reference_histograms(ez_backend *backend, ezlda_context *context,
                                         ez_histograms *out)
{
    reference *r = (reference *)backend;
    uint32_t topics = r->settings->topics, sum;
    ez_histograms_clear(out);
    EZ_TRY(count(r, context));
    for (uint64_t d = 0; d < r->tokens->docs; d++)
        for (uint64_t j = r->row_start[d]; j < r->row_start[d + 1]; j++) {
            uint32_t k = ez_entry_topic(r->row[j]);
            for (sum = ez_entry_count(r->row[j]);
                 j + 1 < r->row_start[d + 1] && sum > 0 && ez_entry_topic(r->row[j + 1]) == k &&
                 ez_entry_count(r->row[j + 1]) > 0;
                 j++)
                sum += ez_entry_count(r->row[j + 1]);
            if (sum > 0)
                EZ_TRY(ez_histograms_doc(out, context, k, sum));
        }
    for (size_t i = 0; i < (size_t)r->tokens->words * topics; i++)
        if (r->w_count[i] > 0)
            ez_histograms_word(out, r->w_count[i]);
    memcpy(out->topic_tokens, r->topic_tokens, topics * sizeof *out->topic_tokens);
    return EZLDA_OK;
}

static ezlda_status reference_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    reference *r = (reference *)backend;
    const ez_token_list *t = r->tokens;
    *sum = 0;
    EZ_TRY(count(r, context));
    for (uint32_t v = 0; v < t->words; v++) {
        if (t->word_start[v] == t->word_start[v + 1])
            continue;
        weigh(r, v);
        int64_t scale = (int64_t)(ez_exponent(r->weights.record.scale) - 1 + EZ_ALPHA_BITS)
                        << EZ_LOG2_BITS;
        for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1]; i++) {
            uint64_t doc = t->doc[i], length = t->doc_start[doc + 1] - t->doc_start[doc];
            ez_line line;
            ez_make_line(&line, &r->weights, r->row + r->row_start[doc],
                         r->row_start[doc + 1] - r->row_start[doc], -1);
            *sum += ez_log2_fixed(line.total) - scale -
                    ez_log2_fixed_double((double)length + r->priors.alpha_sum);
        }
    }
    return EZLDA_OK;
}

static void copy_topics(reference *r, uint64_t doc, const uint32_t *place, void *user)
{
    uint16_t *out = user;
    uint64_t first = r->tokens->doc_start[doc];
    for (uint64_t i = first; i < r->tokens->doc_start[doc + 1]; i++)
        out[i] = r->topic[place[i - first]];
}

static ezlda_status reference_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    return for_each_document((reference *)backend, context, copy_topics, out);
}

const ez_backend_ops ez_reference_backend = {
    .name = "reference",
    .create = reference_create,
    .start = reference_start,
    .iterate = reference_iterate,
    .priors = reference_priors,
    .histograms = reference_histograms,
    .score = reference_score,
    .topics = reference_topics,
    .free = reference_free,
};
