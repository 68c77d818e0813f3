/* Finds the tokens of a text, looks up their forms and counts their words, in batches: while one
 * step works on a batch, the memory that the next step needs is being fetched. */
#include "corpus/text/text_words.h"

#include "corpus/text/tokeniser/letter_mask.h"
#include "corpus/text/tokeniser/word_joiners.h"

#include <string.h>

enum { EZ_SHORT_FORM = 15, FIRST_SLOTS = 4096 };

/* Tokens per batch; a step of 64 bytes that has fewer than FEW_PLAIN plain words is not worth it.
 */
enum { BATCH = 32, FEW_PLAIN = 2 };

/* A listed word of the document at hand, with the number of its tokens before it that are not
 * listed. */
typedef struct heard_word {
    uint32_t index, before;
} heard_word;

typedef struct pending {
    const char *form;
    size_t n;
    ez_form_key key; /* set for short forms only */
    size_t hash;
    uint32_t word;
    bool apart; /* not a neighbour of the token before it; set if gaps are marked */
} pending;

/* ---- table of short forms ---- */

/* The key of a form of 1 to 15 bytes, in a text that ends at `end`. Lengths follow no pattern, so
 * that a table is faster than a branch. */
static inline ez_form_key form_key_of(const char *form, size_t n, const char *end)
{
    ez_form_key key = {0, 0};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    static const uint64_t first[17] = {0,          0xff,         0xffff,         0xffffff,
                                       0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
                                       UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
                                       UINT64_MAX, UINT64_MAX,   UINT64_MAX,     UINT64_MAX,
                                       UINT64_MAX};
    if ((size_t)(end - form) >= sizeof key) {
        memcpy(&key, form, sizeof key);
        key.low &= first[n];
        key.high &= first[n < 8 ? 0 : n - 8];
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
    ez_strings_free(&words->listed_words);
    ez_free(words->counts.data);
    ez_segmenter_free(&words->segmenter);
    ez_free(words->listed.data);
    ez_free(words->document.data);
    ez_free(words->heard.data);
    ez_free(words->places.data);
    memset(words, 0, sizeof *words);
}

/* The folded form of a normalised word, in `folded` (EZ_WORD_BYTES+1 bytes) if it is another. */
static const char *fold_word(const ez_tokeniser *tokeniser, const char *word, size_t *n,
                             char *folded)
{
    if (!tokeniser->keep_case && !tokeniser->pieces)
        return word;
    ez_tokeniser folding = *tokeniser;
    folding.keep_case = folding.pieces = false;
    folding.min_length = 1;
    *n = ez_normalise_word(&folding, word, *n, folded);
    return folded;
}

bool ez_is_stopword(const ez_tokeniser *tokeniser, const ez_strings *stopwords, const char *word,
                    size_t n)
{
    char folded[EZ_WORD_BYTES + 1];
    if (!stopwords->n)
        return false;
    word = fold_word(tokeniser, word, &n, folded);
    return ez_strings_find(stopwords, word, n) != EZ_NO_STRING;
}

/* Adds a word with a count of zero. */
static ezlda_status add_word(ez_text_words *words, ezlda_context *context, const char *text,
                             size_t n, uint32_t *word)
{
    static const ez_word_count none = {0};
    bool added;
    EZ_TRY(ez_strings_add(&words->words, context, text, n, word, &added));
    if (*word >= EZ_OPEN_TOKEN)
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "more than %u distinct words",
                       EZ_OPEN_TOKEN);
    return added ? ez_buffer_append(&words->counts, context, &none, sizeof none) : EZLDA_OK;
}

/* Finds a form in the lists of the languages: *word is EZ_OPEN_TOKEN and the index of the listed
 * word, or EZ_NO_STRING. Words that are too short are found too, as they show the language; single
 * letters of ASCII show little, as initials are everywhere. */
