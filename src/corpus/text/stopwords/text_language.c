/* Settles the stop words after all documents are tokenised: the main language of the corpus, in
 * which documents are read that do not show theirs, what the rules of the corpus say about
 * languages, and the words that the corpus itself shows to be stop words. */
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/vocabulary/text_terms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The language of most documents is used for those that show none if at least 1 in 10 documents is
 * in it. */
enum { MAIN_PART = 10 };
/* Common words are removed unasked if they are at least 1/20 of all tokens. */
enum { COMMON_PART = 20 };
/* Languages that a note names, and bytes of the words in a note. */
enum { NAMED = 5, NOTE_BYTES = 1800 };

static void sum_languages(const ez_text_job *job, ez_language_counts *sum)
{
    memset(sum, 0, sizeof *sum);
    for (int w = 0; w < job->workers; w++) {
        const ez_language_counts *counts = &job->words[w].languages;
        sum->open_docs += counts->open_docs;
        sum->open_tokens += counts->open_tokens;
        for (uint32_t i = 0; i < EZ_TABLE_LANGUAGES; i++) {
            sum->docs[i] += counts->docs[i];
            sum->open_hits[i] += counts->open_hits[i];
        }
    }
}

static uint32_t largest(const uint64_t *numbers, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (numbers[i] > numbers[best])
            best = i;
    return best;
}

static uint64_t docs_of(const ez_text_job *job, const ez_language_counts *counts)
{
    uint64_t docs = counts->open_docs;
    for (uint32_t i = 0; i < job->table.languages; i++)
        docs += counts->docs[i];
    return docs;
}

/* Whether documents that show no language have enough different words of this one's list. */
static ezlda_status has_kinds(const ez_text_job *job, uint32_t language, bool *enough)
{
    ez_strings kinds = {0};
    ezlda_status status = EZLDA_OK;
    for (int w = 0; w < job->workers && status == EZLDA_OK; w++) {
        const ez_text_words *words = &job->words[w];
        for (uint32_t i = 0; i < words->listed_words.n && status == EZLDA_OK; i++) {
            const ez_listed_word *listed = ez_listed_words(words) + i;
            uint32_t id;
            bool added;
            size_t n;
            const char *text = ez_strings_get(&words->listed_words, i, &n);
            if (listed->open.tokens && listed->mask >> language & 1)
                status = ez_strings_add(&kinds, job->context, text, n, &id, &added);
        }
    }
    *enough = kinds.n >= EZ_LANGUAGE_KINDS;
    ez_strings_free(&kinds);
    return status;
}

/* The language of documents that show none: that of most documents, or, if hardly any document
 * shows its language, the one with the largest part of their words. */
static ezlda_status choose_main(const ez_text_job *job, const ez_language_counts *counts,
                                uint32_t *main)
{
    bool enough;
    uint32_t best = largest(counts->docs, job->table.languages);
    if (counts->docs[best] && counts->docs[best] * MAIN_PART >= docs_of(job, counts)) {
        *main = best;
        return EZLDA_OK;
    }
    best = largest(counts->open_hits, job->table.languages);
    EZ_TRY(has_kinds(job, best, &enough));
    bool clear = counts->open_tokens >= EZ_LANGUAGE_WORDS &&
                 counts->open_hits[best] * EZ_CLEAR_PART >= counts->open_tokens;
    *main = clear && enough ? best : EZ_NO_LANGUAGE;
    return EZLDA_OK;
}

/* Says that no document has a language. */
static void note_none(const ez_text_job *job, const ez_language_counts *counts)
{
    uint64_t hits = counts->open_hits[largest(counts->open_hits, job->table.languages)];
    if (counts->open_tokens < EZ_LANGUAGE_WORDS)
        ez_note(job->context,
                "stop words: none removed, %" PRIu64
                " words are too few to guess the language (%d needed)",
                counts->open_tokens, EZ_LANGUAGE_WORDS);
    else
        ez_note(job->context,
                "stop words: none removed, no language is clear (best: %.0f %% of the words)",
                100.0 * (double)hits / (double)counts->open_tokens);
}

