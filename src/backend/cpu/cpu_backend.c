/* The operations of the CPU backend: its memory, and the order of the passes of an iteration. */
#include "backend/cpu/cpu.h"
#include "backend/cpu/inference/infer_sampling.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static void thread_free(ez_cpu_thread *thread)
{
    ez_topic_counter_free(&thread->counter);
    ez_free(thread->cursor);
    ez_free(thread->place);
    ez_free(thread->old);
    ez_free(thread->next);
    ez_free(thread->list);
    ez_free(thread->dense_table);
    ez_free(thread->dense_q);
    ez_free(thread->f);
    for (int slot = 0; slot < EZ_EXPONENTS; slot++)
        ez_free(thread->table[slot]);
    ez_free(thread->patch);
    ez_free(thread->patch_q);
    ez_free(thread->topic_tokens);
}

static void cpu_free(ez_backend *backend)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    if (!cpu)
        return;
    for (int i = 0; cpu->thread && i < cpu->threads; i++)
        thread_free(&cpu->thread[i]);
    ez_pairs_free(cpu);
    ez_free(cpu->thread);
    ez_w_rows_free(&cpu->w);
    ez_w_rows_free(&cpu->next);
    ez_zero_rows_free(cpu);
    ez_cpu_chunks_free(cpu);
    ez_free(cpu->topic_tokens);
    ez_free(cpu->rate);
    ez_free(cpu->zero_f);
    ez_free(cpu->zero_order);
    ez_free(cpu->alpha_scaled);
    ez_free(cpu->record);
    ez_free(cpu);
}

static ezlda_status thread_init(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread)
{
    const ez_token_list *t = cpu->tokens;
    size_t topics = cpu->settings->topics, padded = cpu->w.stride + 16;
    EZ_TRY(ez_topic_counter_init(&thread->counter, context, cpu->settings->topics));
    EZ_TRY(ez_array_zero(&thread->f, context, padded, sizeof *thread->f, "weights of a word"));
    EZ_TRY(ez_array_zero(&thread->topic_tokens, context, topics, sizeof *thread->topic_tokens,
                         "topic sums"));
    if (cpu->pairs.on)
        return ez_pairs_thread_init(cpu, context, thread);
    EZ_TRY(ez_array(&thread->cursor, context, t->words, sizeof *thread->cursor, "word cursors"));
    EZ_TRY(ez_array(&thread->place, context, t->longest, sizeof *thread->place, "a document"));
    EZ_TRY(ez_array(&thread->old, context, t->longest, sizeof *thread->old, "a document"));
    EZ_TRY(ez_array(&thread->next, context, t->longest, sizeof *thread->next, "a document"));
    EZ_TRY(ez_array(&thread->list, context, EZ_REGION + 1, sizeof *thread->list, "a region"));
    EZ_TRY(ez_array_zero(&thread->dense_table, context, padded, sizeof *thread->dense_table,
                         "weights of a word"));
    EZ_TRY(
        ez_array(&thread->dense_q, context, topics, sizeof *thread->dense_q, "weights of a word"));
    EZ_TRY(ez_array(&thread->patch, context, topics + EZ_TOP, sizeof *thread->patch,
                    "weights of a word"));
    return ez_array(&thread->patch_q, context, topics + EZ_TOP, sizeof *thread->patch_q,
                    "weights of a word");
}

static ezlda_status allocate_counts(ez_cpu *cpu, ezlda_context *context)
{
    const ez_token_list *t = cpu->tokens;
    size_t topics = cpu->settings->topics, padded;
    if (cpu->pairs.on)
        EZ_TRY(ez_pairs_init(cpu, context));
    else
        EZ_TRY(ez_w_rows_init(&cpu->w, context, t, cpu->settings));
    if (cpu->settings->source && !cpu->pairs.on)
        EZ_TRY(ez_w_rows_init(&cpu->next, context, t, cpu->settings));
    padded = cpu->w.stride + 16;
    EZ_TRY(ez_array_zero(&cpu->topic_tokens, context, topics, sizeof *cpu->topic_tokens,
                         "topic sums"));
    EZ_TRY(ez_array_zero(&cpu->rate, context, padded, sizeof *cpu->rate, "topic rates"));
    EZ_TRY(ez_array_zero(&cpu->alpha_scaled, context, padded, sizeof *cpu->alpha_scaled, "alpha"));
    if (cpu->pairs.on)
        return EZLDA_OK;
    EZ_TRY(ez_array(&cpu->zero_f, context, topics, sizeof *cpu->zero_f, "topic rates"));
    EZ_TRY(ez_array(&cpu->zero_order, context, topics, sizeof *cpu->zero_order, "the topic order"));
    return ez_array_zero(&cpu->record, context, t->words, sizeof *cpu->record, "word records");
}

