/* Writes a folder completely or not at all: under a temporary name beside the target, then a
 * rename. */
#ifndef EZ_OUTPUT_FOLDER_H
#define EZ_OUTPUT_FOLDER_H

#include "base/context.h"

typedef struct ez_folder ez_folder;

/* names: all files that will be written, ended by NULL. An existing folder is replaced at the end
 * if it holds only files with these names, that is, an earlier export. */
ezlda_status ez_folder_open(ez_folder **out, ezlda_context *context, const char *path,
                            const char *const *names);
/* Where to write a file, one of the names; valid until the next call. */
ezlda_status ez_folder_file(ez_folder *folder, ezlda_context *context, const char *name,
                            const char **path);
/* Renames and frees, also after an error, when the temporary folder is removed. */
ezlda_status ez_folder_commit(ez_folder *folder, ezlda_context *context);
/* Removes the temporary folder and frees; accepts NULL. */
void ez_folder_abandon(ez_folder *folder);

#endif