static ezlda_status learn_listed(ez_text_words *words, ezlda_context *context,
                                 const ez_word_rules *rules, const char *form, size_t bytes,
                                 uint32_t *word)
{
    ez_tokeniser any_length = *rules->tokeniser;
    char text[EZ_WORD_BYTES + 1];
    bool added;
    any_length.min_length = 1;
    size_t n = ez_normalise_word(&any_length, form, bytes, text);
    bool tells = n > 1 || (n == 1 && rules->tokeniser->min_length <= 1);
    *word = EZ_NO_STRING;
    if (!tells)
        return EZLDA_OK;
    size_t length = n;
    char folded[EZ_WORD_BYTES + 1];
    const char *listed_as = fold_word(rules->tokeniser, text, &length, folded);
    uint32_t id = ez_stop_table_find(rules->table, listed_as, length);
    if (id == EZ_NO_STRING)
        return EZLDA_OK;
    ez_listed_word listed = {.mask = ez_stop_mask(rules->table, id), .word = EZ_NO_STRING};
    EZ_TRY(ez_strings_add(&words->listed_words, context, text, n, word, &added));
    if (!ez_normalise_word(rules->tokeniser, form, bytes, text))
        listed.mask |= EZ_ALWAYS_STOPPED;
    *word |= EZ_OPEN_TOKEN;
    return added ? ez_buffer_append(&words->listed, context, &listed, sizeof listed) : EZLDA_OK;
}

/* Finds the word of a new form; EZ_NO_STRING if it is not a word, or is a stop word of all
 * documents. */
static ezlda_status learn_form(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *form, size_t n,
                               uint32_t *word)
{
    char text[EZ_WORD_BYTES + 1];
    *word = EZ_NO_STRING;
    size_t length = ez_normalise_word(rules->tokeniser, form, n, text);
    if (length && ez_is_stopword(rules->tokeniser, rules->stopwords, text, length))
        return EZLDA_OK;
    if (rules->table)
        EZ_TRY(learn_listed(words, context, rules, form, n, word));
    return length && *word == EZ_NO_STRING ? add_word(words, context, text, length, word)
                                           : EZLDA_OK;
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

static void note_token(const ez_text_words *words, const char *end, pending *token,
                       const char *form, size_t n)
{
    token->form = form;
    token->n = n;
    if (n > EZ_SHORT_FORM)
        return;
    token->key = form_key_of(form, n, end);
    token->hash = form_hash(token->key);
    __builtin_prefetch(&words->short_forms.slots[token->hash & words->short_forms.mask]);
}

/* Finds the words in the next 64 bytes that end before the first byte that is not plain, at most
 * `room`. *plain: the rest can be found in the same way. */
static size_t find_plain_tokens(const ez_text_words *words, const ez_word_rules *rules,
                                ez_word_cursor *cursor, pending *batch, size_t room, bool *plain)
{
    const char *base = cursor->at, *before = base;
    size_t left = (size_t)(cursor->end - base), bytes = left < EZ_MASK_BYTES ? left : EZ_MASK_BYTES;
    ez_letter_mask mask = ez_letter_mask_of(rules->tokeniser, base, bytes);
    uint64_t after = mask.letters << 1, starts = mask.letters & ~after,
             ends = after & ~mask.letters;
    size_t limit = bytes, count = 0;
    if (mask.special) {
        limit = (size_t)__builtin_ctzll(mask.special);
        ends &= (UINT64_C(1) << limit) - 1;
    }
    for (; ends && count < room; ends &= ends - 1, starts &= starts - 1, count++) {
        const char *form = base + __builtin_ctzll(starts);
        cursor->at = base + __builtin_ctzll(ends);
        batch[count].apart = rules->gaps && ez_separates_words(before, form);
        before = cursor->at;
        note_token(words, cursor->end, &batch[count], form, (size_t)(cursor->at - form));
    }
    if (count == room)
        return count;
    size_t next = starts ? (size_t)__builtin_ctzll(starts) : limit;
    if (!rules->gaps)
        cursor->at = base + (next < limit ? next : limit);
    *plain = count && !mask.special && cursor->at < cursor->end;
    return count;
}

/* Finds the next tokens and prefetches the slots of their forms. Text with many characters beyond
 * ASCII is read word by word. */
static size_t find_tokens(const ez_text_words *words, const ez_word_rules *rules,
                          ez_word_cursor *cursor, pending *batch)
{
    size_t count = 0;
    bool masks = ez_may_use_masks(rules->tokeniser);
    while (count < BATCH) {
        if (masks && !cursor->segmenter->busy) {
            size_t got;
            bool plain = true;
            for (got = 0; plain && count < BATCH; count += got)
                got = find_plain_tokens(words, rules, cursor, batch + count, BATCH - count, &plain);
            if (count == BATCH)
                break;
            masks = got >= FEW_PLAIN;
        }
        /* The pieces of a run that is being cut are neighbours. */
        const char *before = cursor->segmenter->busy ? NULL : cursor->at;
        size_t n;
        const char *form = ez_cursor_next(cursor, &n);
        if (!form)
            break;
        batch[count].apart = before && rules->gaps && ez_separates_words(before, form);
        note_token(words, cursor->end, &batch[count++], form, n);
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
        if (!(token->word & EZ_OPEN_TOKEN))
            __builtin_prefetch(ez_word_counts(words) + token->word, 1);
    }
    return EZLDA_OK;
}

/* count_tokens with gaps, places or both: gaps and listed words stand in the document among the
 * others. */
static size_t count_with_marks(ez_text_words *words, const ez_word_rules *rules,
                               const pending *batch, size_t count, ez_votes *votes,
                               const char *text)
{
    ez_token_place *place = NULL;
    size_t tokens = 0;
    uint32_t *to = (uint32_t *)(void *)(words->document.data + words->document.used), *at = to;
    if (rules->places)
        place = (ez_token_place *)(void *)words->places.data + words->document.used / sizeof *at;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = batch[i].word;
        if (rules->gaps && (batch[i].apart || word == EZ_NO_STRING))
            *at++ = EZ_GAP;
        if (word == EZ_NO_STRING)
            continue;
        if (place)
            place[at - to] =
                (ez_token_place){(uint64_t)(batch[i].form - text), (uint32_t)batch[i].n};
        tokens++;
        if (word & EZ_OPEN_TOKEN)
            ez_vote(votes, ez_listed_words(words)[word & ~EZ_OPEN_TOKEN].mask & ~EZ_ALWAYS_STOPPED);
        else
            ez_count_word(ez_word_counts(words) + word, words->docs);
        *at++ = word;
    }
    words->document.used += (size_t)(at - to) * sizeof *at;
    return tokens;
}

