/* Opens a corpus for the experiments of the paper, and rebuilds counts, rows and lines from the
 * topics of a run. */
#include "paper_state.h"

#include "tokens/corpus_tokens.h"
#include "train/train_options.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- arguments ---- */

const char *paper_text(char **arguments, const char *key, const char *fallback)
{
    size_t n = strlen(key);
    for (; *arguments; arguments++)
        if (strncmp(*arguments, key, n) == 0 && (*arguments)[n] == '=')
            return *arguments + n + 1;
    return fallback;
}

double paper_number(char **arguments, const char *key, double fallback)
{
    const char *text = paper_text(arguments, key, NULL);
    return text ? strtod(text, NULL) : fallback;
}

void paper_check(ezlda_context *context, ezlda_status status)
{
    if (status == EZLDA_OK)
        return;
    fprintf(stderr, "%s\n", ezlda_error_message(context));
    exit(1);
}

static void *room(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (!memory) {
        fprintf(stderr, "not enough memory for %zu times %zu bytes\n", n, size);
        exit(1);
    }
    return memory;
}

/* ---- a state ---- */

static void take_options(ezlda_train_options *options, char **arguments)
{
    static ezlda_study study; /* the options point at it */
    ezlda_train_options_init(options);
    options->optimize_interval = 0; /* the paper fixes the priors */
    ezlda_study_init(&study);
    options->study = &study;
    const char *sampler = paper_text(arguments, "sampler", "many-branch");
    options->topics = (uint32_t)paper_number(arguments, "k", 100);
    options->seed = (uint64_t)paper_number(arguments, "seed", 1);
    options->iterations = (uint32_t)paper_number(arguments, "iterations", 100);
    study.g = (int)paper_number(arguments, "g", 0);
    options->device = paper_text(arguments, "device", "cpu");
    options->estimator = strcmp(paper_text(arguments, "estimator", "esca"), "esca") == 0
                             ? EZLDA_ESCA
                             : EZLDA_LEAVE_ONE_OUT;
    options->start = strcmp(paper_text(arguments, "start", "random"), "random") == 0
                         ? EZLDA_START_RANDOM
                         : EZLDA_START_KEYWORD;
    study.sampler = strcmp(sampler, "two-branch") == 0     ? EZLDA_TWO_BRANCH
                    : strcmp(sampler, "three-branch") == 0 ? EZLDA_THREE_BRANCH
                                                           : EZLDA_MANY_BRANCH;
}

/* Keeps a random sample of the documents if there are more tokens than most. */
static void keep_sample(paper_state *state, double most)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus *part, *rest;
    ezlda_corpus_get_info(state->corpus, &info);
    if (most <= 0 || (double)info.tokens <= most)
        return;
    paper_check(state->context, ezlda_corpus_split(&rest, &part, state->context, state->corpus,
                                                   most / (double)info.tokens, 1));
    ezlda_corpus_free(rest);
    ezlda_corpus_free(state->corpus);
    state->corpus = part;
}

void paper_open(paper_state *state, char **arguments, ezlda_train_options *options)
{
    const char *path = paper_text(arguments, "corpus", "");
    *state = (paper_state){.stride = 1};
    if (ezlda_context_create(&state->context) != EZLDA_OK)
        exit(1);
    ezlda_context_set_threads(state->context, (int)paper_number(arguments, "threads", 0));
    take_options(options, arguments);
    paper_check(state->context, ezlda_corpus_read(&state->corpus, state->context, &path, 1, NULL));
    keep_sample(state, paper_number(arguments, "most", 0));
    ezlda_train_options given = *options;
    ez_corpus_sizes sizes;
    paper_check(state->context, ez_train_options_read(options, state->context, &given));
    ez_corpus_sizes_of(state->corpus, &sizes);
    (void)ez_train_options_suit(options, &sizes);
    paper_check(state->context,
                ez_settings_make(&state->settings, &state->alpha, state->context, options));
    paper_check(state->context, ez_corpus_tokens(&state->tokens, state->context, state->corpus));
    state->weight_bits = ez_weight_bits(state->tokens->longest, state->settings.priors.alpha_sum);
    state->topic = room(state->tokens->tokens, sizeof *state->topic);
    state->topic_tokens = room(options->topics, sizeof *state->topic_tokens);
    state->rate = room(options->topics, sizeof *state->rate);
}

void paper_close(paper_state *state)
{
    free(state->topic);
    free(state->topic_tokens);
    free(state->rate);
    free(state->row);
    free(state->row_start);
    ez_free(state->alpha);
    ez_token_list_free(state->tokens);
    ezlda_corpus_free(state->corpus);
    ezlda_context_free(state->context);
}

void paper_take_topics(paper_state *state, const uint16_t *by_document)
{
    const ez_token_list *t = state->tokens;
#pragma omp parallel num_threads(ezlda_context_threads(state->context))
    {
        uint32_t *cursor = room(t->words, sizeof *cursor);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < t->blocks; b++) {
            memcpy(cursor, ez_block_cursor(t, b), t->words * sizeof *cursor);
            for (uint64_t i = t->doc_start[t->block_doc[b]]; i < t->doc_start[t->block_doc[b + 1]];
                 i++)
                state->topic[cursor[t->word[i]]++] = by_document[i];
        }
        free(cursor);
    }
    paper_count(state);
}

