/* The public calls for samples of documents' topics: drawing them, and intervals of shares. */
#include "numeric/distributions.h"
#include "posterior/chain_run.h"

#include <math.h>
#include <string.h>

/* Rows of one sample, encoded by span. */
typedef struct recording {
    ezlda_context *context;
    uint32_t topics;
    struct span {
        ez_buffer rows, ends; /* ends: u64, bytes of rows at the end of each group */
        ezlda_status status;
    } span[EZ_CHAIN_SPANS];
    uint64_t docs;
    ezlda_samples *samples;
} recording;

static void record_document(void *user, uint32_t span, const ez_chain_doc *doc)
{
    recording *r = user;
    struct span *s = &r->span[span];
    if (s->status == EZLDA_OK)
        s->status = ez_sample_row_put(&s->rows, r->context, doc->by_topic, r->topics);
    if (s->status != EZLDA_OK || ((doc->doc + 1) % EZ_SAMPLE_GROUP != 0 && doc->doc + 1 != r->docs))
        return;
    uint64_t used = s->rows.used;
    s->status = ez_buffer_append(&s->ends, r->context, &used, sizeof used);
}

static ezlda_status record(void *user, ezlda_context *context, const ez_chain *chain,
                           uint32_t round, bool keep)
{
    recording *r = user;
    ezlda_samples *samples = r->samples;
    (void)round;
    if (!keep)
        return EZLDA_OK;
    for (int i = 0; i < EZ_CHAIN_SPANS; i++)
        r->span[i].rows.used = r->span[i].ends.used = 0;
    EZ_TRY(ez_chain_visit(chain, context, record_document, r));
    for (int i = 0; i < EZ_CHAIN_SPANS; i++) {
        struct span *s = &r->span[i];
        EZ_TRY(s->status);
        uint64_t before = samples->rows_owned.used;
        EZ_TRY(ez_buffer_append(&samples->rows_owned, context, s->rows.data, s->rows.used));
        for (size_t at = 0; at < s->ends.used; at += sizeof(uint64_t)) {
            uint64_t end;
            memcpy(&end, s->ends.data + at, sizeof end);
            end += before;
            EZ_TRY(ez_buffer_append(&samples->start_owned, context, &end, sizeof end));
        }
    }
    return EZLDA_OK;
}

ezlda_status ezlda_samples_draw(ezlda_samples **out, ezlda_context *context,
                                const ezlda_model *model, const ezlda_corpus *corpus,
                                const ezlda_sampling_options *given)
{
    ezlda_sampling_options options;
    ez_corpus_sizes sizes;
    ez_chain *chain = NULL;
    ezlda_status status;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the samples"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_needs(context, corpus, "a corpus"));
    EZ_TRY(ez_sampling_read(&options, context, given));
    ez_corpus_sizes_of(corpus, &sizes);
    recording r = {.context = context, .topics = model->meta->topics, .docs = sizes.docs};
    EZ_TRY_GOTO(ez_samples_create(&r.samples, context, sizes.docs, r.topics, options.samples));
    EZ_TRY_GOTO(ez_chain_open(&chain, context, model, corpus, options.seed));
    EZ_TRY_GOTO(ez_sampling_run(chain, context, &options, record, &r));
    r.samples->own = ez_chain_is_own(chain);
    EZ_TRY_GOTO(ez_buffer_append(&r.samples->alpha_owned, context, ez_chain_alpha(chain),
                                 r.topics * sizeof(double)));
    ez_samples_seal(r.samples);
    *out = r.samples;
    r.samples = NULL;
done:
    for (int i = 0; i < EZ_CHAIN_SPANS; i++) {
        ez_free(r.span[i].rows.data);
        ez_free(r.span[i].ends.data);
    }
    ez_chain_close(chain);
    ezlda_samples_free(r.samples);
    return status;
}

/* ---- intervals ---- */

/* The posterior of a share: beta distributions, each with its weight among the samples. */
typedef struct mixture {
    size_t n;
    double *a, *b, *weight;
} mixture;

static double below(const mixture *m, double x)
{
    double sum = 0;
    for (size_t i = 0; i < m->n; i++)
        sum += m->weight[i] * ez_beta_below(x, m->a[i], m->b[i]);
    return sum;
}

static double quantile(const mixture *m, double p)
{
    double low = 0, high = 1;
    for (int i = 0; i < 40 && high - low > 1e-9; i++) {
        double middle = (low + high) / 2;
        *(below(m, middle) < p ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* Adds a sample's distribution, or raises the weight of an equal one. */
static void add(mixture *m, double a, double b, double weight)
{
    for (size_t i = 0; i < m->n; i++)
        if (!(m->a[i] < a) && !(m->a[i] > a)) {
            m->weight[i] += weight;
            return;
        }
    m->a[m->n] = a;
    m->b[m->n] = b;
    m->weight[m->n++] = weight;
}

ezlda_status ezlda_samples_share(double *mean, double *low, double *high, ezlda_context *context,
                                 const ezlda_model *model, const ezlda_samples *samples,
                                 uint64_t doc, uint32_t topic, double level)
{
    ez_clear(context);
    if (!model || !samples || samples->topics != model->meta->topics || doc >= samples->docs ||
        topic >= samples->topics || !(level > 0 && level < 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_samples_share: expected samples of this model, one of their "
                       "documents, a topic, and a level between 0 and 1");
    uint32_t *list = NULL, *count = NULL;
    double *room = NULL, sum = 0, alpha_sum = 0;
    ezlda_status status;
    mixture m = {0};
    EZ_TRY_GOTO(ez_array(&list, context, samples->topics, sizeof *list, "topics"));
    EZ_TRY_GOTO(ez_array(&count, context, samples->topics, sizeof *count, "topics"));
    EZ_TRY_GOTO(ez_array(&room, context, ez_product(3, samples->samples), sizeof *room, "samples"));
    for (uint32_t k = 0; k < samples->topics; k++)
        alpha_sum += samples->alpha[k];
    m = (mixture){0, room, room + samples->samples, room + 2 * (size_t)samples->samples};
    for (uint32_t s = 0; s < samples->samples; s++) {
        size_t n = ez_sample_row_get(samples, s, doc, list, count, samples->topics);
        double tokens = 0, own = 0, alpha = samples->alpha[topic];
        for (size_t i = 0; i < n; i++) {
            tokens += count[i];
            own += list[i] == topic ? count[i] : 0;
        }
        add(&m, own + alpha + 1e-12, tokens - own + alpha_sum - alpha + 1e-12,
            1.0 / samples->samples);
        sum += (own + alpha) / (tokens + alpha_sum);
    }
    if (mean)
        *mean = sum / samples->samples;
    if (low)
        *low = quantile(&m, (1 - level) / 2);
    if (high)
        *high = quantile(&m, (1 + level) / 2);
done:
    ez_free(list);
    ez_free(count);
    ez_free(room);
    return status;
}
