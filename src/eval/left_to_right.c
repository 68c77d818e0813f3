/* Runs the particles of the left-to-right estimator over one document. */
#include "eval/left_to_right.h"

#include "sampler/arithmetic.h"

ezlda_status ez_left_to_right_make(ez_left_to_right *out, ezlda_context *context,
                                   const ez_topic_weights *weights, uint32_t particles,
                                   uint32_t resample)
{
    *out = (ez_left_to_right){.weights = weights, .particles = particles, .resample = resample};
    EZ_TRY(ez_array(&out->smooth, context, weights->topics, sizeof *out->smooth, "topic weights"));
    double sum = 0;
    for (uint32_t k = 0; k < weights->topics; k++)
        out->smooth[k] = sum += weights->alpha[k] * weights->rate[k];
    return EZLDA_OK;
}

void ez_left_to_right_free(ez_left_to_right *estimator)
{
    ez_free(estimator->smooth);
    *estimator = (ez_left_to_right){0};
}

/* ---- room ---- */

/* Rows are processed in steps of this many entries, whose products are independent. The last step
 * is padded with entries of weight 0. */
enum { STEP = 8 };

struct ez_ltr_room {
    const ez_left_to_right *estimator;
    double *share;         /* topics: count in the particle + alpha; alpha between particles */
    double rates;          /* sum of rate[k] over the particle's tokens */
    uint64_t key;          /* key of the particle's random numbers */
    const uint32_t *token; /* tokens of the document */
    ez_buffer start;       /* size_t, the document's words + 1: the steps of their rows of W */
    ez_buffer of, weight;  /* uint16_t, double: the rows' topics, and W[w][k] * rate[k] */
    ez_buffer topic, p;    /* by position: uint32_t in the particle, double over all particles */
    double *sum;           /* running sums after each step of the row that was weighed last */
};

ezlda_status ez_ltr_room_create(ez_ltr_room **out, ezlda_context *context,
                                const ez_left_to_right *estimator)
{
    const ez_topic_weights *weights = estimator->weights;
    ez_ltr_room *room = NULL;
    ezlda_status status;
    *out = NULL;
    EZ_TRY(ez_array_zero(&room, context, 1, sizeof *room, "room for particles"));
    room->estimator = estimator;
    EZ_TRY_GOTO(ez_array(&room->share, context, weights->topics, sizeof *room->share,
                         "room for particles"));
    EZ_TRY_GOTO(ez_array(&room->sum, context, weights->topics / STEP + 1, sizeof *room->sum,
                         "room for particles"));
    memcpy(room->share, weights->alpha, weights->topics * sizeof *room->share);
    *out = room;
    room = NULL;
done:
    ez_ltr_room_free(room);
    return status;
}

void ez_ltr_room_free(ez_ltr_room *room)
{
    if (!room)
        return;
    ez_free(room->share);
    ez_free(room->sum);
    ez_free(room->start.data);
    ez_free(room->of.data);
    ez_free(room->weight.data);
    ez_free(room->topic.data);
    ez_free(room->p.data);
    ez_free(room);
}

/* `buffer` becomes an array of n elements. */
static ezlda_status fit(ez_buffer *buffer, ezlda_context *context, size_t n, size_t size)
{
    size_t bytes;
    if (!ez_mul_size(n, size, &bytes))
        return ez_fail(context, EZLDA_ERROR_MEMORY,
                       "not enough memory for a document of %zu tokens", n);
    buffer->used = 0;
    EZ_TRY(ez_buffer_reserve(buffer, context, bytes));
    buffer->used = bytes;
    return EZLDA_OK;
}

static void load_row(const ez_topic_weights *weights, uint32_t word, uint16_t *topic,
                     double *weight)
{
    const ez_rows *rows = weights->rows;
    size_t n = 0;
    for (uint64_t i = rows->start[word]; i < rows->start[word + 1]; i++, n++) {
        topic[n] = rows->topic[i];
        weight[n] = weights->rate[topic[n]] * ez_rows_count(rows, i);
    }
    for (; n % STEP; n++) {
        topic[n] = 0;
        weight[n] = 0;
    }
}

static ezlda_status load_rows(ez_ltr_room *room, ezlda_context *context, const uint32_t *word,
                              size_t n)
{
    const ez_topic_weights *weights = room->estimator->weights;
    const uint64_t *row = weights->rows->start;
    size_t steps = 0;
    EZ_TRY(fit(&room->start, context, n + 1, sizeof(size_t)));
    size_t *start = (size_t *)(void *)room->start.data;
    for (size_t i = 0; i < n; i++) {
        start[i] = steps;
        steps += (size_t)((row[word[i] + 1] - row[word[i]] + STEP - 1) / STEP);
    }
    start[n] = steps;
    EZ_TRY(fit(&room->of, context, steps, STEP * sizeof(uint16_t)));
    EZ_TRY(fit(&room->weight, context, steps, STEP * sizeof(double)));
    uint16_t *topic = (uint16_t *)(void *)room->of.data;
    double *weight = (double *)(void *)room->weight.data;
    for (size_t i = 0; i < n; i++)
        load_row(weights, word[i], topic + start[i] * STEP, weight + start[i] * STEP);
    return EZLDA_OK;
}

/* ---- one particle ---- */

static uint32_t *topics_of(const ez_ltr_room *room)
{
    return (uint32_t *)(void *)room->topic.data;
}

static void add_token(ez_ltr_room *room, size_t position, uint32_t k)
{
    topics_of(room)[position] = k;
    room->share[k] += 1;
    room->rates += room->estimator->weights->rate[k];
}

static void remove_token(ez_ltr_room *room, size_t position)
{
    uint32_t k = topics_of(room)[position];
    room->share[k] -= 1;
    room->rates -= room->estimator->weights->rate[k];
}

