/* The state of a sweep, shared by the files of this room: its options, its folder, its results. */
#ifndef EZ_SWEEP_H
#define EZ_SWEEP_H

#include "base/memory.h"
#include "base/os/os_folders.h"
#include "sweep/sweep_results.h"

struct ezlda_sweep_scores {
    ezlda_sweep_info info;
    uint32_t seeds;
    uint32_t *topics;      /* info.rows, ascending */
    ezlda_sweep_run *runs; /* info.rows times seeds: by topics, then by seed */
    ezlda_sweep_row *rows;
};

typedef struct ez_sweep {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_corpus *train, *held; /* the corpus split into documents to train on and held-out ones */
    uint64_t train_hash;
    ezlda_sweep_options options;
    ezlda_train_options train_options;
    ezlda_eval_options eval_options;
    ez_buffer settings; /* settings that the folder must agree with, as text */
    ez_results results;
    ez_held_folder folder; /* locked */
    bool folder_made;      /* this sweep made the folder */
    ezlda_sweep_scores *scores;
    size_t number; /* runs that are done or in progress */
    ezlda_sweep_run *run;
    bool stopped;
} ez_sweep;

/* Checks and completes the options, and allocates the scores. */
ezlda_status ez_sweep_read_options(ez_sweep *sweep, const ezlda_sweep_options *options);

/* Writes everything that results depend on, one "# name: value" per line. Two sweeps with the same
 * text can share a folder. The numbers of topics and the number of seeds are not included, so that
 * a sweep can be extended. */
ezlda_status ez_sweep_settings(ez_buffer *text, const ez_sweep *sweep);

/* Makes the folder if it is missing and locks it. A folder that is neither empty nor a sweep's is
 * an error. */
ezlda_status ez_sweep_folder_open(ez_sweep *sweep);
/* Removes the folder if this sweep made it and it is still empty. */
void ez_sweep_folder_close(ez_sweep *sweep);
/* A path in the folder; freed with ez_free. */
ezlda_status ez_sweep_results_path(char **out, const ez_sweep *sweep);
ezlda_status ez_sweep_model_path(char **out, const ez_sweep *sweep, const ezlda_sweep_run *run);
ezlda_status ez_sweep_docs_path(char **out, const ez_sweep *sweep, const ezlda_sweep_run *run);

/* A run's scores of the held-out documents (ez_doc_score), in a file of their own: they are needed
 * only when all runs are done, and may be many. *whole: whether the folder has them and they add up
 * to run->completion. */
ezlda_status ez_sweep_docs_put(const ez_sweep *sweep, const ezlda_sweep_run *run,
                               const ez_buffer *docs);
ezlda_status ez_sweep_docs_get(const ez_sweep *sweep, const ezlda_sweep_run *run, ez_buffer *docs,
                               bool *whole);

/* Reads a run from the folder if its model, its line and its documents' scores are there; otherwise
 * run->done stays 0. */
ezlda_status ez_sweep_find(ez_sweep *sweep, ezlda_sweep_run *run);
/* Trains and scores a run, or ends early with sweep->stopped. */
ezlda_status ez_sweep_do(ez_sweep *sweep, ezlda_sweep_run *run);
/* Reports progress to the caller; sets sweep->stopped if the caller asks to stop. */
int ez_sweep_report(ez_sweep *sweep, ezlda_sweep_stage stage, const ezlda_progress *training,
                    const ezlda_eval_progress *scoring);

/* Computes the rows from the runs. */
void ez_sweep_fill_rows(ezlda_sweep_scores *scores);

/* Appends a run's ez_doc_score. */
typedef ezlda_status ez_read_docs(ez_buffer *docs, const ezlda_sweep_run *run, void *user);
/* When all runs are done: compares the rows with the best one, document by document, and recommends
 * numbers of topics. */
ezlda_status ez_sweep_advise(ezlda_sweep_scores *scores, ezlda_context *context, ez_read_docs *read,
                             void *user);

#endif