/* Counts the words of a batch, appends them to the document at hand and returns their number.
 * Listed words only vote: it is not known yet whether they stay. Which words are listed follows no
 * pattern, so that each word is written to both lists and counts in one. */
static size_t count_tokens(ez_text_words *words, const pending *batch, size_t count,
                           ez_votes *votes)
{
    uint32_t *to = (uint32_t *)(void *)(words->document.data + words->document.used);
    heard_word *heard = (heard_word *)(void *)(words->heard.data + words->heard.used);
    uint32_t before = (uint32_t)(words->document.used / sizeof *to);
    size_t kept = 0, listed = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = batch[i].word;
        to[kept] = word;
        heard[listed] = (heard_word){word & ~EZ_OPEN_TOKEN, before + (uint32_t)kept};
        kept += !(word & EZ_OPEN_TOKEN);
        listed += (word & EZ_OPEN_TOKEN) && word != EZ_NO_STRING;
    }
    for (size_t i = 0; i < kept; i++)
        ez_count_word(ez_word_counts(words) + to[i], words->docs);
    ez_votes sum = *votes; /* a copy stays in registers */
    for (size_t i = 0; i < listed; i++)
        ez_vote(&sum, ez_listed_words(words)[heard[i].index].mask & ~EZ_ALWAYS_STOPPED);
    *votes = sum;
    words->document.used += kept * sizeof *to;
    words->heard.used += listed * sizeof *heard;
    return kept + listed;
}

/* Appends a listed word that stays to the document: with its own number if the language of the
 * document is known. */