static const char *name_of(const ez_stop_table *table, uint32_t language)
{
    const ez_stop_list *list = ez_stop_named(table->code[language]);
    return list ? list->name : table->code[language];
}

/* One line with the languages by falling number of documents. left: documents of each. */
static void note_languages(const ez_text_job *job, uint64_t *left, uint64_t unread, uint64_t docs)
{
    char text[512];
    size_t used = 0;
    uint32_t others = 0;
    for (uint32_t n = 0;; n++) {
        uint32_t best = largest(left, job->table.languages);
        if (!left[best])
            break;
        if (n < NAMED && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     n ? ", %s (%.3g %%)" : "%s (%.3g %% of the documents)",
                                     name_of(&job->table, best),
                                     100.0 * (double)left[best] / (double)docs);
        others += n >= NAMED;
        left[best] = 0;
    }
    if (others && used < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, ", %u more languages", others);
    if (unread && used < sizeof text)
        snprintf(text + used, sizeof text - used,
                 "; none removed from %.3g %%, whose language is not clear",
                 100.0 * (double)unread / (double)docs);
    ez_note(job->context, "stop words: %s", text);
}

static ezlda_status keep_list(ez_text_job *job, uint32_t language, ez_buffer *text)
{
    char key[8 + EZ_CODE_BYTES];
    text->used = 0;
    snprintf(key, sizeof key, EZ_RULE_LIST "%s", job->table.code[language]);
    EZ_TRY(ez_stop_table_list(&job->table, job->context, language, text));
    return ez_rule_settings_set(&job->settings, job->context, key, (const char *)text->data);
}

/* Stores the lists that were used. If one language is used for all documents, its list is stored
 * like a list that was asked for. */
static ezlda_status keep_languages(ez_text_job *job, const uint64_t *docs, bool unread)
{
    ez_buffer codes = {0}, text = {0};
    uint32_t main = job->table.main, n = 0;
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < job->table.languages; i++)
        n += docs[i] > 0;
    if (n == 1 && !unread) {
        EZ_TRY_GOTO(ez_stop_table_list(&job->table, job->context, main, &text));
        status = ez_stopwords_add_list(&job->stopwords, job->context, (const char *)text.data);
        goto done;
    }
    const char *first = main == EZ_NO_LANGUAGE ? "-" : job->table.code[main];
    EZ_TRY_GOTO(ez_buffer_append(&codes, job->context, first, strlen(first)));
    for (uint32_t i = 0; i < job->table.languages; i++) {
        const char *code = job->table.code[i];
        if (!docs[i])
            continue;
        EZ_TRY_GOTO(keep_list(job, i, &text));
        if (i == main)
            continue;
        EZ_TRY_GOTO(ez_buffer_append(&codes, job->context, " ", 1));
        EZ_TRY_GOTO(ez_buffer_append(&codes, job->context, code, strlen(code)));
    }
    EZ_TRY_GOTO(ez_buffer_append(&codes, job->context, "", 1));
    status = ez_rule_settings_set(&job->settings, job->context, EZ_RULE_LANGUAGES,
                                  (const char *)codes.data);
done:
    ez_free(codes.data);
    ez_free(text.data);
    return status;
}

ezlda_status ez_text_settle_languages(ez_text_job *job)
{
    ez_language_counts counts;
    if (!job->table.languages || job->table_is_given)
        return EZLDA_OK;
    sum_languages(job, &counts);
    uint64_t docs = docs_of(job, &counts), open = counts.open_docs;
    EZ_TRY(choose_main(job, &counts, &job->table.main));
    if (open == docs && job->table.main == EZ_NO_LANGUAGE) {
        job->common_words = docs >= EZ_COMMON_LEAST_DOCS;
        if (!job->common_words)
            note_none(job, &counts);
        return EZLDA_OK;
    }
    if (job->table.main != EZ_NO_LANGUAGE) {
        counts.docs[job->table.main] += open;
        open = 0;
    }
    job->common_words = job->common_words || 2 * open > docs;
    EZ_TRY(keep_languages(job, counts.docs, open > 0));
    note_languages(job, counts.docs, job->common_words ? 0 : open, docs);
    return EZLDA_OK;
}

