/* The paper's failed trial: tokens whose topic stayed the same for some iterations are no longer
 * sampled.
 *
 *     paper_drop corpus=c.ezc k=1000 iterations=110 drop=72 again=90 unchanged=5 most=4000000
 *
 * Trains with ESCA from a random start, a plain loop on the CPU. From iteration drop= on there are
 * two runs: one that continues as before, and one that skips every token that has kept its topic
 * for unchanged= iterations, until iteration again=, from which all are sampled again. One line of
 * JSON for each run and iteration, with the LLPT after it. */
#include "paper_state.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct trial {
    paper_state state;
    uint8_t *kept; /* tokens, in T: iterations that the topic stayed */
    uint32_t patience;
    uint64_t sampled;
    double score;
} trial;

/* Draws a token, unless it is dropped; its line scores the state before. */
static void visit(trial *t, const paper_word *word, uint64_t i, uint64_t u, bool dropping,
                  double *score, uint64_t *sampled)
{
    const paper_state *s = &t->state;
    uint64_t doc = s->tokens->doc[i],
             length = s->tokens->doc_start[doc + 1] - s->tokens->doc_start[doc];
    const uint32_t *row = s->row + s->row_start[doc];
    size_t entries = s->row_start[doc + 1] - s->row_start[doc];
    ez_line line;
    paper_line(&line, word, row, entries, -1);
    *score += paper_score(&line, word, length, s->settings.priors.alpha_sum);
    if (dropping && t->kept[i] >= t->patience)
        return;
    uint16_t topic = (uint16_t)ez_find_on_line(&line, &word->weights, row, entries, -1, u);
    t->kept[i] = topic != s->topic[i] ? 0 : (uint8_t)(t->kept[i] < 255 ? t->kept[i] + 1 : 255);
    s->topic[i] = topic;
    ++*sampled;
}

/* One iteration; the score is that of the state before it. */
static void iterate(trial *t, uint32_t iteration, bool dropping)
{
    const ez_token_list *list = t->state.tokens;
    uint64_t key = ez_iteration_key(t->state.settings.seed, iteration), sampled = 0;
    double score = 0;
    paper_count(&t->state);
    paper_make_rows(&t->state);
#pragma omp parallel num_threads(ezlda_context_threads(t->state.context)) reduction(+ : score, sampled)
    {
        paper_word word;
        paper_word_open(&word, &t->state);
#pragma omp for schedule(dynamic, 4)
        for (uint32_t v = 0; v < list->words; v++) {
            uint64_t word_key = ez_word_key(key, v);
            uint32_t occurrence = 0;
            if (list->word_start[v] < list->word_start[v + 1])
                paper_weigh(&word, &t->state, v);
            for (uint64_t i = list->word_start[v]; i < list->word_start[v + 1]; i++) {
                occurrence = i > list->word_start[v] && list->doc[i] == list->doc[i - 1]
                                 ? occurrence + 1
                                 : 0;
                visit(t, &word, i, ez_draw(word_key, list->doc[i], occurrence), dropping, &score,
                      &sampled);
            }
        }
        paper_word_close(&word);
    }
    t->score = score / (double)list->tokens;
    t->sampled = sampled;
}

/* Iterations [first, last], and the state after the last one scored; what it draws there is thrown
 * away. */
static void run(trial *t, const char *name, uint32_t first, uint32_t last, uint32_t drop,
                uint32_t again)
{
    uint64_t sampled = t->state.tokens->tokens;
    for (uint32_t i = first; i <= last + 1; i++) {
        iterate(t, i, i >= drop && i < again);
        if (i > 1)
            printf("{\"run\": \"%s\", \"iteration\": %u, \"llpt\": %.6f, \"sampled\": %.6f}\n",
                   name, i - 1, t->score, (double)sampled / (double)t->state.tokens->tokens);
        fflush(stdout);
        sampled = t->sampled;
    }
}

static void start(trial *t)
{
    const ez_token_list *list = t->state.tokens;
    uint64_t key = ez_iteration_key(t->state.settings.seed, 0);
    for (uint32_t v = 0; v < list->words; v++)
        for (uint64_t i = list->word_start[v]; i < list->word_start[v + 1]; i++)
            t->state.topic[i] = (uint16_t)ez_uniform_topic(ez_draw(ez_word_key(key, v), i, 0),
                                                           t->state.settings.topics);
}

/* The two runs part before iteration drop: the state is kept there. */
static void compare(trial *t, uint32_t iterations, uint32_t drop, uint32_t again)
{
    size_t tokens = t->state.tokens->tokens, topics = (tokens + 1) * sizeof *t->state.topic;
    uint16_t *topic = malloc(topics);
    uint8_t *kept = malloc(tokens + 1);
    for (uint32_t i = 1; i < drop; i++) {
        iterate(t, i, false);
        if (i > 1)
            printf("{\"run\": \"plain\", \"iteration\": %u, \"llpt\": %.6f, \"sampled\": 1}\n",
                   i - 1, t->score);
    }
    memcpy(topic, t->state.topic, topics);
    memcpy(kept, t->kept, tokens + 1);
    run(t, "plain", drop, iterations, UINT32_MAX, UINT32_MAX);
    memcpy(t->state.topic, topic, topics);
    memcpy(t->kept, kept, tokens + 1);
    run(t, "dropping", drop, iterations, drop, again);
    free(topic);
    free(kept);
}

int main(int argc, char **argv)
{
    (void)argc;
    ezlda_train_options options;
    trial t = {.kept = NULL};
    paper_open(&t.state, argv, &options);
    paper_check(t.state.context, ez_token_list_index(t.state.tokens, t.state.context));
    t.kept = calloc(t.state.tokens->tokens + 1, 1);
    t.patience = (uint32_t)paper_number(argv, "unchanged", 5);
    start(&t);
    compare(&t, options.iterations, (uint32_t)paper_number(argv, "drop", 72),
            (uint32_t)paper_number(argv, "again", 90));
    free(t.kept);
    paper_close(&t.state);
    return 0;
}
