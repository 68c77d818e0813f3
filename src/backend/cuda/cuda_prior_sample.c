/* Leaves documents out of the W of the first shard, draws their topics and scores them there; only
 * sums are read back. Arrays that are needed between `begin` and `end` alone lie in the array of D,
 * which every iteration writes again. */
#include "backend/cuda/cuda_prior_sample.h"

#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_topics.h"
#include "backend/cuda/kernels/prior_sample_state.h"
#include "backend/sampling.h"

#include <string.h>

/* Bytes for rows of K counts, and of K weights, that blocks of kernels have of their own: what
 * limits their grids if K is large. */
enum { EZ_COUNTS_BYTES = 64 << 20, EZ_WEIGHTS_BYTES = 32 << 20 };

/* The most bytes by which entries are found without a search. */
enum { EZ_RANK_BYTES = 64 << 20 };

/* What is gathered from a shard: topics of the documents' tokens, then of dropped ones. */
typedef struct gathering {
    ez_cuda *cuda;
    ez_gather_state state;
    ez_kernel kernel;
    uint64_t places; /* without the dropped ones */
    uint16_t *topic; /* on the host */
} gathering;

typedef struct cuda_prior_sample {
    ez_prior_sample_fit base;
    const ez_prior_sample_docs *docs;
    ez_cuda *cuda; /* the first shard */
    int shards;
    gathering *gathering; /* shards */
    ez_prior_sample_state state;
    ez_prior_sample_list documents, observed;
    uint64_t *removed; /* topics, on the host */
    uint64_t *cells;   /* pinned: K * EZ_HISTOGRAM_CELLS, words, own, n */
    size_t n_cells;
    uint64_t used; /* bytes of the array of D */
    unsigned counts_rows, weight_rows;
    bool is_removed;
    ez_kernel remove, rows, rates, start, records, docs_pass, draw, tally, score;
} cuda_prior_sample;

/* ---- memory ---- */

/* An array that is needed between `begin` and `end` alone. */
static ezlda_status passing(cuda_prior_sample *p, ezlda_context *context, void *out, uint64_t n,
                            size_t size)
{
    ez_cuda *c = p->cuda;
    uint64_t bytes = (n * size + 255) / 256 * 256, room = c->chunk_groups * EZ_LANE_WIDTH * 4;
    if (p->used + bytes > room)
        return ez_device_array(&c->device, context, out, NULL, n, size, "the prior sample");
    void *at = (char *)c->state.d.rows + p->used;
    memcpy(out, &at, sizeof at);
    p->used += bytes;
    return EZLDA_OK;
}

/* An array that stays, with its content. */
static ezlda_status lasting(cuda_prior_sample *p, ezlda_context *context, void *out,
                            const void *host, size_t n, size_t size)
{
    return ez_device_array(&p->cuda->device, context, out, host, n, size, "the prior sample");
}

/* ---- words ---- */

/* Numbers the words of the documents; number[r] is that of relabelled word r, or UINT32_MAX. */
static ezlda_status number_words(cuda_prior_sample *p, ezlda_context *context, uint32_t *number)
{
    const ez_token_list *t = p->docs->tokens;
    ez_prior_sample_words *w = &p->state.words;
    uint32_t *run = NULL, *label = NULL;
    ezlda_status status = EZLDA_OK;
    for (uint64_t i = 0; i < t->tokens; i++)
        number[t->word[i]] = 1;
    for (uint32_t r = 0; r < t->words; r++)
        w->n += number[r];
    EZ_TRY_GOTO(ez_array(&run, context, w->n, sizeof *run, "words"));
    EZ_TRY_GOTO(ez_array(&label, context, w->n, sizeof *label, "words"));
    for (uint32_t r = 0, n = 0; r < t->words; r++) {
        if (!number[r]) {
            number[r] = UINT32_MAX;
            continue;
        }
        run[n] = t->original[r];
        label[n] = r;
        number[r] = n++;
    }
    EZ_TRY_GOTO(lasting(p, context, &w->run, run, w->n, sizeof *run));
    status = lasting(p, context, &w->label, label, w->n, sizeof *label);
done:
    ez_free(run);
    ez_free(label);
    return status;
}