static ezlda_status put_listed(ez_text_words *words, ezlda_context *context, uint32_t index,
                               bool open, ez_buffer *to)
{
    ez_listed_word *listed = ez_listed_words(words) + index;
    if (open) {
        ez_count_word(&listed->open, words->docs);
        ez_put_token(to, EZ_OPEN_TOKEN | index);
        return EZLDA_OK;
    }
    if (listed->word == EZ_NO_STRING) {
        size_t n;
        const char *text = ez_strings_get(&words->listed_words, index, &n);
        EZ_TRY(add_word(words, context, text, n, &listed->word));
    }
    ez_count_word(ez_word_counts(words) + listed->word, words->docs);
    ez_put_token(to, listed->word);
    return EZLDA_OK;
}

static ezlda_status end_document(ez_text_words *words, size_t kept, ez_buffer *to)
{
    ez_doc_lengths_add(&words->lengths, kept);
    ez_put_end(to);
    return EZLDA_OK;
}

static void put_plain(ez_buffer *to, const uint32_t *tokens, size_t n)
{
    ez_buffer out = *to; /* a copy stays in registers */
    for (size_t i = 0; i < n; i++)
        ez_put_token(&out, tokens[i]);
    to->used = out.used;
}

/* Appends the document at hand without the words of the languages in `removed`, which are almost
 * all that were heard. */
static ezlda_status put_document(ez_text_words *words, ezlda_context *context, uint64_t removed,
                                 bool open, ez_buffer *to)
{
    const uint32_t *tokens = (const uint32_t *)(const void *)words->document.data;
    const ez_listed_word *listed = ez_listed_words(words);
    heard_word *heard = (heard_word *)(void *)words->heard.data;
    size_t n = words->document.used / sizeof *tokens, stay = 0, done = 0;
    for (size_t i = 0; i < words->heard.used / sizeof *heard; i++) {
        heard_word word = heard[i];
        heard[stay] = word;
        stay += !(listed[word.index].mask & removed);
    }
    for (size_t i = 0; i < stay; done = heard[i++].before) {
        put_plain(to, tokens + done, heard[i].before - done);
        EZ_TRY(put_listed(words, context, heard[i].index, open, to));
    }
    put_plain(to, tokens + done, n - done);
    return end_document(words, n + stay, to);
}

/* put_document with gaps, places or both: with gaps, a word that is removed leaves one. */
static ezlda_status put_with_marks(ez_text_words *words, ezlda_context *context,
                                   const ez_word_rules *rules, uint64_t removed, bool open,
                                   ez_buffer *to)
{
    const ez_token_place *place = (const ez_token_place *)(const void *)words->places.data;
    uint64_t before = 0;
    const uint32_t *tokens = (const uint32_t *)(const void *)words->document.data;
    size_t n = words->document.used / sizeof *tokens, kept = 0;
    bool gap = false;
    for (size_t i = 0; i < n; i++) {
        uint32_t is_listed = tokens[i] >> 31, index = tokens[i] & ~EZ_OPEN_TOKEN;
        if (tokens[i] == EZ_GAP || (is_listed && ez_listed_words(words)[index].mask & removed)) {
            gap = true;
            continue;
        }
        if (gap && rules->gaps)
            ez_put_gap(to);
        gap = false;
        kept++;
        if (is_listed)
            EZ_TRY(put_listed(words, context, index, open, to));
        else
            ez_put_token(to, tokens[i]);
        if (rules->places) {
            ez_put_place(to, place[i], before);
            before = place[i].at;
        }
    }
    return end_document(words, kept, to);
}

/* The next listed word of the document at hand, from place *at on; EZ_NO_STRING at the end. */
static uint32_t next_listed(const ez_text_words *words, bool gaps, size_t *at)
{
    if (!gaps)
        return *at < words->heard.used / sizeof(heard_word)
                   ? ((const heard_word *)(const void *)words->heard.data)[(*at)++].index
                   : EZ_NO_STRING;
    const uint32_t *tokens = (const uint32_t *)(const void *)words->document.data;
    while (*at < words->document.used / sizeof *tokens) {
        uint32_t token = tokens[(*at)++];
        if (token & EZ_OPEN_TOKEN && token != EZ_GAP)
            return token & ~EZ_OPEN_TOKEN;
    }
    return EZ_NO_STRING;
}

