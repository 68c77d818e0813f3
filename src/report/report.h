/* The report inside the library: everything that a page shows, computed once and kept. The page,
 * the pictures and the server are made from it. Topics have the model's numbers everywhere. */
#ifndef EZ_REPORT_H
#define EZ_REPORT_H

#include "base/memory.h"
#include "model/topic_index.h"

enum { EZ_VALUE_ROOM = 204 }; /* bytes of a value that the page of a document shows, and a NUL */

#define EZ_NO_ITEM UINT32_MAX /* no word, no document */

/* The words of the report and of its topics. The list of item i is entries start[i] ..
 * start[i+1]-1. */
typedef struct ez_report_words {
    uint32_t vocabulary;  /* words in the report, most frequent first */
    uint32_t *model_word; /* vocabulary: their numbers in the model */
    uint32_t *rank; /* vocabulary: their ranks among all words, from 0; words that are not in the
                       report leave gaps */
    uint32_t *report_word; /* the model's words: their positions in the vocabulary, or EZ_NO_ITEM */
    uint32_t *start;       /* topics+1 */
    uint32_t *word, *count; /* words of topics: the model's numbers, by falling count */
    uint32_t *topic_start;  /* vocabulary+1 */
    uint16_t *topic;        /* topics of words, by falling count */
    uint32_t *topic_count;
} ez_report_words;

typedef enum ez_bag_kind {
    EZ_BAG_NONE,   /* no corpus was given */
    EZ_BAG_LIKELY, /* the model did not keep topics: the most likely topic of each word in its
                      document */
    EZ_BAG_KEPT    /* as the model kept them */
} ez_bag_kind;

/* A word of a document with one of its topics. */
typedef struct ez_bag_entry {
    uint32_t word, count; /* word: the model's number */
    uint16_t topic;
} ez_bag_entry;

/* A word in the text of a document: units of UTF-16 since the end of the word before, and its own.
 */
typedef struct ez_shown_word {
    uint32_t gap, units;
    uint16_t topic;
} ez_shown_word;

/* The text of a document as a page shows it. Zero-initialise; free with ez_shown_text_free. */
typedef struct ez_shown_text {
    ez_buffer text;  /* UTF-8, ended by NUL */
    ez_buffer words; /* ez_shown_word */
    bool cut;        /* the text continues */
} ez_shown_text;

typedef struct ez_report_docs {
    uint32_t n;            /* documents in the report, in order of their numbers */
    uint32_t *number;      /* document numbers in the model */
    uint32_t each;         /* documents per topic */
    uint32_t *of_topic;    /* topics x each: positions in `number`, or EZ_NO_ITEM */
    float *of_topic_share; /* topics x each: the topic's share of the document */
    uint32_t *mix_start;   /* n+1 */
    uint16_t *mix_topic;   /* largest share first */
    float *mix_share;
    uint32_t *bag_start; /* n+1 */
    ez_bag_entry *bag;
    ez_bag_kind bag_kind;
    ez_shown_text *text; /* n, or NULL; empty: the report does not have it */
} ez_report_docs;

/* A field in bins (field_bins.h). For a topic k and a bin b, p is the topic's share of the tokens
 * of the bin; a document of n tokens, c of them in the topic, is c - p n away from that share. */
typedef struct ez_report_field {
    char *name;
    bool time;
    const char *step;    /* the step of time that was asked for, or NULL */
    uint64_t undated;    /* documents that a curve over time ignores: their values are not dates */
    char *first_undated; /* the first of these values */
    uint32_t values;
    char **value; /* categories: their names; else NULL */
    uint32_t *at; /* time: see ez_field_bins */
    const char *unit;
    uint32_t every;
    uint16_t *bin;    /* documents: their bins, or EZ_NO_BIN */
    double *total;    /* tokens of each bin */
    double *squares;  /* sum of n * n over the documents of each bin */
    uint32_t *docs;   /* documents of each bin */
    uint64_t *tokens; /* topics x values */
    uint16_t *spread; /* topics x values: sums of (c - p n)^2, as ez_spread_code writes them */
} ez_report_field;

typedef enum ez_flag_kind {
    EZ_FLAG_EMPTY,
    EZ_FLAG_DUPLICATE,
    EZ_FLAG_JUNK,
    EZ_FLAG_CHANCE
} ez_flag_kind;

