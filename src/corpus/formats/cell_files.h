/* Finds the files beside a matrix of single cells, as Cell Ranger (10x Genomics) and STARsolo write
 * them: PREFIXmatrix.mtx with cells in columns, PREFIXfeatures.tsv (or genes.tsv, peaks.bed) for
 * its rows, PREFIXbarcodes.tsv for its columns; each may be compressed. */
#ifndef EZ_CELL_FILES_H
#define EZ_CELL_FILES_H

#include "corpus/formats/triple_reader.h"
#include "corpus/formats/vocabulary_file.h"

/* Zero-initialise; free with ez_cell_files_free. */
typedef struct ez_cell_files {
    ez_vocabulary features, barcodes; /* path NULL: there is no such file */
} ez_cell_files;

/* Finds and reads these files. The header comes with rows as documents; if the lengths of the files
 * say that cells are in the columns, it is transposed. Lengths that fit neither way are an error.
 */
ezlda_status ez_cell_files_find(ez_cell_files *files, ezlda_context *context, const ez_input *input,
                                const ezlda_import_options *options, ez_triple_header *header);
void ez_cell_files_free(ez_cell_files *files);

/* Gene symbols may be duplicates; they become unique as in scanpy (var_names_make_unique). */
ezlda_status ez_names_make_unique(ez_vocabulary *names, ezlda_context *context);

/* Writes the path of the matrix in a folder with features and barcodes to matrix (EZ_PATH_SIZE);
 * returns false if the folder has no such files. */
bool ez_cell_folder(char *matrix, const char *folder);

#endif
