/* Joins several corpora: their vocabularies, fields and documents. */
#include "corpus/bags/bags.h"

#include "corpus/corpus.h"
#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/string_table.h"
#include "corpus/text/vocabulary/lemmas.h"
#include "corpus/text/vocabulary/shown_forms.h"

#include <string.h>

typedef struct bag_joint {
    ezlda_context *context;
    ezlda_corpus *const *corpora;
    size_t n;
    ez_strings fields;
    ez_buffer rules;       /* those of all corpora, if their lemmas are joined */
    ez_strings vocabulary; /* used if words are matched by their text */
    bool by_text;
    bool order; /* all corpora have an order of words */
    bool text;  /* all corpora have their texts */
} bag_joint;

static uint32_t words_of(const ezlda_corpus *corpus)
{
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(corpus, &sizes);
    return sizes.words;
}

static uint32_t fields_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info.fields;
}

static const ezlda_corpus *longest(const bag_joint *joint)
{
    const ezlda_corpus *best = joint->corpora[0];
    for (size_t i = 1; i < joint->n; i++)
        if (words_of(joint->corpora[i]) > words_of(best))
            best = joint->corpora[i];
    return best;
}

/* The first corpus whose vocabulary is not the beginning of the longest; n if there is none. */
static size_t first_different(const bag_joint *joint)
{
    const ezlda_corpus *best = longest(joint);
    for (size_t i = 0; i < joint->n; i++)
        for (uint32_t w = 0; w < words_of(joint->corpora[i]); w++)
            if (strcmp(ezlda_corpus_word(joint->corpora[i], w), ezlda_corpus_word(best, w)) != 0)
                return i;
    return joint->n;
}

static ezlda_status add_string(ez_strings *table, ezlda_context *context, const char *text)
{
    uint32_t id;
    bool added;
    return ez_strings_add(table, context, text, strlen(text), &id, &added);
}

static ezlda_status collect(bag_joint *joint)
{
    for (size_t i = 0; i < joint->n; i++) {
        for (uint32_t f = 0; f < fields_of(joint->corpora[i]); f++)
            EZ_TRY(add_string(&joint->fields, joint->context,
                              ezlda_corpus_field(joint->corpora[i], f)));
        for (uint32_t w = 0; joint->by_text && w < words_of(joint->corpora[i]); w++)
            EZ_TRY(add_string(&joint->vocabulary, joint->context,
                              ezlda_corpus_word(joint->corpora[i], w)));
    }
    return EZLDA_OK;
}

/* Adds the documents of one corpus. */
static ezlda_status add_documents(const bag_joint *joint, const ezlda_corpus *corpus,
                                  ez_corpus_builder *builder)
{
    uint32_t *map = NULL, *field_of = NULL, words = words_of(corpus);
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&map, joint->context, words, sizeof *map, "word numbers"));
    EZ_TRY_GOTO(
        ez_array(&field_of, joint->context, joint->fields.n, sizeof *field_of, "field names"));
    for (uint32_t w = 0; w < words; w++) {
        const char *word = ezlda_corpus_word(corpus, w);
        map[w] = joint->by_text ? ez_strings_find(&joint->vocabulary, word, strlen(word)) : w;
    }
    for (uint32_t f = 0; f < joint->fields.n; f++)
        field_of[f] = UINT32_MAX;
    for (uint32_t f = 0; f < fields_of(corpus); f++) {
        const char *field = ezlda_corpus_field(corpus, f);
        field_of[ez_strings_find(&joint->fields, field, strlen(field))] = f;
    }
    status = ez_bag_copy_documents(&(ez_bag_copy){corpus, map, field_of, joint->fields.n,
                                                  joint->order, NULL, NULL, joint->text},
                                   joint->context, builder);
done:
    ez_free(map);
    ez_free(field_of);
    return status;
}

static ezlda_status finish(const bag_joint *joint, ezlda_corpus **out, ez_corpus_builder *builder)
{
    const ezlda_corpus *best = longest(joint);
    uint32_t n = joint->by_text ? joint->vocabulary.n : words_of(best);
    const char **words;
    ezlda_status status = ez_array(&words, joint->context, n, sizeof *words, "the vocabulary");
    if (status != EZLDA_OK) {
        ez_corpus_builder_abandon(builder);
        return status;
    }
    for (uint32_t w = 0; w < n; w++)
        words[w] = joint->by_text ? ez_strings_get(&joint->vocabulary, w, NULL)
                                  : ezlda_corpus_word(best, w);
    status = ez_corpus_builder_finish(builder, out, joint->context, words, n);
    ez_free(words);
    return status;
}

/* Stems are shown as words that each corpus has chosen, and phrases were found in each: what is one
 * word here may be another one there. */
static void warn_of_choices(const bag_joint *joint, const ezlda_text_rules *rules)
{
    if (ez_text_rules_setting(rules, EZ_SHOWN) || ez_text_rules_setting(rules, EZ_PHRASES))
        ez_warn(joint->context,
                "the corpora chose the words for their stems, or their phrases, each "
                "for itself, so some words differ that should be one: import all but "
                "the first like the first (--like)");
}

