/* Chooses the sample, removes it from W, and fits beta to it. */
#include "train/priors/prior_sample.h"

#include "sampler/arithmetic.h"
#include "train/counts/count_chunks.h"
#include "train/counts/count_rows.h"

#include <string.h>

/* One document in this many is in the sample, and at most this many; if there were fewer than the
 * least, there is no sample. */
enum { EZ_SAMPLE_SHARE = 16, EZ_SAMPLE_MOST = 1024, EZ_SAMPLE_LEAST = 16 };

/* The documents of the sample that this rank has. */
typedef struct finding {
    ezlda_context *context;
    uint64_t seed;
    ez_buffer length, word; /* uint64_t of a document, uint32_t of a token */
    ez_buffer *place;
} finding;

static ezlda_status add_document(finding *f, const ez_token_list *t, uint64_t d, uint64_t before)
{
    uint64_t first = t->doc_start[d], length = t->doc_start[d + 1] - first;
    EZ_TRY(ez_buffer_append(&f->length, f->context, &length, sizeof length));
    for (uint64_t i = first; i < first + length; i++) {
        uint64_t place = before + i;
        EZ_TRY(ez_buffer_append(f->place, f->context, &place, sizeof place));
    }
    return ez_buffer_append(&f->word, f->context, t->word + first, length * sizeof *t->word);
}

/* Adds the documents whose random number is low enough. */
static ezlda_status find_documents(ez_token_list *t, uint64_t before, void *user)
{
    finding *f = user;
    uint64_t wanted = t->all_docs / EZ_SAMPLE_SHARE, key = ez_iteration_key(f->seed, 0);
    wanted = wanted < EZ_SAMPLE_MOST ? wanted : EZ_SAMPLE_MOST;
    for (uint64_t d = 0; d < t->docs && wanted >= EZ_SAMPLE_LEAST; d++)
        if (ez_mulhi(ez_draw(key, t->first_doc + d, 0), t->all_docs) < wanted)
            EZ_TRY(add_document(f, t, d, before));
    return EZLDA_OK;
}

/* Counts, over all ranks, the tokens of words outside the sample. */
static ezlda_status count_rest(ez_prior_sample *p, ezlda_context *context, const finding *f,
                               ezlda_group *group)
{
    const ez_token_list *t = p->tokens;
    const uint32_t *word = (const uint32_t *)f->word.data;
    for (size_t i = 0; i < f->word.used / sizeof *word; i++)
        p->rest[word[i]]++;
    EZ_TRY(ez_group_sum64(group, context, p->rest, t->words));
    for (uint32_t v = 0; v < t->words; v++) {
        p->rest[v] = ez_word_frequency(t, v) - p->rest[v];
        p->dropped += p->rest[v] > 0 ? 0 : ez_word_frequency(t, v);
    }
    return EZLDA_OK;
}

/* Drops tokens of words that only the sample has. */
static void drop_unknown(const ez_prior_sample *p, finding *f)
{
    uint64_t *length = (uint64_t *)f->length.data, *place = (uint64_t *)f->place->data;
    uint32_t *word = (uint32_t *)f->word.data;
    size_t kept = 0, i = 0;
    for (size_t d = 0; d < f->length.used / sizeof *length; d++) {
        size_t first = kept, last = i + length[d];
        for (; i < last; i++)
            if (p->rest[word[i]] > 0) {
                place[kept] = place[i];
                word[kept++] = word[i];
            }
        length[d] = kept - first;
    }
    f->word.used = kept * sizeof *word;
    f->place->used = kept * sizeof *place;
}

/* Makes the token list of the sample from the lengths and words of its documents. */
static ezlda_status make_sample(ez_prior_sample *p, ezlda_context *context, ez_buffer *lengths,
                                ez_buffer *words)
{
    uint64_t docs = lengths->used / sizeof(uint64_t), *start = NULL, at = 0;
    uint32_t *word = NULL;
    ezlda_status status = ez_array(&start, context, docs + 1, sizeof *start, "document starts");
    if (status == EZLDA_OK)
        status = ez_array(&word, context, words->used / sizeof *word, sizeof *word,
                          "the words of all tokens");
    if (status != EZLDA_OK) {
        ez_free(start);
        return status;
    }
    for (uint64_t s = 0; s < docs; s++) {
        start[s] = at;
        at += ((const uint64_t *)lengths->data)[s];
    }
    start[docs] = at;
    memcpy(word, words->data, words->used);
    ez_token_subset part = {.frequency = p->rest, .longest = p->tokens->longest};
    return ez_token_list_create_subset(&p->sample, context, docs, p->tokens->words, start, word,
                                       &part);
}