/* Room for the rows that are copied: a word has at most as many entries as tokens. */
static ezlda_status place_rows(cuda_prior_sample *p, ezlda_context *context, const uint32_t *number)
{
    const ez_token_list *t = p->docs->tokens;
    ez_prior_sample_words *w = &p->state.words;
    uint32_t *start = NULL, *total = NULL;
    uint64_t room = 0;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&total, context, w->n, sizeof *total, "rows of W"));
    EZ_TRY_GOTO(ez_array_zero(&start, context, (size_t)w->n + 1, sizeof *start, "rows of W"));
    for (uint32_t r = 0; r < t->words; r++) {
        uint32_t v = t->original[r], n = number[r];
        uint64_t rest = p->docs->rest[v];
        if (n == UINT32_MAX)
            continue;
        total[n] = (uint32_t)rest;
        start[n] = (uint32_t)room;
        if (v >= p->cuda->state.w.dense_words)
            room += rest < p->state.topics ? rest : p->state.topics;
    }
    if (room >= UINT32_MAX) {
        status = ez_fail(context, EZLDA_ERROR_MEMORY, "the prior sample has too many counts");
        goto done;
    }
    start[w->n] = (uint32_t)room;
    EZ_TRY_GOTO(lasting(p, context, &w->row_start, start, (size_t)w->n + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(p, context, &w->total, total, w->n, sizeof *total));
    EZ_TRY_GOTO(passing(p, context, &w->entries, w->n, sizeof *w->entries));
    EZ_TRY_GOTO(passing(p, context, &w->row_topic, room, sizeof *w->row_topic));
    EZ_TRY_GOTO(passing(p, context, &w->row_count, room, sizeof *w->row_count));
    EZ_TRY_GOTO(passing(p, context, &w->record, w->n, sizeof *w->record));
    w->groups = (p->state.topics + 31) / 32;
    if ((uint64_t)w->n * w->groups * sizeof *w->rank <= EZ_RANK_BYTES)
        EZ_TRY_GOTO(passing(p, context, &w->rank, (uint64_t)w->n * w->groups, sizeof *w->rank));
    w->steps = (p->state.topics + EZ_PRIOR_SAMPLE_STEP - 1) / EZ_PRIOR_SAMPLE_STEP;
    status = passing(p, context, &w->q_through, (uint64_t)w->n * w->steps, sizeof *w->q_through);
done:
    ez_free(start);
    ez_free(total);
    return status;
}

/* The documents' tokens by word. */
static ezlda_status index_words(cuda_prior_sample *p, ezlda_context *context,
                                const uint32_t *number)
{
    const ez_token_list *t = p->docs->tokens;
    ez_prior_sample_words *w = &p->state.words;
    uint32_t *start = NULL, *token = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&start, context, (size_t)w->n + 2, sizeof *start, "words"));
    EZ_TRY_GOTO(ez_array(&token, context, t->tokens, sizeof *token, "words"));
    for (uint64_t i = 0; i < t->tokens; i++)
        start[number[t->word[i]] + 2]++;
    for (uint32_t n = 0; n < w->n; n++)
        start[n + 2] += start[n + 1];
    for (uint64_t i = 0; i < t->tokens; i++)
        token[start[number[t->word[i]] + 1]++] = (uint32_t)i;
    EZ_TRY_GOTO(lasting(p, context, &w->own_start, start, (size_t)w->n + 1, sizeof *start));
    status = lasting(p, context, &w->own_token, token, t->tokens, sizeof *token);
done:
    ez_free(start);
    ez_free(token);
    return status;
}

/* ---- documents ---- */

