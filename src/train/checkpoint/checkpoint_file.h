/* The names and sections of checkpoint files, which reader and writer share. */
#ifndef EZ_CHECKPOINT_FILE_H
#define EZ_CHECKPOINT_FILE_H

#include "train/checkpoint/checkpoint.h"

#define EZ_CHECKPOINT_MAGIC "EZLDACHK"
enum { EZ_CHECKPOINT_VERSION = 3 };
#define EZ_CHECKPOINT_META EZ_TAG('M', 'E', 'T', 'A')   /* ez_checkpoint_meta */
#define EZ_CHECKPOINT_ALPHA EZ_TAG('A', 'L', 'P', 'H')  /* f32, topics */
#define EZ_CHECKPOINT_LLPT EZ_TAG('L', 'L', 'P', 'T')   /* ez_llpt_entry */
#define EZ_CHECKPOINT_TOPICS EZ_TAG('T', 'T', 'O', 'P') /* u16, tokens */

_Static_assert(sizeof(ez_checkpoint_key) == 96 && sizeof(ez_checkpoint_meta) == 96 + 48 + 48 + 24,
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
