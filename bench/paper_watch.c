/* Trains on a device and prints, after the iterations that at= names, what the paper observes:
 *
 *     paper_watch corpus=c.ezc k=1000 iterations=100 at=10,50,100 device=cuda sample=2000000
 *
 * One line of JSON each: share of tokens that kept their topic; that lie in their word's most
 * likely topic; entries of W and D that are not 0, as shares of all; and for the draws of the
 * iteration to come, share of tokens whose S' need not be made (the bound S_est decides, for g = 1
 * .. 8; ours decides any of the top topics), and that end in the M branch, so that final sampling
 * is skipped. Shares that need a token's line are of the tokens of every n-th document, about
 * sample= of them; sample=0 uses them all. */
#include "backend/choose_device.h"
#include "paper_state.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct shares {
    uint64_t tokens, max_topic, final_skipped;
    uint64_t s_skipped[EZ_TOP], many[EZ_TOP]; /* by g - 1 */
    uint64_t w_entries, d_entries;
} shares;

/* A token of a document that is looked at. */
typedef struct seen {
    uint32_t doc, occurrence;
    uint16_t topic;
} seen;

typedef struct token_sample {
    seen *token;     /* by word */
    uint64_t *start; /* words+1 */
} token_sample;

/* The tokens of every stride-th document, by word; topics come later. */
static void take_sample(token_sample *out, const paper_state *state)
{
    const ez_token_list *t = state->tokens;
    out->start = calloc((size_t)t->words + 2, sizeof *out->start);
    for (uint64_t d = 0; d < t->docs; d += state->stride)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
            out->start[t->word[i] + 2]++;
    for (uint32_t v = 0; v < t->words; v++)
        out->start[v + 2] += out->start[v + 1];
    out->token = calloc(out->start[t->words + 1] + 1, sizeof *out->token);
    for (uint64_t d = 0; d < t->docs; d += state->stride)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++) {
            seen *token = &out->token[out->start[t->word[i] + 1]++];
            bool again = i > t->doc_start[d] && t->word[i - 1] == t->word[i];
            *token = (seen){.doc = (uint32_t)d, .occurrence = again ? token[-1].occurrence + 1 : 0};
        }
}

static void put_topics(const token_sample *sample, const paper_state *state,
                       const uint16_t *by_document)
{
    const ez_token_list *t = state->tokens;
    uint64_t *at = malloc((t->words + 1) * sizeof *at);
    memcpy(at, sample->start, (t->words + 1) * sizeof *at);
    for (uint64_t d = 0; d < t->docs; d += state->stride)
        for (uint64_t i = t->doc_start[d]; i < t->doc_start[d + 1]; i++)
            sample->token[at[t->word[i]]++].topic = by_document[i];
    free(at);
}

static void look_at_token(shares *out, const paper_state *state, const paper_word *word,
                          const seen *token, uint64_t u)
{
    const ez_token_list *t = state->tokens;
    const ez_word_record *record = &word->weights.record;
    uint64_t at = state->row_start[token->doc / state->stride];
    size_t entries = state->row_start[token->doc / state->stride + 1] - at;
    int64_t own = state->settings.estimator == EZLDA_LEAVE_ONE_OUT ? token->topic : -1;
    uint64_t rest = t->doc_start[token->doc + 1] - t->doc_start[token->doc] - (own >= 0);
    ez_line line;
    paper_line(&line, word, state->row + at, entries, own);
    out->tokens++;
    out->max_topic += token->topic == record->topic[0];
    out->final_skipped += ez_mulhi(u, line.total) <
                          ez_branch(record->weight[0], line.top_count[0], line.top_alpha[0]);
    for (int g = 1; g <= EZ_TOP; g++) {
        rest -= line.top_count[g - 1];
        out->s_skipped[g - 1] +=
            ez_decide(record, line.top_count, line.top_alpha, g, rest, u, 1) != EZ_UNDECIDED;
        out->many[g - 1] +=
            ez_decide(record, line.top_count, line.top_alpha, g, rest, u, 0) != EZ_UNDECIDED;
    }
}

static void add_shares(shares *to, const shares *from)
{
    for (size_t i = 0; i < sizeof *to / sizeof(uint64_t); i++)
        ((uint64_t *)to)[i] += ((const uint64_t *)from)[i];
}