/* Copies a list of documents to the device. */
static ezlda_status open_list(cuda_prior_sample *p, ezlda_context *context, const ez_token_list *t,
                              const uint32_t *number, ez_prior_sample_list *out)
{
    uint32_t *start = NULL, *doc = NULL, *word = NULL, *occurrence = NULL;
    ezlda_status status;
    *out = (ez_prior_sample_list){.docs = (uint32_t)t->docs, .tokens = (uint32_t)t->tokens};
    EZ_TRY_GOTO(ez_array(&start, context, t->docs + 1, sizeof *start, "documents"));
    EZ_TRY_GOTO(ez_array(&word, context, t->tokens, sizeof *word, "words"));
    EZ_TRY_GOTO(ez_array(&doc, context, t->tokens, sizeof *doc, "documents"));
    EZ_TRY_GOTO(ez_array(&occurrence, context, t->tokens, sizeof *occurrence, "words"));
    for (uint64_t d = 0; d <= t->docs; d++)
        start[d] = (uint32_t)t->doc_start[d];
    for (uint64_t d = 0; d < t->docs; d++)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++) {
            bool again = i > t->doc_start[d] && t->word[i] == t->word[i - 1];
            doc[i] = (uint32_t)d;
            word[i] = number[t->word[i]];
            occurrence[i] = again ? occurrence[i - 1] + 1 : 0;
        }
    EZ_TRY_GOTO(lasting(p, context, &out->start, start, t->docs + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(p, context, &out->doc, doc, t->tokens, sizeof *doc));
    EZ_TRY_GOTO(lasting(p, context, &out->word, word, t->tokens, sizeof *word));
    EZ_TRY_GOTO(lasting(p, context, &out->occurrence, occurrence, t->tokens, sizeof *occurrence));
    EZ_TRY_GOTO(passing(p, context, &out->topic, t->tokens, sizeof *out->topic));
    EZ_TRY_GOTO(passing(p, context, &out->entries, t->docs, sizeof *out->entries));
    status = passing(p, context, &out->row, t->tokens, sizeof *out->row);
done:
    ez_free(start);
    ez_free(doc);
    ez_free(word);
    ez_free(occurrence);
    return status;
}

/* The half of the tokens that is scored. */
static ezlda_status open_scored(cuda_prior_sample *p, ezlda_context *context,
                                const uint32_t *number)
{
    const ez_prior_sample_docs *docs = p->docs;
    uint64_t n_docs = docs->observed->docs, n = docs->scored_start[n_docs];
    ez_prior_sample_state *s = &p->state;
    uint32_t *start = NULL, *word = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&start, context, n_docs + 1, sizeof *start, "documents"));
    EZ_TRY_GOTO(ez_array(&word, context, n, sizeof *word, "words"));
    for (uint64_t d = 0; d <= n_docs; d++)
        start[d] = (uint32_t)docs->scored_start[d];
    for (uint64_t i = 0; i < n; i++)
        word[i] = number[docs->scored[i]];
    EZ_TRY_GOTO(lasting(p, context, &s->scored_start, start, n_docs + 1, sizeof *start));
    EZ_TRY_GOTO(lasting(p, context, &s->scored, word, n, sizeof *word));
    EZ_TRY_GOTO(open_list(p, context, docs->observed, number, &p->observed));
    EZ_TRY_GOTO(passing(p, context, &s->sample, (uint64_t)p->observed.tokens * EZ_SCORE_SAMPLES,
                        sizeof *s->sample));
    EZ_TRY_GOTO(
        passing(p, context, &s->weight, (uint64_t)p->weight_rows * s->topics, sizeof *s->weight));
    status = passing(p, context, &s->score_sum, 1, sizeof *s->score_sum);
done:
    ez_free(start);
    ez_free(word);
    return status;
}

/* ---- kernels, cells and what is gathered ---- */