ezlda_status ez_prior_sample_init(ez_prior_sample *p, ezlda_context *context, ez_token_list *tokens,
                                  const ez_settings *settings)
{
    finding f = {.context = context, .seed = settings->seed, .place = &p->place};
    ezlda_status status;
    p->tokens = tokens;
    EZ_TRY_GOTO(
        ez_array_zero(&p->rest, context, tokens->words, sizeof *p->rest, "the prior sample"));
    EZ_TRY_GOTO(ez_each_list(tokens, settings->source, context, find_documents, &f));
    EZ_TRY_GOTO(count_rest(p, context, &f, settings->group));
    drop_unknown(p, &f);
    EZ_TRY_GOTO(ez_group_join(settings->group, context, &f.length));
    EZ_TRY_GOTO(ez_group_join(settings->group, context, &f.word));
    if (f.word.used > 0)
        status = make_sample(p, context, &f.length, &f.word);
done:
    ez_free(f.length.data);
    ez_free(f.word.data);
    return status;
}

void ez_prior_sample_free(ez_prior_sample *p)
{
    ez_token_list_free(p->sample);
    ez_free(p->place.data);
    ez_free(p->rest);
}

static void free_rows(ez_count_rows *rows)
{
    ez_free(rows->start);
    ez_free(rows->topic);
    ez_free(rows->count);
}

/* Counts the sample's tokens by word and topic; rows are numbered by the sample's words. */
static ezlda_status count_sample(ez_count_rows *rows, const ez_prior_sample *p,
                                 ezlda_context *context, const ez_settings *settings,
                                 const uint16_t *topic)
{
    const uint64_t *place = (const uint64_t *)p->place.data;
    ez_buffer own = {0};
    ezlda_status status = EZLDA_OK;
    for (size_t i = 0; i < p->place.used / sizeof *place; i++)
        EZ_TRY_GOTO(ez_buffer_append(&own, context, &topic[place[i]], sizeof *topic));
    EZ_TRY_GOTO(ez_group_join(settings->group, context, &own));
    status = ez_count_word_rows(rows, context, p->sample, settings->topics,
                                (const uint16_t *)own.data, NULL);
done:
    ez_free(own.data);
    return status;
}

/* Appends the counts of a full row that are not 0. */
static ezlda_status append_full(ez_buffer *topic, ez_buffer *count, ezlda_context *context,
                                const uint32_t *full, uint32_t topics)
{
    for (uint32_t k = 0; k < topics; k++)
        if (full[k] > 0) {
            uint16_t name = (uint16_t)k;
            EZ_TRY(ez_buffer_append(topic, context, &name, sizeof name));
            EZ_TRY(ez_buffer_append(count, context, &full[k], sizeof full[k]));
        }
    return EZLDA_OK;
}

/* Sums rows of W over the ranks, some words at a time. */
static ezlda_status sum_rows(ez_count_rows *rows, ezlda_context *context,
                             const ez_settings *settings)
{
    enum { CELLS = 1 << 22 };
    uint32_t topics = settings->topics, *full = NULL;
    uint64_t step = CELLS / topics, first = 0;
    ez_buffer topic = {0}, count = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&full, context, ez_product(step, topics), sizeof *full, "rows of W"));
    for (uint64_t v = 0; v < rows->rows; v += step) {
        uint64_t last = v + step < rows->rows ? v + step : rows->rows;
        memset(full, 0, step * topics * sizeof *full);
        for (uint64_t r = v; r < last; r++)
            for (uint64_t i = r == v ? first : rows->start[r]; i < rows->start[r + 1]; i++)
                full[(r - v) * topics + rows->topic[i]] = rows->count[i];
        EZ_TRY_GOTO(ez_group_sum32(settings->group, context, full, (last - v) * topics));
        first = rows->start[last]; /* before the sums overwrite it */
        for (uint64_t r = v; r < last; r++) {
            EZ_TRY_GOTO(append_full(&topic, &count, context, full + (r - v) * topics, topics));
            rows->start[r + 1] = count.used / sizeof(uint32_t);
        }
    }
    ez_free(rows->topic);
    ez_free(rows->count);
    rows->topic = (uint16_t *)topic.data;
    rows->count = (uint32_t *)count.data;
    topic.data = count.data = NULL;
