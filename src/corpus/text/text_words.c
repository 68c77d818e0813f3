/* Finds the tokens of a text, looks up their forms and counts their words, in batches: while one
 * step works on a batch, the memory that the next step needs is being fetched. */
#include "corpus/text/text_words.h"

#include <string.h>

enum { EZ_SHORT_FORM = 15, FIRST_SLOTS = 4096 };

/* Tokens per batch. */
enum { BATCH = 32 };

typedef struct pending {
    const char *form;
    size_t n;
    ez_form_key key; /* set for short forms only */
    size_t hash;
    uint32_t word;
    bool apart; /* not a neighbour of the token before it; set if gaps are marked */
} pending;

/* ---- table of short forms ---- */

/* The key of a form of 1 to 15 bytes, in a text that ends at `end`. */
static inline ez_form_key form_key_of(const char *form, size_t n, const char *end)
{
    ez_form_key key = {0, 0};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if ((size_t)(end - form) >= sizeof key) {
        memcpy(&key, form, sizeof key);
        if (n < 8) {
            key.low &= ((uint64_t)1 << 8 * n) - 1;
            key.high = 0;
        } else {
            key.high &= ((uint64_t)1 << 8 * (n - 8)) - 1;
        }
    } else {
        memcpy(&key, form, n);
    }
    key.high |= (uint64_t)n << 56;
#else
    (void)end;
    memcpy(&key, form, n);
    ((unsigned char *)&key)[15] = (unsigned char)n;
#endif
    return key;
}

static inline size_t form_hash(ez_form_key key)
{
    __extension__ typedef unsigned __int128 wide;
    wide x = (wide)(key.low ^ 0xa0761d6478bd642fu) * (key.high ^ 0xe7037ed1a0b428dbu);
    return (size_t)((uint64_t)x ^ (uint64_t)(x >> 64));
}

/* The slot of a form, or the free one where it belongs (reserve_form has made sure that there is
 * one); hash is form_hash(key). */
static inline ez_form_slot *form_slot_of(const ez_forms *forms, ez_form_key key, size_t hash)
{
    for (size_t at = hash & forms->mask;; at = (at + 1) & forms->mask) {
        ez_form_slot *slot = &forms->slots[at];
        if ((slot->key.low == key.low && slot->key.high == key.high) || !slot->key.high)
            return slot;
    }
}

/* Makes sure that there is a free slot for one more form. Pointers to slots are invalid afterwards.
 */
static ezlda_status reserve_form(ez_forms *forms, ezlda_context *context)
{
    size_t old = forms->slots ? forms->mask + 1 : 0;
    if (forms->n < old / 2)
        return EZLDA_OK;
    ez_forms grown = {NULL, (old ? old * 2 : FIRST_SLOTS) - 1, forms->n};
    EZ_TRY(ez_array_zero(&grown.slots, context, grown.mask + 1, sizeof *grown.slots,
                         "a table of words"));
    for (size_t i = 0; i < old; i++)
        if (forms->slots[i].key.high)
            *form_slot_of(&grown, forms->slots[i].key, form_hash(forms->slots[i].key)) =
                forms->slots[i];
    ez_free(forms->slots);
    *forms = grown;
    return EZLDA_OK;
}

/* ---- words ---- */

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

/* Finds the word of a new form; EZ_NO_STRING if it is no word or a stop word. */
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

static ezlda_status find_short_form(ez_text_words *words, ezlda_context *context,
                                    const ez_word_rules *rules, const pending *token,
                                    uint32_t *word)
{
    const ez_form_slot *slot = form_slot_of(&words->short_forms, token->key, token->hash);
    *word = slot->word;
    if (!slot->key.high) {
        EZ_TRY(learn_form(words, context, rules, token->form, token->n, word));
        EZ_TRY(reserve_form(&words->short_forms, context));
        *form_slot_of(&words->short_forms, token->key, token->hash) =
            (ez_form_slot){token->key, *word};
        words->short_forms.n++;
    }
    return EZLDA_OK;
}

static ezlda_status find_long_form(ez_text_words *words, ezlda_context *context,
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

/* The bytes of a character that leaves the words beside it neighbours: white space, a hyphen, an
 * underscore or an apostrophe; 0 if p is at another one. */
static size_t joiner_at(const char *p, const char *end)
{
    static const char *const wide[] = {"\xc2\xa0", "\xe2\x80\x90", "\xe2\x80\x91", "\xe2\x80\x99",
                                       "\xe3\x80\x80"};
    if (memchr(" \t\r\n-_'", *p, 7))
        return 1;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        size_t n = strlen(wide[i]);
        if ((size_t)(end - p) >= n && memcmp(p, wide[i], n) == 0)
            return n;
    }
    return 0;
}

/* Whether what is between two words separates them; an empty line does. */
static bool separates(const char *p, const char *end)
{
    size_t lines = 0;
    for (size_t n; p < end; p += n) {
        n = joiner_at(p, end);
        lines += *p == '\n';
        if (!n || lines > 1)
            return true;
    }
    return false;
}

/* Finds the next tokens and prefetches the slots of their forms. */
static size_t find_tokens(const ez_text_words *words, const ez_word_rules *rules, const char **at,
                          const char *end, pending *batch)
{
    size_t count = 0;
    for (; count < BATCH; count++) {
        pending *token = &batch[count];
        const char *before = *at;
        token->form = ez_next_word(rules->tokeniser, at, end, &token->n);
        if (!token->form)
            break;
        token->apart = rules->gaps && separates(before, token->form);
        if (token->n > EZ_SHORT_FORM)
            continue;
        token->key = form_key_of(token->form, token->n, end);
        token->hash = form_hash(token->key);
        __builtin_prefetch(&words->short_forms.slots[token->hash & words->short_forms.mask]);
    }
    return count;
}

static ezlda_status find_words(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, pending *batch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pending *token = &batch[i];
        if (token->n <= EZ_SHORT_FORM)
            EZ_TRY(find_short_form(words, context, rules, token, &token->word));
        else
            EZ_TRY(find_long_form(words, context, rules, token->form, token->n, &token->word));
        if (token->word != EZ_NO_STRING)
            __builtin_prefetch(ez_word_counts(words) + token->word, 1);
    }
    return EZLDA_OK;
}

/* *gap: there is something between the last token that was put and the next one. */
static void count_tokens(ez_text_words *words, const ez_word_rules *rules, const pending *batch,
                         size_t count, bool *gap, ez_buffer *to)
{
    for (size_t i = 0; i < count; i++) {
        *gap = *gap || batch[i].apart || batch[i].word == EZ_NO_STRING;
        if (batch[i].word == EZ_NO_STRING)
            continue;
        if (*gap && rules->gaps)
            ez_put_gap(to);
        *gap = false;
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
    bool gap = false;
    /* At least one byte separates two words, and two words and a gap. */
    EZ_TRY(ez_buffer_reserve(to, context, (n / 2 + 1) * (EZ_TOKEN_ROOM + rules->gaps) + 1));
    EZ_TRY(reserve_form(&words->short_forms, context));
    words->docs++;
    for (size_t count = BATCH; count == BATCH;) {
        count = find_tokens(words, rules, &at, end, batch);
        EZ_TRY(find_words(words, context, rules, batch, count));
        count_tokens(words, rules, batch, count, &gap, to);
    }
    ez_put_end(to);
    return EZLDA_OK;
}