/* Fewer threads wait for each other less often, but each has more topics. */
static unsigned record_threads(uint32_t topics)
{
    return topics <= 256 ? 32 : topics <= 2048 ? 128 : EZ_PRIOR_SAMPLE_WORD_THREADS;
}

static ezlda_status find_kernels(cuda_prior_sample *p, ezlda_context *context)
{
    ez_cuda *c = p->cuda;
    size_t seen = ((size_t)p->state.topics + 31) / 32 * sizeof(uint32_t);
    uint64_t counts = EZ_COUNTS_BYTES / ((uint64_t)p->state.topics * sizeof(uint32_t)),
             weights = EZ_WEIGHTS_BYTES / ((uint64_t)p->state.topics * sizeof(double));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->remove, EZ_KERNEL_PRIOR_SAMPLE_REMOVE, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->rows, EZ_KERNEL_PRIOR_SAMPLE_ROWS, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->rates, EZ_KERNEL_PRIOR_SAMPLE_RATES, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->start, EZ_KERNEL_PRIOR_SAMPLE_START, 0));
    EZ_TRY(ez_device_kernel(&c->device, context, &p->records, EZ_IMAGE_PRIOR_SAMPLE_WORDS,
                            "ez_prior_sample_records", record_threads(p->state.topics), 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->docs_pass, EZ_KERNEL_PRIOR_SAMPLE_DOCS, seen));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->draw, EZ_KERNEL_PRIOR_SAMPLE_DRAW, 0));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->tally, EZ_KERNEL_PRIOR_SAMPLE_TALLY, seen));
    EZ_TRY(ez_cuda_find_kernel(c, context, &p->score, EZ_KERNEL_PRIOR_SAMPLE_SCORE, 0));
    unsigned most = p->docs_pass.blocks;
    most = p->rows.blocks > most ? p->rows.blocks : most;
    most = p->records.blocks > most ? p->records.blocks : most;
    p->counts_rows = counts < most ? (unsigned)counts : most;
    p->weight_rows = weights < p->score.blocks ? (unsigned)weights : p->score.blocks;
    p->weight_rows = p->weight_rows < p->counts_rows ? p->weight_rows : p->counts_rows;
    return EZLDA_OK;
}

/* The cells that are read back, in one array. */
static ezlda_status open_cells(cuda_prior_sample *p, ezlda_context *context)
{
    ez_prior_sample_state *s = &p->state;
    size_t docs = (size_t)s->topics * EZ_HISTOGRAM_CELLS;
    unsigned long long *cells;
    p->n_cells = docs + EZ_COUNT_CELLS + 1 + 2 * (size_t)s->topics;
    EZ_TRY(ez_device_host_array(&p->cuda->device, context, &p->cells, p->n_cells, sizeof *p->cells,
                                "the prior sample"));
    EZ_TRY(passing(p, context, &cells, p->n_cells, sizeof *cells));
    s->histograms.docs = cells;
    s->histograms.words = cells + docs;
    s->own = s->histograms.words + EZ_COUNT_CELLS + 1;
    s->topic_tokens = s->own + s->topics;
    return passing(p, context, &s->histograms.more,
                   (uint64_t)p->documents.tokens / EZ_HISTOGRAM_CELLS + 1,
                   sizeof *s->histograms.more);
}

static ezlda_status open_topics(cuda_prior_sample *p, ezlda_context *context)
{
    ez_prior_sample_state *s = &p->state;
    s->own_tokens = (uint32_t)p->docs->tokens->tokens;
    EZ_TRY(ez_array(&p->removed, context, s->topics, sizeof *p->removed, "topic sums"));
    EZ_TRY(passing(p, context, &s->own_topic, s->own_tokens, sizeof *s->own_topic));
    EZ_TRY(passing(p, context, &s->removed, s->topics, sizeof *s->removed));
    EZ_TRY(passing(p, context, &s->alpha, s->topics, sizeof *s->alpha));
    EZ_TRY(passing(p, context, &s->rate, s->topics, sizeof *s->rate));
    return passing(p, context, &s->counts, (uint64_t)p->counts_rows * s->topics, sizeof *s->counts);
}