/* The row of the word at a position. */
typedef struct word_row {
    size_t steps;
    const uint16_t *topic;
    const double *weight;
} word_row;

static word_row row_of(const ez_ltr_room *room, size_t position)
{
    const size_t *start = (const size_t *)(const void *)room->start.data + room->token[position];
    return (word_row){start[1] - start[0],
                      (const uint16_t *)(const void *)room->of.data + start[0] * STEP,
                      (const double *)(const void *)room->weight.data + start[0] * STEP};
}

/* Sum over k of (count + alpha[k]) * phi[k][w] for the word at a position; running sums over its
 * row in room->sum. */
static double weigh(ez_ltr_room *room, size_t position)
{
    const ez_topic_weights *weights = room->estimator->weights;
    word_row row = row_of(room, position);
    const double *share = room->share;
    double sum = 0;
    for (size_t s = 0; s < row.steps; s++) {
        const uint16_t *k = row.topic + s * STEP;
        const double *w = row.weight + s * STEP;
        double a = share[k[0]] * w[0] + share[k[1]] * w[1],
               b = share[k[2]] * w[2] + share[k[3]] * w[3];
        double c = share[k[4]] * w[4] + share[k[5]] * w[5],
               d = share[k[6]] * w[6] + share[k[7]] * w[7];
        room->sum[s] = sum += (a + b) + (c + d);
    }
    return sum + weights->beta * room->rates + weights->smooth;
}

/* The first position whose running sum is above x; n-1 if rounding put x at the end. */
static size_t find(const double *sum, size_t n, double x)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sum[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Draws from the part that beta adds: one of the particle's topics (one token each), or any topic
 * by alpha. This is rare because beta is small. */
static uint32_t draw_smooth(const ez_ltr_room *room, size_t tokens, size_t without, double x)
{
    const ez_topic_weights *weights = room->estimator->weights;
    const uint32_t *topic = topics_of(room);
    for (size_t i = 0; i < tokens; i++) {
        if (i == without)
            continue;
        x -= weights->rate[topic[i]];
        if (x < 0)
            return topic[i];
    }
    return (uint32_t)find(room->estimator->smooth, weights->topics, x);
}

/* x lies on the row, whose running sums are in room->sum. */
static uint32_t draw_row(const ez_ltr_room *room, const word_row *row, double x)
{
    size_t step = find(room->sum, row->steps, x), i = step * STEP, last = i;
    x -= step ? room->sum[step - 1] : 0;
    for (size_t end = i + STEP; i < end && row->weight[i] > 0; i++) {
        last = i;
        x -= room->share[row->topic[i]] * row->weight[i];
        if (x < 0)
            break;
    }
    return row->topic[last];
}

/* Draws a topic for the word at a position, after weigh gave the total. Positions 0 .. tokens-1
 * except `without` count. */
static uint32_t draw(const ez_ltr_room *room, size_t position, size_t tokens, size_t without,
                     double total, uint64_t u)
{
    word_row row = row_of(room, position);
    double x = (double)(u >> 11) * 0x1p-53 * total, end = row.steps ? room->sum[row.steps - 1] : 0;
    if (x < end)
        return draw_row(room, &row, x);
    return draw_smooth(room, tokens, without, (x - end) / room->estimator->weights->beta);
}

/* Random numbers are keyed by position, step and purpose. */
static uint64_t random_at(const ez_ltr_room *room, size_t position, size_t step, uint64_t purpose)
{
    return ez_mix(ez_mix(room->key + position * 0x9e3779b97f4a7c15u) + step * 0xbf58476d1ce4e5b9u +
                  purpose);
}

static void resample(ez_ltr_room *room, size_t tokens)
{
    bool all = tokens <= room->estimator->resample;
    size_t steps = all ? tokens : room->estimator->resample;
    for (size_t step = 0; step < steps; step++) {
        size_t position = all ? step : (size_t)ez_mulhi(random_at(room, tokens, step, 1), tokens);
        remove_token(room, position);
        double total = weigh(room, position);
        add_token(room, position,
                  draw(room, position, tokens, position, total, random_at(room, tokens, step, 2)));
    }
}

static void run_particle(ez_ltr_room *room, size_t n_tokens)
{
    const ez_topic_weights *weights = room->estimator->weights;
    double *p = (double *)(void *)room->p.data;
    room->rates = 0;
    for (size_t i = 0; i < n_tokens; i++) {
        resample(room, i);
        double total = weigh(room, i);
        p[i] += total / (weights->alpha_sum + (double)i);
        add_token(room, i, draw(room, i, i, n_tokens, total, random_at(room, i, 0, 3)));
    }
    for (size_t i = 0; i < n_tokens;
         i++) /* set exactly: rounding errors must not reach the next document */
        room->share[topics_of(room)[i]] = weights->alpha[topics_of(room)[i]];
}

ezlda_status ez_ltr_score(ez_ltr_room *room, ezlda_context *context, uint64_t key,
                          const uint32_t *word, size_t n, const uint32_t *token, size_t n_tokens,
                          double *log_probability)
{
    EZ_TRY(load_rows(room, context, word, n));
    EZ_TRY(fit(&room->topic, context, n_tokens, sizeof(uint32_t)));
    EZ_TRY(fit(&room->p, context, n_tokens, sizeof(double)));
    double *p = (double *)(void *)room->p.data, sum = 0;
    memset(p, 0, n_tokens * sizeof *p);
    room->token = token;
    for (uint32_t r = 0; r < room->estimator->particles; r++) {
        room->key = ez_mix(key + r);
        run_particle(room, n_tokens);
    }
    for (size_t i = 0; i < n_tokens; i++)
        sum += log(p[i] / room->estimator->particles);
    *log_probability = sum;
    return EZLDA_OK;
}
