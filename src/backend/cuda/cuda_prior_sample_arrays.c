/* Opens what fits the prior sample on the device: kernels, the words and documents of the sample,
 * and room for what the fit counts. Arrays that are needed between `begin` and `end` alone lie in
 * the array of D, which every iteration writes again. */
#include "backend/cuda/cuda_kernel_table.h"
#include "backend/cuda/cuda_prior_sample_handle.h"

#include <string.h>

/* Bytes for rows of K counts, and of K weights, that blocks of kernels have of their own: what
 * limits their grids if K is large. */
enum { EZ_COUNTS_BYTES = 64 << 20, EZ_WEIGHTS_BYTES = 32 << 20 };

/* The most bytes by which entries are found without a search. */
enum { EZ_RANK_BYTES = 64 << 20 };

/* ---- memory ---- */

/* An array that is needed between `begin` and `end` alone. */
static ezlda_status passing(ez_cuda_prior_sample *p, ezlda_context *context, void *out, uint64_t n,
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
static ezlda_status lasting(ez_cuda_prior_sample *p, ezlda_context *context, void *out,
                            const void *host, size_t n, size_t size)
{
    return ez_device_array(&p->cuda->device, context, out, host, n, size, "the prior sample");
}

/* ---- words ---- */

/* Numbers the words of the documents; number[r] is that of relabelled word r, or UINT32_MAX. */
static ezlda_status number_words(ez_cuda_prior_sample *p, ezlda_context *context, uint32_t *number)
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
static ezlda_status place_rows(ez_cuda_prior_sample *p, ezlda_context *context,
                               const uint32_t *number)
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
static ezlda_status index_words(ez_cuda_prior_sample *p, ezlda_context *context,
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
static ezlda_status open_list(ez_cuda_prior_sample *p, ezlda_context *context,
                              const ez_token_list *t, const uint32_t *number,
                              ez_prior_sample_list *out)
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
static ezlda_status open_scored(ez_cuda_prior_sample *p, ezlda_context *context,
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

/* ---- kernels and cells ---- */

/* Fewer threads wait for each other less often, but each has more topics. */
static unsigned record_threads(uint32_t topics)
{
    return topics <= 256 ? 32 : topics <= 2048 ? 128 : EZ_PRIOR_SAMPLE_WORD_THREADS;
}

static ezlda_status find_kernels(ez_cuda_prior_sample *p, ezlda_context *context)
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
static ezlda_status open_cells(ez_cuda_prior_sample *p, ezlda_context *context)
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

static ezlda_status open_topics(ez_cuda_prior_sample *p, ezlda_context *context)
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

ezlda_status ez_cuda_prior_sample_arrays(ez_cuda_prior_sample *p, ezlda_context *context)
{
    const ez_prior_sample_docs *docs = p->docs;
    uint32_t *number = NULL;
    ezlda_status status;
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
