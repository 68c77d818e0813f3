#include "corpus/text/text_words.h"

#include <string.h>

/* Tokens are found, looked up and counted in batches: the memory a step needs is on its way since
 * the step before. */
enum { BATCH = 32 };

typedef struct pending {
    const char *form;
    size_t n;
    ez_form_key key; /* of a short form */
    size_t hash;
    uint32_t word;
} pending;

void ez_text_words_forget_forms(ez_text_words *words)
{
    ez_free(words->short_forms.slots);
    memset(&words->short_forms, 0, sizeof words->short_forms);
    ez_strings_free(&words->long_forms);
    ez_free(words->word_of_form.data);
    memset(&words->word_of_form, 0, sizeof words->word_of_form);
}

void ez_text_words_free(ez_text_words *words)
{
    ez_text_words_forget_forms(words);
    ez_strings_free(&words->words);
    ez_free(words->counts.data);
    memset(words, 0, sizeof *words);
}

bool ez_is_stopword(const ez_tokeniser *tokeniser, const ez_strings *stopwords, const char *word,
                    size_t n)
{
    char folded[EZ_WORD_BYTES + 1];
    if (!stopwords->n)
        return false;
    if (tokeniser->keep_case) {
        ez_tokeniser folding = *tokeniser;
        folding.keep_case = false;
        folding.min_length = 1;
        n = ez_normalise_word(&folding, word, n, folded);
        word = folded;
    }
    return ez_strings_find(stopwords, word, n) != EZ_NO_STRING;
}

/* What a form met for the first time stands for. */
static ezlda_status learn_form(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *form, size_t n,
                               uint32_t *word)
{
    char text[EZ_WORD_BYTES + 1];
    bool added;
    *word = EZ_NO_STRING;
    n = ez_normalise_word(rules->tokeniser, form, n, text);
    if (!n || ez_is_stopword(rules->tokeniser, rules->stopwords, text, n))
        return EZLDA_OK;
    static const ez_word_count none = {0};
    EZ_TRY(ez_strings_add(&words->words, context, text, n, word, &added));
    return added ? ez_buffer_append(&words->counts, context, &none, sizeof none) : EZLDA_OK;
}

static ezlda_status short_form(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const pending *token, uint32_t *word)
{
    const ez_form_slot *slot = ez_forms_slot(&words->short_forms, token->key, token->hash);
    *word = slot->value;
    if (!slot->key.high) {
        EZ_TRY(learn_form(words, context, rules, token->form, token->n, word));
        EZ_TRY(ez_forms_reserve(&words->short_forms, context));
        *ez_forms_slot(&words->short_forms, token->key, token->hash) =
            (ez_form_slot){token->key, *word};
        words->short_forms.n++;
    }
    return EZLDA_OK;
}

static ezlda_status long_form(ez_text_words *words, ezlda_context *context,
                              const ez_word_rules *rules, const char *form, size_t n,
                              uint32_t *word)
{
    uint32_t id;
    bool added;
    *word = EZ_NO_STRING;
    if (n > EZ_WORD_BYTES)
        return EZLDA_OK;
    EZ_TRY(ez_strings_add(&words->long_forms, context, form, n, &id, &added));
    if (!added) {
        *word = ((const uint32_t *)(const void *)words->word_of_form.data)[id];
        return EZLDA_OK;
    }
    EZ_TRY(learn_form(words, context, rules, form, n, word));
    return ez_buffer_append(&words->word_of_form, context, word, sizeof *word);
}

/* Finds the next tokens and calls for the slots they will be looked up in. */
static size_t gather(const ez_text_words *words, const ez_tokeniser *tokeniser, const char **at,
                     const char *end, pending *batch)
{
    size_t count = 0;
    for (; count < BATCH; count++) {
        pending *token = &batch[count];
        token->form = ez_next_word(tokeniser, at, end, &token->n);
        if (!token->form)
            break;
        if (token->n > EZ_SHORT_FORM)
            continue;
        token->key = ez_form_key_of(token->form, token->n, end);
        token->hash = ez_form_hash(token->key);
        __builtin_prefetch(&words->short_forms.slots[token->hash & words->short_forms.mask]);
    }
    return count;
}

static ezlda_status resolve(ez_text_words *words, ezlda_context *context,
                            const ez_word_rules *rules, pending *batch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pending *token = &batch[i];
        if (token->n <= EZ_SHORT_FORM)
            EZ_TRY(short_form(words, context, rules, token, &token->word));
        else
            EZ_TRY(long_form(words, context, rules, token->form, token->n, &token->word));
        if (token->word != EZ_NO_STRING)
            __builtin_prefetch(ez_word_counts(words) + token->word, 1);
    }
    return EZLDA_OK;
}

static void count_tokens(ez_text_words *words, const pending *batch, size_t count, ez_buffer *to)
{
    for (size_t i = 0; i < count; i++) {
        if (batch[i].word == EZ_NO_STRING)
            continue;
        ez_word_count *seen = ez_word_counts(words) + batch[i].word;
        seen->tokens++;
        seen->docs += seen->last != words->docs;
        seen->last = words->docs;
        ez_put_token(to, batch[i].word);
    }
}

ezlda_status ez_text_words_add(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *text, size_t n,
                               ez_buffer *to)
{
    pending batch[BATCH];
    const char *at = text, *end = text + n;
    /* Between two words stands a byte at least. */
    EZ_TRY(ez_buffer_reserve(to, context, (n / 2 + 1) * EZ_TOKEN_ROOM + 1));
    EZ_TRY(ez_forms_reserve(&words->short_forms, context));
    words->docs++;
    for (size_t count = BATCH; count == BATCH;) {
        count = gather(words, rules->tokeniser, &at, end, batch);
        EZ_TRY(resolve(words, context, rules, batch, count));
        count_tokens(words, batch, count, to);
    }
    ez_put_end(to);
    return EZLDA_OK;
}