/* Whether enough different words of the document at hand are in the list of a language. One that is
 * repeated is a subject: `war` does not make an English text without stop words a German one. */
static bool has_kinds(const ez_text_words *words, bool gaps, uint32_t language)
{
    uint32_t kinds[EZ_LANGUAGE_KINDS], index;
    size_t n = 0, at = 0;
    while ((index = next_listed(words, gaps, &at)) != EZ_NO_STRING) {
        bool known = !(ez_listed_words(words)[index].mask >> language & 1);
        for (size_t i = 0; i < n && !known; i++)
            known = kinds[i] == index;
        if (known)
            continue;
        kinds[n++] = index;
        if (n == EZ_LANGUAGE_KINDS)
            return true;
    }
    return false;
}

/* Decides which language the document at hand, of `tokens` tokens, has. */
static ezlda_status settle_document(ez_text_words *words, ezlda_context *context,
                                    const ez_word_rules *rules, const ez_votes *votes,
                                    uint64_t tokens, ez_buffer *to)
{
    const ez_stop_table *table = rules->table;
    uint32_t language = table ? ez_votes_language(votes, tokens) : EZ_NO_LANGUAGE;
    if (language != EZ_NO_LANGUAGE &&
        (!(table->used >> language & 1) || !has_kinds(words, rules->gaps, language)))
        language = EZ_NO_LANGUAGE;
    ez_language_counts *counts = &words->languages;
    if (language != EZ_NO_LANGUAGE) {
        counts->docs[language]++;
    } else if (tokens) {
        counts->open_docs++;
        counts->open_tokens += tokens;
        ez_votes_sum(votes, counts->open_hits);
    }
    if (language == EZ_NO_LANGUAGE && table)
        language = table->main;
    uint64_t bit = language == EZ_NO_LANGUAGE ? 0 : UINT64_C(1) << language;
    bool open = !bit;
    bit |= EZ_ALWAYS_STOPPED;
    return rules->gaps || rules->places ? put_with_marks(words, context, rules, bit, open, to)
                                        : put_document(words, context, bit, open, to);
}

ezlda_status ez_text_words_add(ez_text_words *words, ezlda_context *context,
                               const ez_word_rules *rules, const char *text, size_t n,
                               ez_buffer *to)
{
    pending batch[BATCH];
    ez_votes votes;
    ez_word_cursor cursor = {rules->tokeniser, &words->segmenter, context, text, text + n};
    /* A word has two bytes, or it has one and a byte separates it from the next such word. */
    size_t most = n / 2 + 1, tokens = 0;
    bool marks = rules->gaps || rules->places;
    size_t room = EZ_TOKEN_ROOM;
    room += rules->gaps ? 1 : 0;
    room += rules->places ? (size_t)EZ_PLACE_ROOM : 0;
    EZ_TRY(ez_buffer_reserve(to, context, ez_product(most, room) + 1));
    size_t places = !rules->places ? 0 : rules->gaps ? 2 * most : most;
    EZ_TRY(ez_buffer_reserve(&words->places, context, ez_product(places, sizeof(ez_token_place))));
    EZ_TRY(reserve_form(&words->short_forms, context));
    words->docs++;
    words->document.used = words->heard.used = 0;
    ez_votes_init(&votes);
    EZ_TRY(ez_buffer_reserve(&words->document, context,
                             ((1 + rules->gaps) * most + 1) * sizeof(uint32_t)));
    if (!marks)
        EZ_TRY(ez_buffer_reserve(&words->heard, context, (most + 1) * sizeof(heard_word)));
    ez_segmenter_begin(&words->segmenter);
    for (size_t count = BATCH; count == BATCH;) {
        count = find_tokens(words, rules, &cursor, batch);
        EZ_TRY(find_words(words, context, rules, batch, count));
        tokens += marks ? count_with_marks(words, rules, batch, count, &votes, text)
                        : count_tokens(words, batch, count, &votes);
    }
    EZ_TRY(settle_document(words, context, rules, &votes, tokens, to));
    return words->segmenter.status;
}