/* Whether the common words are enough of the text, and not nearly all of it. If they are not
 * enough, its stop words were removed before, and what is spread evenly now has a meaning. If they
 * are nearly all, the documents are alike. */
static bool common_enough(const ez_text_job *job, const ez_candidate *candidates, uint32_t n)
{
    uint64_t common = 0, all = 0;
    for (uint32_t i = 0; i < n; i++)
        common += candidates[i].tokens;
    for (int i = 0; i < EZ_LENGTH_BINS; i++)
        all += job->lengths.tokens[i];
    bool some = common * COMMON_PART >= all, rest = common <= all - all / COMMON_PART;
    return job->common_asked || (some && rest);
}

/* Sorts the common words and adds them to the set of words that are removed. */
static ezlda_status choose_common(const ez_terms *terms, const ez_text_job *job, ez_strings *set)
{
    ez_candidate *candidates;
    EZ_TRY(ez_array(&candidates, job->context, terms->terms.n, sizeof *candidates,
                    "words of most documents"));
    uint32_t n = 0;
    for (uint32_t i = 0; i < terms->terms.n; i++)
        if (ez_word_is_common(&job->lengths, terms->tokens[i], terms->docs[i]))
            candidates[n++] =
                (ez_candidate){terms->tokens[i], ez_strings_get(&terms->terms, i, NULL), i};
    n = common_enough(job, candidates, n) ? ez_rank_candidates(candidates, n, 0) : 0;
    ezlda_status status = EZLDA_OK;
    for (uint32_t i = 0; i < n && status == EZLDA_OK; i++)
        status = ez_stopwords_add_list(set, job->context, candidates[i].word);
    ez_free(candidates);
    return status;
}

/* One line with the words, as many as a note has room for. */
static void note_common(const ez_text_job *job, const ez_strings *set)
{
    char text[NOTE_BYTES];
    size_t used = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        size_t n;
        const char *word = ez_strings_get(set, i, &n);
        bool fits = used + n + sizeof " ..." < sizeof text;
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", fits ? word : "...");
        if (!fits)
            break;
    }
    if (set->n)
        ez_note(job->context,
                "stop words: removed %u words that are spread evenly over the documents "
                "(--stopwords none keeps them):%s",
                set->n, text);
    else
        ez_note(job->context, "stop words: none removed%s: hardly any word is spread evenly",
                job->common_asked ? "" : " from documents without a clear language");
}

ezlda_status ez_terms_remove_common(ez_terms *terms, ez_text_job *job)
{
    ez_strings common = {0};
    uint32_t *kept = NULL;
    ezlda_status status;
    if (!job->common_words)
        return EZLDA_OK;
    EZ_TRY_GOTO(choose_common(terms, job, &common));
    note_common(job, &common);
    EZ_TRY_GOTO(ez_array(&kept, job->context, terms->terms.n, sizeof *kept, "word numbers"));
    for (uint32_t i = 0; i < terms->terms.n; i++) {
        size_t n;
        const char *word = ez_strings_get(&terms->terms, i, &n);
        kept[i] = i;
        if (!ez_is_stopword(&job->tokeniser, &common, word, n))
            continue;
        kept[i] = UINT32_MAX;
        terms->tokens[i] = terms->docs[i] = 0;
    }
    ez_terms_remap(terms, kept);
    for (uint32_t i = 0; i < common.n; i++)
        EZ_TRY_GOTO(
            ez_stopwords_add_list(&job->stopwords, job->context, ez_strings_get(&common, i, NULL)));
done:
    ez_strings_free(&common);
    ez_free(kept);
    return status;
}
