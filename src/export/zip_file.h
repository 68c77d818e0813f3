/* Writes a zip of deflated .npy arrays in one pass; sizes follow each entry. Entries and offsets
 * over 4 GiB use the fields of Zip64. No times are kept: the same content gives the same file. */
#ifndef EZ_ZIP_FILE_H
#define EZ_ZIP_FILE_H

#include "export/npy_array.h"

enum { EZ_ZIP_ENTRIES = 32, EZ_ZIP_NAME = 48 };

typedef struct ez_zip_entry {
    char name[EZ_ZIP_NAME];
    uint64_t offset, bytes, packed;
    uint32_t crc;
    bool large; /* its sizes may not fit 32 bits */
} ez_zip_entry;

/* Zero-initialise, then set the output. */
typedef struct ez_zip {
    ez_output *output;
    ez_zip_entry entry[EZ_ZIP_ENTRIES];
    size_t n;
} ez_zip;

/* Adds an array as NAME.npy. */
ezlda_status ez_zip_add(ez_zip *zip, ezlda_context *context, const ez_npy *array);
/* Writes the directory. The output is not committed. */
ezlda_status ez_zip_finish(ez_zip *zip, ezlda_context *context);

#endif