/* Words that have no token in the sample count for the density of W alone. */
static void look_at_words(shares *out, const paper_state *state, const token_sample *sample,
                          uint32_t iteration)
{
    const ez_token_list *t = state->tokens;
    uint64_t key = ez_iteration_key(state->settings.seed, iteration);
#pragma omp parallel num_threads(ezlda_context_threads(state->context))
    {
        shares mine = {0};
        paper_word word;
        paper_word_open(&word, state);
#pragma omp for schedule(dynamic, 16)
        for (uint32_t v = 0; v < t->words; v++) {
            uint64_t word_key = ez_part_key(ez_word_key(key, v), t->first_doc);
            paper_weigh(&word, state, v);
            for (uint32_t k = 0; k < state->settings.topics; k++)
                mine.w_entries += word.count[k] > 0;
            for (uint64_t i = sample->start[v]; i < sample->start[v + 1]; i++) {
                const seen *token = &sample->token[i];
                look_at_token(&mine, state, &word, token,
                              ez_draw(word_key, token->doc, token->occurrence));
            }
        }
        paper_word_close(&word);
#pragma omp critical
        add_shares(out, &mine);
    }
}

static uint64_t count_d_entries(const paper_state *state, uint64_t *docs)
{
    uint64_t n = 0, last = (state->tokens->docs + state->stride - 1) / state->stride;
    for (uint64_t i = 0; i < state->row_start[last]; i++)
        n += ez_entry_count(state->row[i]) > 0;
    *docs = last;
    return n;
}

static void print_list(const char *name, const uint64_t *value, uint64_t whole)
{
    printf(", \"%s\": [", name);
    for (int g = 0; g < EZ_TOP; g++)
        printf("%s%.6f", g ? ", " : "", (double)value[g] / (double)whole);
    printf("]");
}

static void look(paper_state *state, const token_sample *sample, uint32_t iteration,
                 const ez_iteration *done)
{
    shares s = {0};
    uint64_t docs;
    const ez_token_list *t = state->tokens;
    double topics = state->settings.topics;
    paper_make_rows(state);
    look_at_words(&s, state, sample, iteration + 1);
    s.d_entries = count_d_entries(state, &docs);
    printf(
        "{\"iteration\": %u, \"unchanged\": %.6f, \"decided_by_backend\": %.6f, \"sample\": %llu, "
        "\"max_topic\": %.6f, \"density_w\": %.8f, \"density_d\": %.8f, \"final_skipped\": %.6f",
        iteration, 1 - (double)done->moved / (double)t->tokens,
        1 - (double)done->undecided / (double)t->tokens, (unsigned long long)s.tokens,
        (double)s.max_topic / (double)s.tokens, (double)s.w_entries / topics / t->words,
        (double)s.d_entries / topics / (double)docs, (double)s.final_skipped / (double)s.tokens);
    print_list("s_skipped", s.s_skipped, s.tokens);
    print_list("many_branch", s.many, s.tokens);
    printf("}\n");
    fflush(stdout);
}

static bool is_listed(const char *list, uint32_t number)
{
    for (char *end; *list; list = *end ? end + 1 : end)
        if (strtoul(list, &end, 10) == number)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    (void)argc;
    paper_state state;
    ezlda_train_options options;
    ez_backend *backend;
    ez_iteration done;
    token_sample sample;
    ez_device_choice choice;
    paper_open(&state, argv, &options);
    double wanted = paper_number(argv, "sample", 0), tokens = (double)state.tokens->tokens;
    state.stride = wanted > 0 && tokens > wanted ? (uint64_t)(tokens / wanted) : 1;
    paper_check(state.context, ez_token_list_cursors(state.tokens, state.context));
    take_sample(&sample, &state);
    paper_check(state.context, ez_device_parse(&choice, state.context, options.device));
    paper_check(state.context,
                ez_backend_open(&backend, state.context, &choice, state.tokens, &state.settings));
    paper_check(state.context, backend->ops->start(backend, state.context));
    uint16_t *topics = malloc((state.tokens->tokens + 1) * sizeof *topics);
    for (uint32_t i = 1; i <= options.iterations; i++) {
        paper_check(state.context, backend->ops->iterate(backend, state.context, i, &done));
        if (!is_listed(paper_text(argv, "at", ""), i))
            continue;
        paper_check(state.context, backend->ops->topics(backend, state.context, topics));
        paper_take_topics(&state, topics);
        put_topics(&sample, &state, topics);
        look(&state, &sample, i, &done);
    }
    backend->ops->free(backend);
    free(topics);
    free(sample.token);
    free(sample.start);
    paper_close(&state);
    return 0;
}
