/* Records that a program hands over instead of a file (ezlda_corpus_from_records). */
#ifndef EZ_HANDED_RECORDS_H
#define EZ_HANDED_RECORDS_H

#include "corpus/text/text_source.h"

/* Where the records come from, and those that were handed over and are not in a block yet. */
typedef struct ez_record_feed {
    ezlda_records_fn next;
    void *user;
    const char *const *fields;
    uint32_t n_fields;
    ezlda_records now;
    uint64_t at; /* the next one of them */
    bool ended;
    uint32_t *column_of; /* the field of each slot; UINT32_MAX: none */
} ez_record_feed;

extern const ez_record_reader ez_handed_reader;

/* Finds the fields of a plan. */
ezlda_status ez_record_feed_open(ez_record_feed *feed, ezlda_context *context,
                                 const ez_field_plan *plan);
void ez_record_feed_free(ez_record_feed *feed);
/* Copies the next records into a block; *more is false at the end. */
ezlda_status ez_record_feed_block(ez_text_source *source, ezlda_context *context, ez_block *block,
                                  bool *more);

#endif