/* The places in [first, last) of an ascending list: sets *from and returns their number. */
static uint64_t find_places(const uint64_t *place, uint64_t n, uint64_t first, uint64_t last,
                            uint64_t *from)
{
    uint64_t end;
    for (*from = 0; *from < n && place[*from] < first;)
        ++*from;
    for (end = *from; end < n && place[end] < last;)
        end++;
    return end - *from;
}

/* Lists the tokens whose topics are gathered from a shard: [first, last) of this rank. */
static ezlda_status open_gathering(gathering *g, ezlda_context *context,
                                   const ez_prior_sample_docs *docs, uint64_t first, uint64_t last)
{
    ez_cuda *c = g->cuda;
    ez_gather_state *s = &g->state;
    uint64_t from, from_dropped, *place = NULL;
    uint32_t *token = NULL;
    ezlda_status status;
    g->places = find_places(docs->place, docs->places, first, last, &from);
    uint64_t n =
        g->places + find_places(docs->dropped, docs->n_dropped, first, last, &from_dropped);
    EZ_TRY_GOTO(ez_array(&place, context, n, sizeof *place, "the prior sample"));
    EZ_TRY_GOTO(ez_array(&token, context, n, sizeof *token, "the prior sample"));
    for (uint64_t i = 0; i < n; i++)
        place[i] =
            (i < g->places ? docs->place[from + i] : docs->dropped[from_dropped + i - g->places]) -
            first;
    EZ_TRY_GOTO(ez_device_enter(&c->device, context));
    EZ_TRY_GOTO(ez_cuda_find_tokens(c, context, place, g->places, token));
    EZ_TRY_GOTO(
        ez_cuda_find_tokens(c, context, place + g->places, n - g->places, token + g->places));
    EZ_TRY_GOTO(ez_cuda_find_kernel(c, context, &g->kernel, EZ_KERNEL_PRIOR_SAMPLE_GATHER, 0));
    *s = (ez_gather_state){.n = (uint32_t)n,
                           .place = c->room[0].place,
                           .topic = c->room[0].topic,
                           .mask = c->state.w.topics > 32768 ? 0xffff : 0x7fff};
    EZ_TRY_GOTO(ez_array(&g->topic, context, n, sizeof *g->topic, "the prior sample"));
    EZ_TRY_GOTO(ez_device_array(&c->device, context, &s->token, token, n, sizeof *token,
                                "the prior sample"));
    status =
        ez_device_array(&c->device, context, &s->out, NULL, n, sizeof *s->out, "the prior sample");
done:
    ez_free(place);
    ez_free(token);
    return status;
}

/* ---- the operations ---- */

static ezlda_status launch(cuda_prior_sample *p, ezlda_context *context, const ez_kernel *kernel,
                           unsigned work, unsigned most)
{
    unsigned blocks = kernel->blocks < most ? kernel->blocks : most;
    blocks = work < blocks ? work : blocks;
    return ez_device_launch(&p->cuda->device, context, kernel, blocks > 0 ? blocks : 1, &p->state);
}

/* Reads the topics of the tokens of a shard, and waits for it: other shards may still read W. */
static ezlda_status gather(gathering *g, ezlda_context *context)
{
    ez_device *device = &g->cuda->device;
    EZ_TRY(ez_device_enter(device, context));
    if (g->state.n > 0)
        EZ_TRY(ez_device_launch(device, context, &g->kernel, g->kernel.blocks, &g->state));
    EZ_TRY(ez_device_finish(device, context, "the prior sample"));
    return g->state.n > 0 ? ez_device_read(device, context, g->topic, g->state.out,
                                           g->state.n * sizeof *g->topic)
                          : EZLDA_OK;
}

/* Joins the documents' topics of all shards and ranks, and counts by topic what is removed from n.
 */
