/* Writes Python pickles, protocol 2, as far as plain objects with numbers, strings, lists and
 * dictionaries need it. Values are pushed on the reader's stack in the order of the calls. The
 * first error is kept and returned at the end. */
#ifndef EZ_PICKLE_WRITER_H
#define EZ_PICKLE_WRITER_H

#include "base/files/output_file.h"
#include "base/memory.h"

typedef struct ez_pickle {
    ez_output *output;
    ezlda_context *context;
    ezlda_status status;
} ez_pickle;

ezlda_status ez_pickle_open(ez_pickle *pickle, ezlda_context *context, const char *path);
/* Ends the pickle and commits the file, or removes it if anything failed. */
ezlda_status ez_pickle_close(ez_pickle *pickle);

void ez_pickle_none(ez_pickle *pickle);
void ez_pickle_bool(ez_pickle *pickle, bool value);
void ez_pickle_int(ez_pickle *pickle, int64_t value);
void ez_pickle_float(ez_pickle *pickle, double value);
void ez_pickle_string(ez_pickle *pickle, const char *text); /* UTF-8 */
/* A list of strings, ended by NULL. */
void ez_pickle_strings(ez_pickle *pickle, const char *const *texts);

/* A dictionary: keys and values pushed in turn between the two. */
void ez_pickle_begin_dict(ez_pickle *pickle);
void ez_pickle_end_dict(ez_pickle *pickle);

/* An object of a class without arguments; its attributes follow as a dictionary, then
 * ez_pickle_end_object. */
void ez_pickle_begin_object(ez_pickle *pickle, const char *module, const char *name);
void ez_pickle_end_object(ez_pickle *pickle);

/* What a callable returns for one argument, which is pushed between the two. */
void ez_pickle_begin_call(ez_pickle *pickle, const char *module, const char *name);
void ez_pickle_end_call(ez_pickle *pickle);

#endif
