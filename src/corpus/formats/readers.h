/* The readers of bags of words, one per format: each reads one open input into a corpus. The
 * readers of text are in text/text_source.h. */
#ifndef EZ_READERS_H
#define EZ_READERS_H

#include "corpus/corpus.h"
#include "corpus/input/input.h"

/* The vocabulary comes from options->vocab, else from a file beside the input (vocab.NAME.txt for
 * docword.NAME.txt; NAME.vocab; NAME.dict, ...), else words are called by their numbers. */
ezlda_status ez_read_uci(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                         const ezlda_import_options *options);
ezlda_status ez_read_matrix_market(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                   const ezlda_import_options *options);
ezlda_status ez_read_ldac(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                          const ezlda_import_options *options);
ezlda_status ez_read_svmlight(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                              const ezlda_import_options *options);

/* MALLET's state has its own vocabulary; the topics of its tokens are ignored. */
ezlda_status ez_read_mallet_state(ezlda_corpus **out, ezlda_context *context, ez_input *input,
                                  const ezlda_import_options *options);

/* Reads counts of single cells from an HDF5 file: AnnData or Cell Ranger. */
ezlda_status ez_read_cells_hdf5(ezlda_corpus **out, ezlda_context *context, const char *path);

/* Maps a corpus file (.ezc). */
ezlda_status ez_read_corpus_file(ezlda_corpus **out, ezlda_context *context, const char *path);

#endif