static ezlda_status gather_all(cuda_prior_sample *p, ezlda_context *context, ez_buffer *own)
{
    ezlda_group *group = p->cuda->settings->group;
    memset(p->removed, 0, p->state.topics * sizeof *p->removed);
    for (int m = 0; m < p->shards; m++) {
        gathering *g = &p->gathering[m];
        EZ_TRY(gather(g, context));
        if (g->places)
            EZ_TRY(ez_buffer_append(own, context, g->topic, g->places * sizeof *g->topic));
        for (uint64_t i = g->places; i < g->state.n; i++)
            p->removed[g->topic[i]]++;
    }
    EZ_TRY(ez_group_join(group, context, own));
    EZ_TRY(ez_group_sum64(group, context, p->removed, p->state.topics));
    const uint16_t *topic = (const uint16_t *)(const void *)own->data;
    for (size_t i = 0; i < own->used / sizeof *topic; i++)
        p->removed[topic[i]]++;
    return EZLDA_OK;
}

static ezlda_status remove_documents(cuda_prior_sample *p, ezlda_context *context, bool put_back)
{
    p->state.put_back = put_back;
    return launch(p, context, &p->remove, p->state.words.n, UINT32_MAX);
}

static ezlda_status draw_first_topics(cuda_prior_sample *p, ezlda_context *context)
{
    p->state.key = ez_iteration_key(p->state.seed, 0);
    return launch(p, context, &p->start, p->state.list.tokens, UINT32_MAX);
}

static ezlda_status cuda_begin(ez_prior_sample_fit *fit, ezlda_context *context)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    ez_device *device = &p->cuda->device;
    ez_buffer own = {0};
    ezlda_status status;
    EZ_TRY_GOTO(gather_all(p, context, &own));
    EZ_TRY_GOTO(ez_device_enter(device, context));
    EZ_TRY_GOTO(ez_device_write(device, context, s->own_topic, own.data, own.used));
    EZ_TRY_GOTO(
        ez_device_write(device, context, s->removed, p->removed, s->topics * sizeof *s->removed));
    EZ_TRY_GOTO(ez_device_zero(device, context, s->counts,
                               (size_t)p->counts_rows * s->topics * sizeof *s->counts));
    p->is_removed = true;
    EZ_TRY_GOTO(remove_documents(p, context, false));
    EZ_TRY_GOTO(launch(p, context, &p->rows, s->words.n, p->counts_rows));
    s->list = p->documents;
    status = draw_first_topics(p, context);
done:
    ez_free(own.data);
    return status;
}

/* Sets the priors, and makes the rates and the records for them. */
static ezlda_status set_priors(cuda_prior_sample *p, ezlda_context *context,
                               const ez_priors *priors, uint64_t longest)
{
    ez_prior_sample_state *s = &p->state;
    s->weight_bits = ez_weight_bits(longest, priors->alpha_sum);
    s->beta = priors->beta;
    s->alpha_sum = priors->alpha_sum;
    EZ_TRY(ez_device_write(&p->cuda->device, context, s->alpha, priors->alpha,
                           s->topics * sizeof *s->alpha));
    EZ_TRY(launch(p, context, &p->rates, (s->topics + p->rates.threads - 1) / p->rates.threads,
                  UINT32_MAX));
    return launch(p, context, &p->records, s->words.n, p->counts_rows);
}

/* One iteration: rows of D, then draws. */
static ezlda_status iterate(cuda_prior_sample *p, ezlda_context *context, uint32_t iteration,
                            uint16_t *keep)
{
    ez_prior_sample_state *s = &p->state;
    s->key = ez_iteration_key(s->seed, iteration);
    s->keep = keep;
    EZ_TRY(launch(p, context, &p->docs_pass, s->list.docs, p->counts_rows));
    return launch(p, context, &p->draw, (s->list.tokens + p->draw.threads - 1) / p->draw.threads,
                  UINT32_MAX);
}