static ezlda_status allocate_threads(ez_cpu *cpu, ezlda_context *context)
{
    EZ_TRY(
        ez_array_zero(&cpu->thread, context, (size_t)cpu->threads, sizeof *cpu->thread, "threads"));
    for (int i = 0; i < cpu->threads; i++)
        EZ_TRY(thread_init(cpu, context, &cpu->thread[i]));
    return EZLDA_OK;
}

static ezlda_status allocate(ez_cpu *cpu, ezlda_context *context)
{
    EZ_TRY(allocate_counts(cpu, context));
    EZ_TRY(allocate_threads(cpu, context));
    return cpu->settings->source ? EZLDA_OK : ez_cpu_chunk_room(cpu, context);
}

static ezlda_status cpu_priors(ez_backend *backend, ezlda_context *context, const ez_priors *priors)
{
    (void)context;
    ez_cpu *cpu = (ez_cpu *)backend;
    const float *alpha = priors->alpha;
    cpu->priors = *priors;
    cpu->weight_bits = ez_weight_bits(cpu->tokens->longest, priors->alpha_sum);
    cpu->prepared = false;
    bool same = true;
    for (uint32_t k = 0; k < cpu->settings->topics; k++) {
        cpu->alpha_scaled[k] = ez_alpha_scaled(alpha[k]);
        same = same && alpha[k] == alpha[0];
    }
    cpu->alpha_same = same ? cpu->alpha_scaled[0] : 0;
    return EZLDA_OK;
}

static ezlda_status cpu_create(ez_backend **out, ezlda_context *context, ez_token_list *tokens,
                               const ez_settings *settings, const ez_gpus *gpus)
{
    (void)gpus;
    *out = NULL;
    ez_cpu *cpu = NULL;
    const ez_kernels *kernels = ez_choose_kernels();
    if (!kernels)
        return ez_fail(context, EZLDA_ERROR_DEVICE,
                       "EZLDA_SIMD is \"%s\": expected plain, or an instruction set that this "
                       "processor has (avx2, avx512, "
                       "neon)",
                       getenv("EZLDA_SIMD"));
    EZ_TRY(ez_array_zero(&cpu, context, 1, sizeof *cpu, "the backend"));
    cpu->base.ops = &ez_cpu_backend;
    cpu->tokens = cpu->given = tokens;
    cpu->all_tokens = settings->source ? ez_source_tokens(settings->source) : tokens->tokens;
    cpu->settings = settings;
    cpu->kernels = kernels;
    cpu->threads = ez_threads_for(context, cpu->all_tokens);
    cpu->topic_mask = settings->topics > 32768 ? 0xffff : 0x7fff;
    cpu->pairs.on = ez_pairs_suit(cpu);
    ezlda_status status = ez_token_list_index(tokens, context);
    if (status == EZLDA_OK)
        status = allocate(cpu, context);
    if (status != EZLDA_OK) {
        cpu_free(&cpu->base);
        return status;
    }
    *out = &cpu->base;
    return cpu_priors(*out, context, &settings->priors);
}

static ezlda_status cpu_start(ez_backend *backend, ezlda_context *context)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    const ez_settings *s = cpu->settings;
    cpu->has_topics = s->source && s->start_topics;
    if (cpu->has_topics && s->source->topic != s->start_topics)
        memcpy(s->source->topic, s->start_topics, cpu->all_tokens * sizeof *s->source->topic);
    ez_cpu_counts_begin(cpu);
    ez_chunk_walk walk = {.changes = !cpu->has_topics};
    while (ez_cpu_next_chunk(cpu, context, &walk)) {
        if (!cpu->has_topics)
            EZ_TRY(ez_cpu_start_topics(cpu, context));
        if (cpu->pairs.on)
            ez_pairs_count(cpu);
        else
            ez_cpu_count_words(cpu);
    }
    EZ_TRY(walk.status);
    ez_cpu_counts_end(cpu);
    if (s->base && s->base->topic_tokens)
        memcpy(cpu->topic_tokens, s->base->topic_tokens, s->topics * sizeof *cpu->topic_tokens);
    cpu->has_topics = s->source != NULL;
    cpu->prepared = false;
    return ez_cpu_sum_ranks(cpu, context);
}