done:
    ez_free(full);
    ez_free(topic.data);
    ez_free(count.data);
    return status;
}

typedef struct counting {
    ez_count_rows *rows;
    ezlda_context *context;
    const uint16_t *topic;
    uint32_t topics;
} counting;

/* Adds the rows of W of the documents of a list. */
static ezlda_status add_list(ez_token_list *list, uint64_t before, void *user)
{
    const counting *c = user;
    ez_count_rows own = {0};
    if (!c->rows->start)
        return ez_count_word_rows(c->rows, c->context, list, c->topics, c->topic + before, NULL);
    ezlda_status status =
        ez_count_word_rows(&own, c->context, list, c->topics, c->topic + before, NULL);
    if (status == EZLDA_OK)
        status = ez_add_rows(c->rows, c->context, &own);
    free_rows(&own);
    return status;
}

/* Appends row v of W less row r of the sample to the base. */
static void append_rest(ez_model_base *base, const ez_count_rows *all, uint32_t v,
                        const ez_count_rows *own, uint32_t r)
{
    uint64_t at = base->start[r], j = own->start[r];
    uint32_t sum = 0;
    for (uint64_t i = all->start[v]; i < all->start[v + 1]; i++) {
        uint32_t count = all->count[i];
        if (j < own->start[r + 1] && own->topic[j] == all->topic[i])
            count -= own->count[j++];
        if (count == 0)
            continue;
        sum += count;
        base->topic[at] = all->topic[i];
        base->count[at] = count;
        base->through[at++] = sum;
    }
    base->start[r + 1] = at;
}

static ezlda_status make_base(ez_model_base *base, const ez_prior_sample *p, ezlda_context *context,
                              const ez_settings *settings, const uint16_t *topic)
{
    uint32_t words = p->tokens->words;
    ez_count_rows all = {0}, own = {0};
    ezlda_status status;
    counting c = {&all, context, topic, settings->topics};
    EZ_TRY_GOTO(ez_each_list(p->tokens, settings->source, context, add_list, &c));
    if (ez_is_distributed(settings->group))
        EZ_TRY_GOTO(sum_rows(&all, context, settings));
    EZ_TRY_GOTO(count_sample(&own, p, context, settings, topic));
    uint64_t most = all.start[words];
    EZ_TRY_GOTO(
        ez_array(&base->start, context, (size_t)words + 1, sizeof *base->start, "rows of W"));
    EZ_TRY_GOTO(ez_array(&base->topic, context, most, sizeof *base->topic, "rows of W"));
    EZ_TRY_GOTO(ez_array(&base->count, context, most, sizeof *base->count, "rows of W"));
    EZ_TRY_GOTO(ez_array(&base->through, context, most, sizeof *base->through, "rows of W"));
    base->start[0] = 0;
    for (uint32_t r = 0; r < words; r++) {
        uint32_t v = p->sample->original[r];
        if (p->rest[v] > 0)
            append_rest(base, &all, v, &own, r);
        else
            base->start[r + 1] = base->start[r];
    }
    base->counts = (ez_base_counts){base->start, base->topic, base->count};
done:
    free_rows(&all);
    free_rows(&own);
    return status;
}

ezlda_status ez_prior_sample_open(ez_prior_sample_run *run, const ez_prior_sample *p,
                                  ezlda_context *context, ez_backend *backend,
                                  const ez_settings *settings, const ez_priors *priors)
{
    uint16_t *own = NULL, *topic = settings->source ? settings->source->topic : NULL;
    ezlda_status status;
    if (!topic)
        EZ_TRY_GOTO(ez_array(&own, context, p->tokens->tokens, sizeof *own, "topics"));
    topic = topic ? topic : own;
    EZ_TRY_GOTO(backend->ops->topics(backend, context, topic));
    EZ_TRY_GOTO(make_base(&run->base, p, context, settings, topic));
    EZ_TRY_GOTO(ez_array(&run->start, context, p->sample->tokens, sizeof *run->start, "topics"));
    ez_model_base_start(&run->base, context, settings->seed, p->sample, run->start);
    run->settings = (ez_settings){
        .topics = settings->topics,
        .seed = settings->seed,
        .priors = *priors,
        .estimator = EZLDA_LEAVE_ONE_OUT,
        .start_topics = run->start,
        .base = &run->base.counts,
        .fixed = true,
        .histograms = true,
    };
    EZ_TRY_GOTO(ez_cpu_backend.create(&run->backend, context, p->sample, &run->settings, NULL));
    status = run->backend->ops->start(run->backend, context);
done:
    ez_free(own);
    return status;
}

