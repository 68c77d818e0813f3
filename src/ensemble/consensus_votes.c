/* Topics of tokens by the votes of the members. The tokens of a word in a document are alike, so
 * they are counted together: if the members gave 40 % of their votes to a topic, it gets 40 % of
 * these tokens, as near as whole tokens allow. */
#include "base/memory.h"
#include "ensemble/consensus.h"

#include <string.h>

/* Votes by topic, and which topics have any, ascending only after sorting. */
typedef struct tally {
    uint32_t *votes; /* topics */
    uint32_t *voted; /* topics with votes */
    uint32_t n;
} tally;

typedef struct counting {
    const ez_consensus *c;
    tally doc, word;
    uint32_t *given; /* tokens that a topic has got of the present word */
} counting;

static void vote(tally *t, uint32_t topic, uint32_t votes)
{
    if (t->votes[topic] == 0)
        t->voted[t->n++] = topic;
    t->votes[topic] += votes;
}

static void clear(tally *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        t->votes[t->voted[i]] = 0;
    t->n = 0;
}

static void count_votes(const ez_consensus *c, uint64_t first, uint64_t end, tally *t)
{
    for (uint32_t m = 0; m < c->members; m++) {
        const uint16_t *topic = c->models[m]->token_topics;
        const uint32_t *label = c->label + (size_t)m * c->topics;
        for (uint64_t i = first; i < end; i++)
            vote(t, label[topic[i]], 1);
    }
}

/* Whether the next token goes to topic a rather than to topic b: to the one whose share of the
 * tokens falls short most; ties by the votes of the whole document, then the smaller number. */
static bool comes_first(const counting *s, uint32_t a, uint32_t b)
{
    int64_t members = s->c->members;
    int64_t short_a = (int64_t)s->word.votes[a] - members * s->given[a],
            short_b = (int64_t)s->word.votes[b] - members * s->given[b];
    if (short_a != short_b)
        return short_a > short_b;
    if (s->doc.votes[a] != s->doc.votes[b])
        return s->doc.votes[a] > s->doc.votes[b];
    return a < b;
}

/* Gives the tokens of a word in a document their topics. */
static void decide_word(counting *s, uint64_t first, uint64_t end, uint16_t *topic)
{
    count_votes(s->c, first, end, &s->word);
    for (uint64_t i = first; i < end; i++) {
        uint32_t best = s->word.voted[0];
        for (uint32_t v = 1; v < s->word.n; v++)
            if (comes_first(s, s->word.voted[v], best))
                best = s->word.voted[v];
        s->given[best]++;
        topic[i] = (uint16_t)best;
    }
    for (uint64_t i = first; i < end; i++)
        s->given[topic[i]] = 0;
    clear(&s->word);
}

static void decide_document(counting *s, uint64_t doc, uint16_t *topic)
{
    const ez_token_list *tokens = s->c->tokens;
    uint64_t first = tokens->doc_start[doc], end = tokens->doc_start[doc + 1];
    count_votes(s->c, first, end, &s->doc);
    while (first < end) {
        uint64_t next = first + 1;
        while (next < end && tokens->word[next] == tokens->word[first])
            next++;
        decide_word(s, first, next, topic);
        first = next;
    }
    clear(&s->doc);
}

static ezlda_status tally_init(tally *t, const ez_consensus *c)
{
    EZ_TRY(ez_array_zero(&t->votes, c->context, c->topics, sizeof *t->votes, "votes"));
    return ez_array(&t->voted, c->context, c->topics, sizeof *t->voted, "votes");
}

ezlda_status ez_consensus_vote(const ez_consensus *c, uint16_t *topic)
{
    counting s = {.c = c};
    ezlda_status status;
    EZ_TRY_GOTO(tally_init(&s.doc, c));
    EZ_TRY_GOTO(tally_init(&s.word, c));
    EZ_TRY_GOTO(ez_array_zero(&s.given, c->context, c->topics, sizeof *s.given, "votes"));
    for (uint64_t d = 0; d < c->tokens->docs; d++)
        decide_document(&s, d, topic);
done:
    ez_free(s.doc.votes);
    ez_free(s.doc.voted);
    ez_free(s.word.votes);
    ez_free(s.word.voted);
    ez_free(s.given);
    return status;
}
