/* The names and sections of checkpoint files, which reader and writer share. */
#ifndef EZ_CHECKPOINT_FILE_H
#define EZ_CHECKPOINT_FILE_H

#include "train/checkpoint/checkpoint.h"

#define EZ_CHECKPOINT_MAGIC "EZLDACHK"
enum { EZ_CHECKPOINT_VERSION = 4 };
#define EZ_CHECKPOINT_META EZ_TAG('M', 'E', 'T', 'A')   /* ez_checkpoint_meta */
#define EZ_CHECKPOINT_ALPHA EZ_TAG('A', 'L', 'P', 'H')  /* f32, topics */
#define EZ_CHECKPOINT_LLPT EZ_TAG('L', 'L', 'P', 'T')   /* ez_llpt_entry */
#define EZ_CHECKPOINT_TOPICS EZ_TAG('T', 'T', 'O', 'P') /* u16, tokens */
/* The sum of the samples of W, rows as in ez_count_rows; absent if there are none */
#define EZ_CHECKPOINT_SAMPLED_START EZ_TAG('S', 'S', 'T', 'A') /* u64, words+1 */
#define EZ_CHECKPOINT_SAMPLED_TOPIC EZ_TAG('S', 'T', 'O', 'P') /* u16 */
#define EZ_CHECKPOINT_SAMPLED_COUNT EZ_TAG('S', 'C', 'N', 'T') /* u32 */

_Static_assert(sizeof(ez_checkpoint_key) == 104 &&
                   sizeof(ez_checkpoint_meta) == 104 + 48 + 48 + 24 + 208,
               "as written");

/* Used to print and to scan the iteration. */
#define EZ_CHECKPOINT_NAME "checkpoint-%08u.ezk"

/* Whether the name is that of a checkpoint, and of which iteration. */
bool ez_checkpoint_number(const char *name, uint32_t *iteration);
/* uint32_t: the iterations that a folder has checkpoints of, the newest first. */
ezlda_status ez_checkpoint_list(ez_buffer *out, ezlda_context *context, const char *folder);
ezlda_status ez_checkpoint_path(char **out, ezlda_context *context, const char *folder,
                                uint32_t iteration);

#endif