static ezlda_status cuda_sample(ez_prior_sample_fit *fit, ezlda_context *context,
                                const ez_priors *priors, uint32_t done, uint32_t iterations)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    EZ_TRY(ez_device_zero(&p->cuda->device, context, s->histograms.docs,
                          p->n_cells * sizeof *s->histograms.docs));
    s->list = p->documents;
    EZ_TRY(set_priors(p, context, priors, p->docs->tokens->longest));
    for (uint32_t i = 1; i <= iterations; i++)
        EZ_TRY(iterate(p, context, done + i, NULL));
    return launch(p, context, &p->tally, s->list.docs, p->counts_rows);
}

/* Reads the list of counts without a cell. */
static ezlda_status read_more(cuda_prior_sample *p, ezlda_context *context, uint64_t n,
                              ez_buffer *out)
{
    out->used = 0;
    if (n == 0)
        return EZLDA_OK;
    EZ_TRY(ez_buffer_reserve(out, context, n * sizeof n));
    EZ_TRY(ez_device_read(&p->cuda->device, context, out->data, p->state.histograms.more,
                          n * sizeof n));
    out->used = n * sizeof n;
    return EZLDA_OK;
}

static ezlda_status cuda_counts(ez_prior_sample_fit *fit, ezlda_context *context,
                                ez_prior_sample_counts *out)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    size_t topics = p->state.topics, docs = topics * EZ_HISTOGRAM_CELLS;
    const uint64_t *met = p->cells + docs, *own = met + EZ_COUNT_CELLS + 1;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    EZ_TRY(ez_device_read_async(&p->cuda->device, context, p->cells, p->state.histograms.docs,
                                p->n_cells * sizeof *p->cells));
    EZ_TRY(ez_device_finish(&p->cuda->device, context, "the prior sample"));
    memcpy(out->docs->docs, p->cells, docs * sizeof *p->cells);
    memcpy(out->met, met, EZ_COUNT_CELLS * sizeof *met);
    memcpy(out->own, own, topics * sizeof *own);
    memcpy(out->rest, own + topics, topics * sizeof *own);
    return read_more(p, context, met[EZ_COUNT_CELLS], &out->docs->docs_more);
}

static ezlda_status cuda_score(ez_prior_sample_fit *fit, ezlda_context *context,
                               const ez_priors *priors, int64_t *sum)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    ez_prior_sample_state *s = &p->state;
    ez_sampling plan = {
        .iterations = EZ_SCORE_ITERATIONS, .samples = EZ_SCORE_SAMPLES, .thin = EZ_SCORE_THIN};
    long long total;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    s->list = p->observed;
    EZ_TRY(set_priors(p, context, priors, p->docs->observed->longest));
    EZ_TRY(draw_first_topics(p, context));
    EZ_TRY(ez_device_zero(&p->cuda->device, context, s->score_sum, sizeof *s->score_sum));
    s->samples = EZ_SCORE_SAMPLES;
    for (uint32_t i = 1; i <= EZ_SCORE_ITERATIONS; i++) {
        int64_t number = ez_sample_number(&plan, i);
        EZ_TRY(iterate(p, context, i,
                       number < 0 ? NULL : s->sample + (uint64_t)number * s->list.tokens));
    }
    EZ_TRY(launch(p, context, &p->score, s->list.docs, p->weight_rows));
    EZ_TRY(ez_device_read(&p->cuda->device, context, &total, s->score_sum, sizeof total));
    *sum = total;
    return EZLDA_OK;
}

static ezlda_status cuda_end(ez_prior_sample_fit *fit, ezlda_context *context)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    if (!p->is_removed)
        return EZLDA_OK;
    p->is_removed = false;
    EZ_TRY(ez_device_enter(&p->cuda->device, context));
    return remove_documents(p, context, true);
}

