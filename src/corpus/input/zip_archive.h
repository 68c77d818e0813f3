/* Reads ZIP archives: the list of their files, and each file as a whole. Stored and deflated files
 * and the 64-bit extension are supported; encrypted files and archives of several volumes are not.
 */
#ifndef EZ_ZIP_ARCHIVE_H
#define EZ_ZIP_ARCHIVE_H

#include "base/memory.h"

typedef struct ez_zip ez_zip;

/* Whether a regular file begins as a ZIP archive does. */
bool ez_is_zip(const char *path);

/* Opens an archive and checks its directory. */
ezlda_status ez_zip_open(ez_zip **out, ezlda_context *context, const char *path);
/* The number of files; folders are not counted. */
size_t ez_zip_files(const ez_zip *zip);
/* The name of a file as stored, without slashes at its start. It may be in any encoding. */
const char *ez_zip_name(const ez_zip *zip, size_t file);
/* Replaces the content of a buffer by a file. Threads may read files at the same time. */
ezlda_status ez_zip_read(const ez_zip *zip, ezlda_context *context, size_t file, ez_buffer *to);
void ez_zip_close(ez_zip *zip); /* accepts NULL */

#endif