/* The rules of text are kept if all corpora have the same rules of words. */
static const ezlda_text_rules *common_rules(const bag_joint *joint)
{
    const ezlda_text_rules *first = ezlda_corpus_text_rules(joint->corpora[0]);
    for (size_t i = 1; i < joint->n; i++) {
        const ezlda_text_rules *rules = ezlda_corpus_text_rules(joint->corpora[i]);
        if (ez_text_rules_words_same(first, rules))
            continue;
        warn_of_choices(joint, first ? first : rules);
        return NULL;
    }
    return first;
}

/* Each corpus keeps the lemmas of its own words, so those of all are needed. */
static ezlda_status join_lemmas(bag_joint *joint, const ezlda_text_rules **rules)
{
    ez_lemmas all = {0};
    ez_buffer text = {0};
    ezlda_status status = EZLDA_OK;
    if (!ez_text_rules_setting(*rules, EZ_LEMMAS))
        return EZLDA_OK;
    for (size_t i = 0; i < joint->n; i++)
        EZ_TRY_GOTO(ez_lemmas_read_list(
            &all, joint->context,
            ez_text_rules_setting(ezlda_corpus_text_rules(joint->corpora[i]), EZ_LEMMAS)));
    EZ_TRY_GOTO(ez_lemmas_write(&all, joint->context, NULL, &text));
    EZ_TRY_GOTO(ez_text_rules_with(&joint->rules, joint->context, *rules, EZ_LEMMAS,
                                   (const char *)text.data));
    *rules = (const void *)joint->rules.data;
done:
    ez_lemmas_free(&all);
    ez_free(text.data);
    return status;
}

static ezlda_status build(bag_joint *joint, ezlda_corpus **out)
{
    const ezlda_text_rules *rules = common_rules(joint);
    EZ_TRY(join_lemmas(joint, &rules));
    ez_corpus_builder *builder = NULL;
    const char **fields;
    EZ_TRY(ez_array(&fields, joint->context, joint->fields.n, sizeof *fields, "field names"));
    for (uint32_t f = 0; f < joint->fields.n; f++)
        fields[f] = ez_strings_get(&joint->fields, f, NULL);
    ezlda_status status =
        ez_corpus_builder_create(&builder, joint->context, fields, joint->fields.n);
    if (status == EZLDA_OK && joint->order)
        ez_corpus_builder_keep_order(builder);
    if (status == EZLDA_OK && joint->text)
        ez_corpus_builder_keep_text(builder);
    if (status == EZLDA_OK)
        status = ez_corpus_builder_keep_rules(builder, joint->context, rules);
    for (size_t i = 0; i < joint->n && status == EZLDA_OK; i++)
        status = add_documents(joint, joint->corpora[i], builder);
    if (status == EZLDA_OK)
        status = finish(joint, out, builder);
    else
        ez_corpus_builder_abandon(builder);
    ez_free(fields);
    return status;
}

static void choose_order(bag_joint *joint, const char *const *paths)
{
    size_t ordered = 0, without = 0;
    for (size_t i = 0; i < joint->n; i++)
        if (ez_corpus_has_order(joint->corpora[i]))
            ordered++;
        else
            without = i;
    joint->order = ordered == joint->n;
    if (ordered && !joint->order)
        ez_warn(joint->context, "%s: has no order of words, so the joined corpus keeps none",
                paths[without]);
}

static void choose_text(bag_joint *joint, const char *const *paths)
{
    size_t with = 0, without = 0;
    for (size_t i = 0; i < joint->n; i++)
        if (ez_corpus_has_text(joint->corpora[i]))
            with++;
        else
            without = i;
    joint->text = with == joint->n;
    if (with && !joint->text)
        ez_warn(joint->context, "%s: has no text of its documents, so the joined corpus keeps none",
                paths[without]);
}

ezlda_status ez_bags_join(ezlda_corpus **out, ezlda_context *context, ezlda_corpus *const *corpora,
                          size_t n, const char *const *paths, bool by_word)
{
    bag_joint joint = {.context = context, .corpora = corpora, .n = n};
    size_t different = first_different(&joint);
    if (different < n && !by_word)
        return ez_fail(context, EZLDA_ERROR_FORMAT,
                       "%s: its vocabulary differs from the other inputs': bags of words can be "
                       "one corpus only if they share the numbers of their words (name one "
                       "vocabulary file for all)",
                       paths[different]);
    joint.by_text = different < n;
    choose_order(&joint, paths);
    choose_text(&joint, paths);
    ezlda_status status = collect(&joint);
    if (status == EZLDA_OK)
        status = build(&joint, out);
    ez_strings_free(&joint.fields);
    ez_strings_free(&joint.vocabulary);
    ez_free(joint.rules.data);
    return status;
}
