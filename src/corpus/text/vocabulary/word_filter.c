/* Chooses the limits of the filter of words, applies them, and reports and stores them. How the
 * limits were found: bench/notes/vocabulary.md. */
#include "corpus/text/vocabulary/word_filter.h"

#include "corpus/text/rules/text_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least documents of a corpus for each limit. Words in one or two documents of a large corpus
 * are mostly misspelt or names; in a small one they are half of the text. */
enum { SOME_DOCS = 100, MANY_DOCS = 1000 };
static const double MOST_DOCS = 0.5;

uint64_t ez_min_docs_for(uint64_t docs)
{
    return docs < SOME_DOCS ? 1 : docs < MANY_DOCS ? 2 : 3;
}

double ez_max_docs_share_for(uint64_t docs)
{
    return docs < SOME_DOCS ? 1 : MOST_DOCS;
}

/* A share is stored as a decimal fraction with a point, in any locale. */
enum { SHARE_DIGITS = 9, SHARE_UNITS = 1000000000 };

static void write_share(char *text, size_t size, double share)
{
    snprintf(text, size, "0.%0*u", SHARE_DIGITS, (unsigned)(share * SHARE_UNITS + 0.5));
}

static double read_share(const char *text)
{
    uint64_t value = 0, unit = 1;
    if (strncmp(text, "0.", 2) != 0)
        return 1;
    for (text += 2; *text >= '0' && *text <= '9' && unit < SHARE_UNITS; text++, unit *= 10)
        value = value * 10 + (uint64_t)(*text - '0');
    return (double)value / (double)unit;
}

ez_word_limits ez_word_limits_of(const ezlda_text_rules *rules)
{
    const char *least = ez_text_rules_setting(rules, EZ_RULE_MIN_DOCS),
               *share = ez_text_rules_setting(rules, EZ_RULE_MAX_DOCS_SHARE);
    return (ez_word_limits){least ? strtoull(least, NULL, 10) : 1, share ? read_share(share) : 1};
}

ez_word_limits ez_word_limits_for(const ezlda_import_options *options, uint64_t docs)
{
    if (options->like)
        return ez_word_limits_of(options->like_limits ? options->like : NULL);
    return (ez_word_limits){ez_min_docs_for(docs), ez_max_docs_share_for(docs)};
}

static bool is_rare(const ez_word_filter *filter, uint64_t docs)
{
    return docs < filter->min_docs;
}

static bool is_common(const ez_word_filter *filter, uint64_t docs)
{
    return (double)docs > filter->max_docs_share * (double)filter->all_docs;
}

ez_word_filter ez_word_filter_given(const ezlda_import_options *options, uint64_t all_docs)
{
    return (ez_word_filter){.min_docs = options->min_docs ? options->min_docs : 1,
                            .max_docs_share =
                                options->max_docs_share > 0 ? options->max_docs_share : 1,
                            .all_docs = all_docs};
}

void ez_word_filter_choose(ez_word_filter *filter, const ezlda_import_options *options,
                           const uint64_t *docs, const uint64_t *tokens, size_t words)
{
    ez_word_limits limits = ez_word_limits_for(options, filter->all_docs);
    ez_word_filter chosen = {.min_docs = limits.min_docs,
                             .max_docs_share = limits.max_docs_share,
                             .all_docs = filter->all_docs};
    uint64_t all = 0, rare = 0, common = 0;
    for (size_t i = 0; i < words; i++) {
        all += tokens[i];
        rare += is_rare(&chosen, docs[i]) ? tokens[i] : 0;
        common += is_common(&chosen, docs[i]) ? tokens[i] : 0;
    }
    if (!options->min_docs && rare <= all / 2) {
        filter->min_docs = chosen.min_docs;
        filter->min_docs_chosen = true;
    }
    if (!(options->max_docs_share > 0) && common <= all / 2) {
        filter->max_docs_share = chosen.max_docs_share;
        filter->max_docs_share_chosen = true;
    }
}

static void count(ez_removed_words *removed, uint64_t tokens)
{
    removed->words++;
    removed->tokens += tokens;
}

bool ez_word_filter_keeps(ez_word_filter *filter, uint64_t docs, uint64_t tokens)
{
    filter->tokens += tokens;
    if (is_rare(filter, docs))
        count(&filter->rare, tokens);
    else if (is_common(filter, docs))
        count(&filter->common, tokens);
    else
        return true;
    return false;
}

enum { PART_BYTES = 160 };

/* "N words in LIMIT (P % of the tokens)"; "" if there are none. */
static void describe(char *text, const ez_word_filter *filter, const ez_removed_words *removed,
                     const char *limit)
{
    text[0] = 0;
    if (removed->words)
        snprintf(text, PART_BYTES, "%" PRIu64 " word%s in %s (%.3g %% of the tokens)",
                 removed->words, removed->words == 1 ? "" : "s", limit,
                 100 * (double)removed->tokens / (double)filter->tokens);
}

/* How the words that a chosen limit removed would stay. */
static const char *hint(const ez_word_filter *filter)
{
    bool rare = filter->rare.words && filter->min_docs_chosen,
         common = filter->common.words && filter->max_docs_share_chosen;
    return rare && common ? "; --min-docs 1 --max-docs-share 1 keeps them"
           : rare         ? "; --min-docs 1 keeps them"
           : common       ? "; --max-docs-share 1 keeps them"
                          : "";
}

void ez_word_filter_note(const ez_word_filter *filter, ezlda_context *context)
{
    char rare[PART_BYTES], common[PART_BYTES], limit[64];
    snprintf(limit, sizeof limit, "fewer than %" PRIu64 " documents", filter->min_docs);
    describe(rare, filter, &filter->rare, limit);
    snprintf(limit, sizeof limit, "more than %g %% of the documents", 100 * filter->max_docs_share);
    describe(common, filter, &filter->common, limit);
    if (*rare || *common)
        ez_note(context, "vocabulary: removed %s%s%s%s", rare, *rare && *common ? ", " : "", common,
                hint(filter));
}

ezlda_status ez_word_filter_store(const ez_word_filter *filter, ezlda_context *context,
                                  ez_rule_settings *settings)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, filter->min_docs);
    EZ_TRY(ez_rule_settings_set(settings, context, EZ_RULE_MIN_DOCS,
                                filter->min_docs > 1 ? value : NULL));
    write_share(value, sizeof value, filter->max_docs_share);
    return ez_rule_settings_set(settings, context, EZ_RULE_MAX_DOCS_SHARE,
                                filter->max_docs_share < 1 ? value : NULL);
}
