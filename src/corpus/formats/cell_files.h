/* The files beside a matrix of single cells, as 10x Genomics' Cell Ranger and STARsolo write them:
 * PREFIXmatrix.mtx with cells in columns, PREFIXfeatures.tsv (or genes.tsv, peaks.bed) for its
 * rows, PREFIXbarcodes.tsv for its columns, each also compressed. */
#ifndef EZ_CELL_FILES_H
#define EZ_CELL_FILES_H

#include "corpus/formats/triple_reader.h"
#include "corpus/formats/vocabulary_file.h"

/* Zero-initialise; free with ez_cell_files_free. */
typedef struct ez_cell_files {
    ez_vocabulary features, barcodes; /* path NULL: there is none */
} ez_cell_files;

/* Finds and reads what there is. header has the rows as documents; where the files' lengths say
 * that cells are in the columns, it is turned round. Lengths that fit neither way are an error. */
ezlda_status ez_cell_files_find(ez_cell_files *files, ezlda_context *context, const ez_input *input,
                                const ezlda_import_options *options, ez_triple_header *header);
void ez_cell_files_free(ez_cell_files *files);

/* The matrix (EZ_PATH_SIZE) of a folder that has features and barcodes beside it; false where it is
 * another folder. */
bool ez_cell_folder(char *matrix, const char *folder);

#endif
