/* Joins neighbouring words to the phrases of a list. The list is in order of strength: if two
 * phrases overlap in a text, the one that is earlier in the list is joined. Phrases of two words
 * are joined first; then these are joined to longer ones. */
#ifndef EZ_PHRASE_JOIN_H
#define EZ_PHRASE_JOIN_H

#include "corpus/text/phrases/pair_table.h"
#include "corpus/text/string_table.h"
#include "corpus/text/token_store.h"

/* A unit is a term (a number below `terms`) or a phrase (`terms` + its number in `phrases`). */
typedef struct ez_joint {
    uint32_t left, right, unit;
} ez_joint;

/* Zero-initialise and set `terms`; free with ez_phrase_set_free. */
typedef struct ez_phrase_set {
    uint32_t terms;
    ez_strings *phrases;  /* the terms' numbers of each phrase; not owned */
    ez_buffer joints;     /* ez_joint, those of two terms first, each kind by falling strength */
    uint32_t first;       /* number of joints of two terms */
    ez_pair_table pairs;  /* left and right unit to the index of the joint */
    unsigned char *parts; /* by unit: what it is a part of, so that few pairs are looked up */
    uint32_t units;       /* all terms and phrases, when the set was made ready */
} ez_phrase_set;

enum { EZ_PHRASE_WORDS = 4 }; /* the longest phrase */

static inline const ez_joint *ez_joints(const ez_phrase_set *set)
{
    return (const ez_joint *)(const void *)set->joints.data;
}
static inline uint32_t ez_joint_count(const ez_phrase_set *set)
{
    return (uint32_t)(set->joints.used / sizeof(ez_joint));
}

/* The number of terms of a unit; `to` (EZ_PHRASE_WORDS entries) gets them. */
size_t ez_unit_terms(const ez_phrase_set *set, uint32_t unit, uint32_t *to);
/* Adds a joint; *added is false if the phrase would be too long or the pair is there. Joints of two
 * terms come before all others. */
ezlda_status ez_phrase_set_add(ez_phrase_set *set, ezlda_context *context, uint32_t left,
                               uint32_t right, bool *added);
/* Prepares the set for ez_phrases_join; again after each change. */
ezlda_status ez_phrase_set_ready(ez_phrase_set *set, ezlda_context *context);
/* Removes the joints whose unit is marked. The set must be made ready again. */
ezlda_status ez_phrase_set_remove(ez_phrase_set *set, ezlda_context *context,
                                  const unsigned char *phrase_is_removed);
/* Joins the tokens of a document in place and returns their number. Marks of gaps stay. */
size_t ez_phrases_join(const ez_phrase_set *set, uint32_t *tokens, size_t n);
void ez_phrase_set_free(ez_phrase_set *set);

#endif