void paper_count(paper_state *state)
{
    uint32_t topics = state->settings.topics;
    uint64_t *sum = state->topic_tokens;
    memset(sum, 0, topics * sizeof *sum);
#pragma omp parallel num_threads(ezlda_context_threads(state->context))
    {
        uint64_t *mine = room(topics, sizeof *mine);
#pragma omp for schedule(static)
        for (uint64_t i = 0; i < state->tokens->tokens; i++)
            mine[state->topic[i]]++;
#pragma omp critical
        for (uint32_t k = 0; k < topics; k++)
            sum[k] += mine[k];
        free(mine);
    }
    for (uint32_t k = 0; k < topics; k++)
        state->rate[k] = ez_topic_rate(sum[k], state->tokens->words, state->settings.priors.beta);
}

/* ---- rows of D ---- */

/* Every stride-th document has room for as many entries as it may have; what is not used stays 0.
 */
static void place_rows(paper_state *state)
{
    const ez_token_list *t = state->tokens;
    uint64_t n = (t->docs + state->stride - 1) / state->stride;
    state->row_start = room(n, sizeof *state->row_start);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t doc = i * state->stride, length = t->doc_start[doc + 1] - t->doc_start[doc];
        uint64_t most = ez_entries_most(length, state->settings.topics);
        state->row_start[i + 1] =
            state->row_start[i] + (most + EZ_ROW_STEP - 1) / EZ_ROW_STEP * EZ_ROW_STEP;
    }
    state->row = room(state->row_start[n], sizeof *state->row);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The row of a document from its topics, which are put in order. */
static void make_row(uint32_t *row, uint32_t *topic, uint64_t length)
{
    qsort(topic, length, sizeof *topic, by_number);
    for (uint64_t i = 0; i < length;) {
        uint64_t first = i;
        while (i < length && topic[i] == topic[first] && i - first < EZ_ENTRY_MAX)
            i++;
        *row++ = ez_entry(topic[first], (uint32_t)(i - first));
    }
}

void paper_make_rows(paper_state *state)
{
    const ez_token_list *t = state->tokens;
    if (!state->row)
        place_rows(state);
    memset(state->row, 0,
           state->row_start[(t->docs + state->stride - 1) / state->stride] * sizeof *state->row);
#pragma omp parallel num_threads(ezlda_context_threads(state->context))
    {
        uint32_t *cursor = room(t->words, sizeof *cursor), *topic = room(t->longest, sizeof *topic);
#pragma omp for schedule(dynamic)
        for (uint32_t b = 0; b < t->blocks; b++) {
            memcpy(cursor, ez_block_cursor(t, b), t->words * sizeof *cursor);
            for (uint64_t d = t->block_doc[b]; d < t->block_doc[b + 1]; d++) {
                uint64_t first = t->doc_start[d], length = t->doc_start[d + 1] - first;
                for (uint64_t i = 0; i < length; i++)
                    topic[i] = state->topic[cursor[t->word[first + i]]++];
                if (d % state->stride == 0)
                    make_row(state->row + state->row_start[d / state->stride], topic, length);
            }
        }
        free(cursor);
        free(topic);
    }
}

/* ---- words and lines ---- */

void paper_word_open(paper_word *word, const paper_state *state)
{
    size_t topics = state->settings.topics;
    *word = (paper_word){.weights.topics = state->settings.topics};
    word->weights.w = room(topics, sizeof *word->weights.w);
    word->weights.q = room(topics, sizeof *word->weights.q);
    word->weights.is_top = room(topics, sizeof *word->weights.is_top);
    word->branch = room(topics, sizeof *word->branch);
    word->count = room(topics, sizeof *word->count);
    word->f = room(topics, sizeof *word->f);
}

void paper_word_close(paper_word *word)
{
    free(word->weights.w);
    free(word->weights.q);
    free(word->weights.is_top);
    free(word->branch);
    free(word->count);
    free(word->f);
}

void paper_weigh(paper_word *word, const paper_state *state, uint32_t v)
{
    const ez_token_list *t = state->tokens;
    uint32_t topics = state->settings.topics;
    memset(word->count, 0, topics * sizeof *word->count);
    for (uint64_t i = t->word_start[v]; i < t->word_start[v + 1]; i++)
        word->count[state->topic[i]]++;
    ez_weigh_word(&word->weights, word->count, state->rate, state->settings.priors.alpha,
                  state->settings.priors.beta, state->weight_bits, word->f);
    memset(word->branch, EZ_TOP, topics);
    for (uint8_t i = 0; i < EZ_TOP; i++)
        if (word->weights.record.topic[i] < topics)
            word->branch[word->weights.record.topic[i]] = i;
}

void paper_line(ez_line *line, const paper_word *word, const uint32_t *row, size_t entries,
                int64_t own)
{
    const ez_word_weights *weights = &word->weights;
    const ez_word_record *record = &weights->record;
    *line = (ez_line){0};
    for (size_t j = 0; j < entries; j++) {
        uint32_t k = ez_entry_topic(row[j]), count = ez_entry_count(row[j]);
        if (word->branch[k] < EZ_TOP)
            line->top_count[word->branch[k]] += count;
        else
            line->s += (uint64_t)count * weights->w[k];
    }
    if (own >= 0 && word->branch[own] < EZ_TOP)
        line->top_count[word->branch[own]]--;
    else if (own >= 0)
        line->s -= weights->w[own];
    for (int i = 0; i < EZ_TOP; i++) {
        if (record->topic[i] < weights->topics)
            line->top_alpha[i] = weights->q[record->topic[i]];
        line->top += ez_branch(record->weight[i], line->top_count[i], line->top_alpha[i]);
    }
    line->total = line->top + (line->s << EZ_ALPHA_BITS) + record->q_rest;
}

double paper_score(const ez_line *line, const paper_word *word, uint64_t length, double alpha_sum)
{
    return log2((double)line->total / word->weights.record.scale / (double)(1 << EZ_ALPHA_BITS)) -
           log2((double)length + alpha_sum);
}
