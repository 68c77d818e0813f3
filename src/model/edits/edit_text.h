/* Edits: what people have said about the topics of a model, as lines of text, and what they come
 * to. The section EDIT of a model file holds the lines; docs/formats.md lists the operations. */
#ifndef EZ_EDIT_TEXT_H
#define EZ_EDIT_TEXT_H

#include "base/memory.h"
#include "corpus/text/string_table.h"

/* A word that lists of a topic's words begin with (first), or do not have. */
typedef struct ez_edit_word {
    uint32_t topic, word;
    bool first;
} ez_edit_word;

typedef struct ez_edits {
    char *text;     /* the operations in their usual form, each line ended by a newline */
    char **name;    /* topics: NULL: none */
    char **group;   /* topics: NULL: none */
    bool *hidden;   /* topics: also those that were merged into another one */
    uint32_t *into; /* topics: the topic that this one was merged into, or itself */
    bool merges;
    ez_edit_word *word; /* in the order of the operations */
    size_t words;
    uint32_t topics;
} ez_edits;

/* What the reader must know of the model. */
typedef struct ez_edit_source {
    const char *name; /* what messages call the text */
    uint32_t topics;
    uint32_t (*find_word)(void *user,
                          const char *word); /* UINT32_MAX: the model does not have it */
    void *user;
    /* Operations with which the text may begin, as the model has them already: words that have
     * left the vocabulary since are ignored there, and only they may say `merged`, which stands for
     * a merge that is in the counts of an update. NULL: none. */
    const char *earlier;
    ezlda_status bad; /* the status if the text is wrong */
} ez_edit_source;

/* Reads operations. *out is NULL if there are none; ez_edits_free accepts that. */
ezlda_status ez_edits_read(ez_edits **out, ezlda_context *context, const char *text,
                           const ez_edit_source *source);
void ez_edits_free(ez_edits *edits);

/* What edits say about a word of a topic; NULL: nothing. edits may be NULL. The last one counts. */
static inline const ez_edit_word *ez_edits_word(const ez_edits *edits, uint32_t topic,
                                                uint64_t word)
{
    for (size_t i = edits ? edits->words : 0; i > 0; i--)
        if (edits->word[i - 1].topic == topic && edits->word[i - 1].word == word)
            return &edits->word[i - 1];
    return NULL;
}

/* Words that lists of a topic begin with: writes at most n, returns how many. */
static inline size_t ez_edits_first(const ez_edits *edits, uint32_t topic, uint32_t *word, size_t n)
{
    size_t found = 0;
    for (size_t i = 0; edits && i < edits->words && found < n; i++) {
        const ez_edit_word *edit = &edits->word[i];
        if (edit->topic == topic && edit->first && ez_edits_word(edits, topic, edit->word) == edit)
            word[found++] = edit->word;
    }
    return found;
}

/* Words of a topic that edits may put first. */
enum { EZ_FIRST_WORDS = 100 };

/* The operations for a model whose counts have the merges: `merge` becomes `merged`. The caller
 * frees *out with ez_free. */
ezlda_status ez_edits_settle(char **out, ezlda_context *context, const ez_edits *edits);

#endif