/* The device frees its arrays when it is closed. */
static void cuda_free(ez_prior_sample_fit *fit)
{
    cuda_prior_sample *p = (cuda_prior_sample *)fit;
    if (!p)
        return;
    if (p->cells) {
        p->cuda->device.driver->cuCtxSetCurrent(p->cuda->device.cuda);
        ez_device_host_free(&p->cuda->device, p->cells);
    }
    for (int m = 0; p->gathering && m < p->shards; m++)
        ez_free(p->gathering[m].topic);
    ez_free(p->gathering);
    ez_free(p->removed);
    ez_free(p);
}

static const ez_prior_sample_ops ops = {
    .begin = cuda_begin,
    .sample = cuda_sample,
    .counts = cuda_counts,
    .score = cuda_score,
    .end = cuda_end,
    .free = cuda_free,
};

/* ---- opening ---- */

/* Whether the device can do it. */
static bool suits(ez_cuda **shard, int shards, const ez_prior_sample_docs *docs)
{
    const ez_token_list *t = docs->tokens;
    if (shard[0]->settings->base || t->tokens > UINT32_MAX / 2)
        return false;
    for (int m = 0; m < shards; m++)
        if (shard[m]->chunks > 1)
            return false;
    for (uint64_t d = 0; d < t->docs; d++)
        if (ez_doc_length(t, d) > EZ_ENTRY_MAX)
            return false;
    return true;
}

static ezlda_status open_all(cuda_prior_sample *p, ezlda_context *context, ez_cuda **shard,
                             const uint64_t *first_token)
{
    const ez_prior_sample_docs *docs = p->docs;
    uint32_t *number = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array_zero(&p->gathering, context, (size_t)(unsigned)p->shards,
                              sizeof *p->gathering, "the prior sample"));
    for (int m = 0; m < p->shards; m++) {
        p->gathering[m].cuda = shard[m];
        EZ_TRY_GOTO(
            open_gathering(&p->gathering[m], context, docs, first_token[m], first_token[m + 1]));
    }
    EZ_TRY_GOTO(ez_device_enter(&p->cuda->device, context));
    EZ_TRY_GOTO(find_kernels(p, context));
    EZ_TRY_GOTO(
        ez_array_zero(&number, context, docs->tokens->words, sizeof *number, "word numbers"));
    EZ_TRY_GOTO(number_words(p, context, number));
    EZ_TRY_GOTO(index_words(p, context, number));
    EZ_TRY_GOTO(open_list(p, context, docs->tokens, number, &p->documents));
    EZ_TRY_GOTO(open_cells(p, context));
    EZ_TRY_GOTO(open_topics(p, context));
    if (docs->observed)
        EZ_TRY_GOTO(open_scored(p, context, number));
    status = place_rows(p, context, number);
done:
    ez_free(number);
    return status;
}

ezlda_status ez_cuda_prior_sample(ez_cuda **shard, int shards, const uint64_t *first_token,
                                  ezlda_context *context, const ez_prior_sample_docs *docs,
                                  ez_prior_sample_fit **out)
{
    ez_cuda *c = shard[0];
    cuda_prior_sample *p = NULL;
    *out = NULL;
    if (!suits(shard, shards, docs))
        return EZLDA_OK;
    EZ_TRY(ez_array_zero(&p, context, 1, sizeof *p, "the prior sample"));
    *p = (cuda_prior_sample){.base = {&ops}, .docs = docs, .cuda = c, .shards = shards};
    p->state = (ez_prior_sample_state){
        .topics = c->state.w.topics,
        .all_words = c->state.w.words,
        .seed = c->settings->seed,
        .w = c->state.w,
    };
    ezlda_status status = open_all(p, context, shard, first_token);
    if (status != EZLDA_OK) {
        cuda_free(&p->base);
        p = NULL;
    }
    if (status == EZLDA_ERROR_MEMORY) { /* the host has other memory */
        ez_clear(context);
        status = EZLDA_OK;
    }
    *out = p ? &p->base : NULL;
    return status;
}
