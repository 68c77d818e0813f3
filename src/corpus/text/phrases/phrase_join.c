/* Keeps a list of phrases and joins the tokens of documents by it. */
#include "corpus/text/phrases/phrase_join.h"

#include <string.h>

/* Bits of ez_phrase_set.parts, for joints of two terms; shifted by LONGER for the others. */
enum { LEFT = 1, RIGHT = 2, LONGER = 2 };

size_t ez_unit_terms(const ez_phrase_set *set, uint32_t unit, uint32_t *to)
{
    if (unit < set->terms) {
        *to = unit;
        return 1;
    }
    size_t bytes;
    const char *key = ez_strings_get(set->phrases, unit - set->terms, &bytes);
    memcpy(to, key, bytes);
    return bytes / sizeof *to;
}

ezlda_status ez_phrase_set_add(ez_phrase_set *set, ezlda_context *context, uint32_t left,
                               uint32_t right, bool *added)
{
    uint32_t terms[2 * EZ_PHRASE_WORDS], id;
    size_t n = ez_unit_terms(set, left, terms);
    n += ez_unit_terms(set, right, terms + n);
    *added = n <= EZ_PHRASE_WORDS &&
             ez_pair_table_find(&set->pairs, ez_pair_key(left, right)) == EZ_NO_PAIR;
    if (!*added)
        return EZLDA_OK;
    EZ_TRY(ez_strings_add(set->phrases, context, terms, n * sizeof *terms, &id, added));
    if (id >= EZ_GAP - set->terms)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "more than %u words and phrases", EZ_GAP);
    ez_joint joint = {left, right, set->terms + id};
    EZ_TRY(ez_buffer_append(&set->joints, context, &joint, sizeof joint));
    EZ_TRY(ez_pair_table_add(&set->pairs, context, ez_pair_key(left, right), &id, added));
    if (n == 2)
        set->first = ez_joint_count(set);
    return EZLDA_OK;
}

ezlda_status ez_phrase_set_ready(ez_phrase_set *set, ezlda_context *context)
{
    set->units = set->terms + set->phrases->n;
    ez_free(set->parts);
    EZ_TRY(ez_array_zero(&set->parts, context, set->units, 1, "the words of phrases"));
    for (uint32_t i = 0; i < ez_joint_count(set); i++) {
        const ez_joint *joint = &ez_joints(set)[i];
        set->parts[joint->left] |= i < set->first ? LEFT : LEFT << LONGER;
        set->parts[joint->right] |= i < set->first ? RIGHT : RIGHT << LONGER;
    }
    return EZLDA_OK;
}

ezlda_status ez_phrase_set_remove(ez_phrase_set *set, ezlda_context *context,
                                  const unsigned char *phrase_is_removed)
{
    ez_phrase_set kept = {.terms = set->terms, .phrases = set->phrases};
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < ez_joint_count(set) && status == EZLDA_OK; i++) {
        const ez_joint *joint = &ez_joints(set)[i];
        bool added;
        if (!phrase_is_removed[joint->unit - set->terms])
            status = ez_phrase_set_add(&kept, context, joint->left, joint->right, &added);
    }
    ez_phrase_set_free(status == EZLDA_OK ? set : &kept);
    if (status == EZLDA_OK)
        *set = kept;
    return status;
}

/* The parts that a token can be of joints of two terms (shift 0) or of longer ones (LONGER). A gap
 * is not a unit. */
static inline unsigned parts_of(const ez_phrase_set *set, uint32_t token, unsigned shift)
{
    return token < set->units ? (unsigned)set->parts[token] >> shift : 0;
}

/* The joint of a token with the next one; EZ_NO_PAIR if there is none. */
static inline uint32_t match(const ez_phrase_set *set, const uint32_t *tokens, unsigned shift)
{
    if (!(parts_of(set, tokens[0], shift) & LEFT) || !(parts_of(set, tokens[1], shift) & RIGHT))
        return EZ_NO_PAIR;
    uint32_t joint = ez_pair_table_find(&set->pairs, ez_pair_key(tokens[0], tokens[1]));
    return (joint < set->first) == (shift == 0) ? joint : EZ_NO_PAIR;
}

/* EZ_NO_PAIR is the largest number, so the smaller joint is the one to make. */
static size_t join_some(const ez_phrase_set *set, uint32_t *tokens, size_t n, unsigned shift)
{
    size_t used = 0;
    uint32_t joint = n > 1 ? match(set, tokens, shift) : EZ_NO_PAIR;
    for (size_t i = 0; i < n;) {
        uint32_t next = i + 2 < n ? match(set, tokens + i + 1, shift) : EZ_NO_PAIR;
        if (joint == EZ_NO_PAIR || next < joint) {
            tokens[used++] = tokens[i++];
            joint = next;
            continue;
        }
        tokens[used++] = ez_joints(set)[joint].unit;
        i += 2;
        joint = i + 1 < n ? match(set, tokens + i, shift) : EZ_NO_PAIR;
    }
    return used;
}

size_t ez_phrases_join(const ez_phrase_set *set, uint32_t *tokens, size_t n)
{
    size_t left = set->first ? join_some(set, tokens, n, 0) : n;
    /* Longer phrases contain one of two words. */
    return left < n && ez_joint_count(set) > set->first ? join_some(set, tokens, left, LONGER)
                                                        : left;
}

void ez_phrase_set_free(ez_phrase_set *set)
{
    ez_free(set->joints.data);
    ez_pair_table_free(&set->pairs);
    ez_free(set->parts);
    *set = (ez_phrase_set){.terms = set->terms, .phrases = set->phrases};
}