typedef struct ez_report_flag {
    uint32_t topic, other; /* other: the topic that this one duplicates, or EZ_NO_ITEM */
    ez_flag_kind kind;
    char reason[160];
} ez_report_flag;

struct ezlda_report {
    const ezlda_model *model, *other; /* other: or NULL */
    const ezlda_corpus *corpus;       /* or NULL */
    ezlda_corpus *restored;           /* the corpus, if it is a copy; or NULL */
    char *title, *other_title, *created;
    uint32_t words; /* R: words of a topic for each lambda */
    float *x, *y;   /* topics: the map, in [-1, 1] */
    uint32_t near;  /* S: similar topics per topic */
    uint16_t *near_topic;
    float *near_similarity;
    float *corpus_similarity; /* topics: similarity with the words of the whole corpus */
    ezlda_scores *scores;     /* or NULL */
    const char *scores_note;  /* why there are none, or why they differ from eval's, or "" */
    ez_report_flag *flag;
    uint32_t flags;
    ez_report_words vocabulary;
    ez_report_docs docs;
    ez_report_field *field;
    uint32_t fields;
    ezlda_match *match; /* with other, or NULL */
    ezlda_tree *tree;   /* or NULL */
};

/* The steps that make a report, in this order: each may use the results of those before it. */
ezlda_status ez_report_neighbours(ezlda_report *report, ezlda_context *context);
ezlda_status ez_report_map(ezlda_report *report, ezlda_context *context);
/* The same with at most this many landmarks, at least 2. */
ezlda_status ez_report_map_by(ezlda_report *report, ezlda_context *context, uint32_t landmarks);
ezlda_status ez_report_score(ezlda_report *report, ezlda_context *context);
ezlda_status ez_report_flag_topics(ezlda_report *report, ezlda_context *context);
ezlda_status ez_report_topic_words(ezlda_report *report, ezlda_context *context);
ezlda_status ez_report_documents(ezlda_report *report, ezlda_context *context, uint32_t each);
/* The vocabulary, which must contain the words of topics and documents. */
ezlda_status ez_report_vocabulary(ezlda_report *report, ezlda_context *context);
/* name NULL: all fields that can be drawn; otherwise only this field, which must exist and be
 * drawable. step: that in which the page opens a curve over time; NULL or "auto": it chooses. */
ezlda_status ez_report_trends(ezlda_report *report, ezlda_context *context, const char *name,
                              const char *step);

ezlda_status ez_report_tree(ezlda_report *report, ezlda_context *context);

void ez_report_words_free(ez_report_words *words);
void ez_report_docs_free(ez_report_docs *docs);
void ez_report_fields_free(ezlda_report *report);
/* A sum of squares as 1024 log2(1 + sum), rounded: its error is at most 0.04 %. */
uint16_t ez_spread_code(double sum);

/* Words of a document with their topics, words ascending; ez_doc_bag appends ez_bag_entry to a
 * buffer. */
ez_bag_kind ez_doc_bag_kind(const ezlda_report *report);
ezlda_status ez_doc_bag(const ezlda_report *report, ezlda_context *context, uint64_t doc,
                        ez_buffer *entries);

/* Whether the corpus has the text of its documents; and that of one, at most `most` bytes of it. */
bool ez_report_has_text(const ezlda_report *report);
ezlda_status ez_doc_shown(const ezlda_report *report, ezlda_context *context, uint64_t doc,
                          size_t most, ez_shown_text *shown);
void ez_shown_text_free(ez_shown_text *shown);

/* Finds a document's largest topics, at most `most`; returns how many. */
uint32_t ez_doc_mix(const ezlda_report *report, uint64_t doc, uint32_t most, uint16_t *topic,
                    float *share);
/* A document's name, or "document N" in `room` if it has none; and its label, or NULL. */
const char *ez_doc_title(const ezlda_report *report, uint64_t doc, char room[32]);
const char *ez_doc_label(const ezlda_report *report, uint64_t doc);
/* The i-th field of documents besides name and label, and a document's value, cut to a line; NULL:
 * there is none. */
const char *ez_doc_field(const ezlda_report *report, uint32_t i);
const char *ez_doc_field_value(const ezlda_report *report, uint32_t i, uint64_t doc,
                               char room[EZ_VALUE_ROOM]);

static inline uint64_t ez_report_doc_tokens(const ezlda_report *report, uint64_t doc)
{
    return report->model->doc_start[doc + 1] - report->model->doc_start[doc];
}

#endif