/* Adds up the tallies of the threads and sets them to 0. */
static void collect_tallies(ez_cpu *cpu, ez_iteration *done)
{
    *done = (ez_iteration){0};
    for (int i = 0; i < cpu->threads; i++) {
        done->undecided += cpu->thread[i].undecided;
        done->moved += cpu->thread[i].moved;
        cpu->thread[i].undecided = cpu->thread[i].moved = 0;
    }
}

/* An iteration of the pair path: one walk over all documents. */
static ezlda_status iterate_pairs(ez_cpu *cpu, ezlda_context *context, uint32_t iteration,
                                  ez_iteration *done)
{
    ez_chunk_walk walk = {.changes = true};
    EZ_TRY(ez_cpu_prepare(cpu, context));
    cpu->prepared = false;
    ez_cpu_counts_begin(cpu);
    while (ez_cpu_next_chunk(cpu, context, &walk))
        ez_pairs_draw(cpu, iteration);
    EZ_TRY(walk.status);
    collect_tallies(cpu, done);
    ez_cpu_counts_end(cpu);
    return ez_cpu_sum_ranks(cpu, context);
}

static ezlda_status cpu_iterate(ez_backend *backend, ezlda_context *context, uint32_t iteration,
                                ez_iteration *done)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    ez_chunk_walk walk = {.changes = true};
    if (cpu->pairs.on)
        return iterate_pairs(cpu, context, iteration, done);
    bool decide = ez_decide_worthwhile(cpu, iteration);
    double documents = 0, words = 0; /* seconds */
    EZ_TRY(ez_cpu_prepare(cpu, context));
    if (!cpu->settings->fixed)
        ez_cpu_counts_begin(cpu);
    while (ez_cpu_next_chunk(cpu, context, &walk)) {
        double begin = omp_get_wtime();
        ez_cpu_documents(cpu, iteration, decide);
        double middle = omp_get_wtime();
        EZ_TRY(ez_cpu_words(cpu, context, iteration, !decide));
        documents += middle - begin;
        words += omp_get_wtime() - middle;
    }
    EZ_TRY(walk.status);
    collect_tallies(cpu, done);
    ez_decide_measured(cpu, iteration, decide, documents, words, done->undecided);
    if (cpu->settings->fixed)
        return EZLDA_OK;
    ez_cpu_counts_end(cpu);
    return ez_cpu_sum_ranks(cpu, context);
}

static ezlda_status cpu_score(ez_backend *backend, ezlda_context *context, int64_t *sum)
{
    ez_cpu *cpu = (ez_cpu *)backend;
    ez_chunk_walk walk = {.changes = false};
    ez_iteration unused;
    *sum = 0;
    EZ_TRY(ez_cpu_prepare(cpu, context));
    while (ez_cpu_next_chunk(cpu, context, &walk)) {
        int64_t chunk_sum = 0;
        if (cpu->pairs.on) {
            *sum += ez_pairs_score(cpu);
            continue;
        }
        ez_cpu_documents(cpu, 0, false);
        EZ_TRY(ez_cpu_score_words(cpu, context, &chunk_sum));
        *sum += chunk_sum;
    }
    EZ_TRY(walk.status);
    collect_tallies(cpu, &unused);
    return EZLDA_OK;
}

static ezlda_status cpu_topics(ez_backend *backend, ezlda_context *context, uint16_t *out)
{
    (void)context;
    ez_cpu *cpu = (ez_cpu *)backend;
    const ez_token_source *source = cpu->settings->source;
    /* The next pass makes the rows again: until then their memory is free for the caller. */
    ez_release_pages(cpu->row, cpu->room.row * sizeof *cpu->row);
    ez_cpu_chunk_store(cpu);
    if (!source)
        ez_cpu_copy_topics(cpu, out);
    else if (out != source->topic)
        memcpy(out, source->topic, cpu->all_tokens * sizeof *out);
    return EZLDA_OK;
}

const ez_backend_ops ez_cpu_backend = {
    .name = "cpu",
    .create = cpu_create,
    .start = cpu_start,
    .iterate = cpu_iterate,
    .priors = cpu_priors,
    .histograms = ez_cpu_histograms,
    .counts = ez_cpu_counts,
    .score = cpu_score,
    .topics = cpu_topics,
    .sample = ez_cpu_sample,
    .free = cpu_free,
};
