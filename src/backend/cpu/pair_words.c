/* The words of the pair path: decides whether a run uses it, and makes the weights of all words
 * before each iteration. */
#include "backend/cpu/cpu.h"
#include "backend/cpu/top_nine.h"

#include <omp.h>
#include <string.h>

/* The pair path costs time and memory for every word and topic, so there must be enough tokens;
 * each thread has a W of its own. Ranks must come to the same decision: they use one format of W.
 */
enum { CELLS_PER_TOKEN = 16, BYTES_PER_TOKEN = 64, BYTES_ANYWAY = 32 << 20 };

bool ez_pairs_suit(const ez_cpu *cpu)
{
    const ez_settings *s = cpu->settings;
    bool chosen = s->sampler != EZLDA_MANY_BRANCH || s->g != 0 || s->w_format != EZLDA_W_HYBRID;
    if (chosen || s->fixed || s->topics > EZ_PAIR_TOPICS)
        return false;
    uint64_t cells = (uint64_t)cpu->tokens->words * s->topics, bytes = cells * sizeof(uint32_t);
    if (ez_is_distributed(s->group))
        return bytes <= BYTES_ANYWAY;
    bytes *= (uint64_t)cpu->threads;
    return cells / CELLS_PER_TOKEN <= cpu->all_tokens &&
           (bytes <= BYTES_ANYWAY || bytes / BYTES_PER_TOKEN <= cpu->all_tokens);
}

ezlda_status ez_pairs_init(ez_cpu *cpu, ezlda_context *context)
{
    ez_settings dense = *cpu->settings;
    dense.w_format = EZLDA_W_DENSE;
    ez_pairs *pairs = &cpu->pairs;
    pairs->word_bytes = ez_pair_word_bytes(dense.topics);
    EZ_TRY(ez_w_rows_init(&cpu->w, context, cpu->tokens, &dense));
    EZ_TRY(ez_array_zero(&pairs->words, context, (size_t)cpu->tokens->words + 1, pairs->word_bytes,
                         "weights of words"));
    EZ_TRY(
        ez_array_zero(&pairs->alpha, context, cpu->w.stride + 96, sizeof *pairs->alpha, "alpha"));
    return ez_array_zero(&pairs->scale, context, cpu->tokens->words, sizeof *pairs->scale,
                         "weights of words");
}

ezlda_status ez_pairs_thread_init(ez_cpu *cpu, ezlda_context *context, ez_cpu_thread *thread)
{
    ez_pair_scratch *pair = &thread->pair;
    size_t padded = cpu->w.stride + 96, topics = cpu->settings->topics;
    size_t entries = ez_entries_most(cpu->tokens->longest, cpu->settings->topics);
    size_t cells = ez_product(cpu->tokens->words, cpu->w.stride);
    const char *what = "a document";
    EZ_TRY(ez_array_zero(&pair->count, context, padded, sizeof *pair->count, what));
    EZ_TRY(ez_array_zero(&pair->count_f, context, padded, sizeof *pair->count_f, what));
    EZ_TRY(ez_array(&pair->row, context, entries + 1, sizeof *pair->row, what));
    EZ_TRY(ez_array(&pair->entry, context, entries + 1, sizeof *pair->entry, what));
    EZ_TRY(ez_array(&pair->entry_end, context, entries + 1, sizeof *pair->entry_end, what));
    EZ_TRY(ez_array(&pair->entry_of, context, topics, sizeof *pair->entry_of, what));
    EZ_TRY(ez_array_zero(&pair->run, context, padded, sizeof *pair->run, what));
    EZ_TRY(ez_array_zero(&pair->slot_count, context, padded, sizeof *pair->slot_count, what));
    EZ_TRY(ez_array_zero(&pair->slot_name, context, padded, sizeof *pair->slot_name, what));
    EZ_TRY(ez_array_zero(&pair->slot_of, context, padded, sizeof *pair->slot_of, what));
    EZ_TRY(ez_array_zero(&pair->group, context, padded, sizeof *pair->group, what));
    if (thread != cpu->thread)
        EZ_TRY(ez_array_zero(&pair->next_w, context, cells, sizeof *pair->next_w, "W"));
    return EZLDA_OK;
}

void ez_pairs_free(ez_cpu *cpu)
{
    for (int i = 0; cpu->thread && i < cpu->threads; i++) {
        ez_free(cpu->thread[i].pair.count);
        ez_free(cpu->thread[i].pair.row);
        ez_free(cpu->thread[i].pair.entry);
        ez_free(cpu->thread[i].pair.entry_of);
        ez_free(cpu->thread[i].pair.entry_end);
        ez_free(cpu->thread[i].pair.count_f);
        ez_free(cpu->thread[i].pair.run);
        ez_free(cpu->thread[i].pair.slot_count);
        ez_free(cpu->thread[i].pair.slot_name);
        ez_free(cpu->thread[i].pair.slot_of);
        ez_free(cpu->thread[i].pair.group);
        ez_free(cpu->thread[i].pair.next_w);
    }
    ez_free(cpu->pairs.words);
    ez_free(cpu->pairs.scale);
    ez_free(cpu->pairs.alpha);
}

static void prepare_word(ez_cpu *cpu, ez_cpu_thread *thread, uint32_t v)
{
    uint32_t topics = cpu->settings->topics;
    ez_pair_word *word = (ez_pair_word *)(void *)(cpu->pairs.words + cpu->pairs.word_bytes * v);
    ez_word_record record;
    ez_top_nine top;
    cpu->kernels->float_row(ez_w_dense(&cpu->w, v), cpu->rate, cpu->priors.beta, thread->f, topics);
    ez_top_nine_of_row(&top, thread->f, topics);
    ez_top_nine_record(&top, cpu->weight_bits, topics, &record);
    cpu->pairs.scale[v] = record.scale;
    for (int i = 0; i < EZ_TOP; i++) {
        uint32_t k = record.topic[i];
        word->topic[i] = record.topic[i];
        uint64_t alpha_part = ez_alpha_weight(record.weight[i], cpu->alpha_scaled[k]);
        word->weight[i] = (float)record.weight[i];
        word->alpha_part[i] = (float)alpha_part * (1.0f / (1 << EZ_ALPHA_BITS));
        thread->f[k] = 0;
    }
    cpu->kernels->pairs->weigh(word, topics, thread->f, record.scale, cpu->alpha_scaled);
}

void ez_pairs_prepare(ez_cpu *cpu)
{
    for (uint32_t k = 0; k < cpu->settings->topics; k++)
        cpu->pairs.alpha[EZ_TOP + k] = cpu->alpha_scaled[k] * (1.0f / (1 << EZ_ALPHA_BITS));
#pragma omp parallel for schedule(dynamic, 64) num_threads(cpu->threads)
    for (uint32_t v = 0; v < cpu->tokens->words; v++)
        if (ez_word_occurs(cpu, v))
            prepare_word(cpu, &cpu->thread[omp_get_thread_num()], v);
}
