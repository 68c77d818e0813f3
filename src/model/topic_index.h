/* Rows of counts by topic: for each topic the words (or documents) that have tokens in it,
 * ascending. Words are those of phi: in the last iteration some may have no token there. The index
 * is made from the rows on first use, takes 5 bytes per entry, and is kept with the model. */
#ifndef EZ_TOPIC_INDEX_H
#define EZ_TOPIC_INDEX_H

#include "model/model_layout.h"

typedef struct ez_topic_index {
    uint64_t *start; /* topics+1 */
    uint32_t *row;
    uint8_t *count; /* as in ez_rows: 0 stands for a count above 255, found with ez_rows_find */
} ez_topic_index;

/* The count of entry i of an index that was made from `rows`. */
static inline uint32_t ez_index_count(const ez_topic_index *index, uint64_t i, const ez_rows *rows,
                                      uint32_t topic)
{
    uint8_t count = index->count[i];
    return count ? count : ez_rows_find(rows, index->row[i], topic);
}

ezlda_status ez_topic_index_build(ez_topic_index **out, ezlda_context *context, const ez_rows *rows,
                                  uint32_t topics);
void ez_topic_index_free(ez_topic_index *index); /* accepts NULL */

typedef enum ez_index_of { EZ_INDEX_WORDS = 0, EZ_INDEX_DOCS = 1 } ez_index_of;

ezlda_status ez_model_lazy_create(ez_model_lazy **out, ezlda_context *context);
void ez_model_lazy_free(ez_model_lazy *lazy); /* accepts NULL */

/* The model's index. The first caller makes it while others wait. */
ezlda_status ez_model_index(const ezlda_model *model, ezlda_context *context, ez_index_of of,
                            const ez_topic_index **index);

#endif