/* If the other documents have a word c times in a topic, a token of the sample there is due to
 * beta, and not to the counts, with probability beta / (c + beta). Returns the expected number of
 * such tokens, divided by beta. */
static double owed_to_beta(const ez_prior_sample_run *run, const ez_prior_sample *p,
                           const ez_count_rows *own, double beta)
{
    const ez_model_base *base = &run->base;
    double sum = 0;
    for (uint64_t r = 0; r < own->rows; r++)
        for (uint64_t j = own->start[r], i = base->start[r]; j < own->start[r + 1]; j++) {
            while (i < base->start[r + 1] && base->topic[i] < own->topic[j])
                i++;
            bool met = i < base->start[r + 1] && base->topic[i] == own->topic[j];
            sum += own->count[j] / (beta + (met ? base->count[i] : 0));
        }
    return sum + (double)p->dropped / beta;
}

/* Tokens of topics in the other documents, and in the sample. */
typedef struct topic_sums {
    uint64_t *rest, *own;
} topic_sums;

static ezlda_status sum_topics(topic_sums *sums, const ez_prior_sample_run *run,
                               ezlda_context *context, const ez_count_rows *own)
{
    EZ_TRY(ez_array_zero(&sums->rest, context, run->settings.topics, sizeof *sums->rest,
                         "topic sums"));
    EZ_TRY(
        ez_array_zero(&sums->own, context, run->settings.topics, sizeof *sums->own, "topic sums"));
    for (uint64_t i = 0; i < run->base.start[own->rows]; i++)
        sums->rest[run->base.topic[i]] += run->base.count[i];
    for (uint64_t i = 0; i < own->start[own->rows]; i++)
        sums->own[own->topic[i]] += own->count[i];
    return EZLDA_OK;
}

/* The same number as a model with this beta would expect it from the sizes of topics alone, divided
 * by beta_sum (beta times the words). Dropped tokens have no topic: the others represent them. */
static double expected_of_beta(const topic_sums *sums, const ez_prior_sample_run *run,
                               const ez_prior_sample *p, double beta_sum)
{
    double sum = 0;
    for (uint32_t k = 0; k < run->settings.topics; k++)
        sum += (double)sums->own[k] / ((double)sums->rest[k] + beta_sum);
    return sum * (1 + (double)p->dropped / (double)p->sample->tokens);
}

ezlda_status ez_prior_sample_beta(const ez_prior_sample_run *run, const ez_prior_sample *p,
                                  ezlda_context *context, int steps, float *beta)
{
    ez_count_rows own = {0};
    topic_sums sums = {0};
    uint16_t *topic = NULL;
    double b = (double)*beta, words = p->tokens->words;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&topic, context, p->sample->tokens, sizeof *topic, "topics"));
    EZ_TRY_GOTO(run->backend->ops->topics(run->backend, context, topic));
    EZ_TRY_GOTO(ez_count_word_rows(&own, context, p->sample, run->settings.topics, topic, NULL));
    EZ_TRY_GOTO(sum_topics(&sums, run, context, &own));
    for (int i = 0; i < steps; i++)
        b *= owed_to_beta(run, p, &own, b) / (words * expected_of_beta(&sums, run, p, b * words));
    *beta = (float)b;
done:
    ez_free(topic);
    ez_free(sums.rest);
    ez_free(sums.own);
    free_rows(&own);
    return status;
}

void ez_prior_sample_close(ez_prior_sample_run *run)
{
    if (run->backend)
        run->backend->ops->free(run->backend);
    ez_model_base_free(&run->base);
    ez_free(run->start);
}
