/* An index of all documents of a corpus and of a model's topics in them, for searching: a container
 * that is made once and mapped. Numbers are little-endian. META is an ez_index_meta; SEGM has the
 * segments and SIDX where each begins (64 bits); FLDS has an ez_index_field_head for each field,
 * FVAL and FRNK their holders and ranks (32 bits each); TIDX has where the documents of each topic
 * begin (64 bits), TDOC these (32 bits) and TSHR their shares (16 bits). A posting is written as a
 * pair of a document in a corpus file; positions count the words of a document, each as its
 * distance from the one before, in LEB128. */
#ifndef EZ_DOC_INDEX_H
#define EZ_DOC_INDEX_H

#include "base/files/container.h"
#include "base/memory.h"

/* Postings are kept by segments of this many documents, which threads make and search on their
 * own. */
enum { EZ_SEGMENT_DOCS = 1 << 16 };

/* What the index was made of. It is stale if any of this differs. */
typedef struct ez_index_meta {
    uint64_t docs, tokens, corpus_hash, kept_hash, model_hash;
    uint32_t words, fields, topics, segment_docs;
    uint32_t positions; /* 1: postings have the positions of words */
    uint32_t zero;
} ez_index_meta;

_Static_assert(sizeof(ez_index_meta) == 64, "as written");

/* Where the postings of a word begin in a segment, and where its positions do. */
typedef struct ez_word_mark {
    uint64_t postings, positions;
} ez_word_mark;

/* A segment: the words that it has, ascending; one mark for each and one for the end; the
 * postings; the positions. */
typedef struct ez_segment_head {
    uint64_t words, postings, positions; /* number; bytes; bytes */
} ez_segment_head;

typedef struct ez_segment {
    ez_segment_head head;
    const uint32_t *word;
    const ez_word_mark *mark;
    const unsigned char *postings, *positions;
    uint32_t docs;
} ez_segment;

typedef enum ez_field_kind { EZ_FIELD_TEXT, EZ_FIELD_NUMBER, EZ_FIELD_DATE } ez_field_kind;

typedef struct ez_index_field_head {
    uint32_t values, kind;
} ez_index_field_head;

/* A field: the rank of each document's value among the different ones, which ascend: by number, or
 * else by their bytes, "" first. */
typedef struct ez_index_field {
    uint32_t number; /* of the corpus */
    const char *name;
    ez_field_kind kind;
    uint32_t values;
    const uint32_t *holder; /* values: a document with it */
    const uint32_t *rank;   /* docs */
} ez_index_field;

typedef struct ez_doc_index {
    const ezlda_model *model;
    const ezlda_corpus *corpus;
    ez_container *container;
    ez_index_meta meta;
    ez_segment *segment;
    uint32_t segments;
    ez_index_field *field;
    const uint64_t *topic_start; /* topics + 1 */
    const uint32_t *topic_doc;   /* by falling share, then by number */
    const uint16_t *topic_share; /* in 65535ths, 1 and more */
} ez_doc_index;

/* Opens the index at `path`, or makes it there if there is none or it is stale; path NULL: makes it
 * in memory. corpus: the one that the model was trained on. */
ezlda_status ez_doc_index_open(ez_doc_index **out, ezlda_context *context, const ezlda_model *model,
                               const ezlda_corpus *corpus, const char *path);
void ez_doc_index_free(ez_doc_index *index);

/* The value of a rank. */
const char *ez_index_value(const ez_index_field *field, const ezlda_corpus *corpus, uint32_t rank);

/* ---- making (index_*.c) ---- */

ezlda_status ez_index_put_segments(ez_container_writer *writer, ezlda_context *context,
                                   const ezlda_corpus *corpus);
ezlda_status ez_index_put_fields(ez_container_writer *writer, ezlda_context *context,
                                 const ezlda_corpus *corpus);
ezlda_status ez_index_put_topics(ez_container_writer *writer, ezlda_context *context,
                                 const ezlda_model *model);

#define EZ_INDEX_MAGIC "EZLDAIDX"
enum {
    EZ_INDEX_VERSION = 1,
    EZ_INDEX_META = EZ_TAG('M', 'E', 'T', 'A'),
    EZ_INDEX_SEGMENTS = EZ_TAG('S', 'E', 'G', 'M'),
    EZ_INDEX_SEGMENT_STARTS = EZ_TAG('S', 'I', 'D', 'X'),
    EZ_INDEX_FIELDS = EZ_TAG('F', 'L', 'D', 'S'),
    EZ_INDEX_HOLDERS = EZ_TAG('F', 'V', 'A', 'L'),
    EZ_INDEX_RANKS = EZ_TAG('F', 'R', 'N', 'K'),
    EZ_INDEX_TOPIC_STARTS = EZ_TAG('T', 'I', 'D', 'X'),
    EZ_INDEX_TOPIC_DOCS = EZ_TAG('T', 'D', 'O', 'C'),
    EZ_INDEX_TOPIC_SHARES = EZ_TAG('T', 'S', 'H', 'R')
};

static inline uint32_t ez_segments_of(uint64_t docs)
{
    return (uint32_t)((docs + EZ_SEGMENT_DOCS - 1) / EZ_SEGMENT_DOCS);
}

#endif
