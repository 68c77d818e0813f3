/* What the live page shows of a run, as JSON: its progress, and the topics of a snapshot. */
#ifndef EZ_LIVE_STATE_H
#define EZ_LIVE_STATE_H

#include "base/memory.h"

/* Progress is written at most every EZ_LIVE_WRITE_MS. A model is made at most every
 * EZ_LIVE_MODEL_MS, and so rarely that the models take at most 1 part in EZ_LIVE_MODEL_TIMES of the
 * time. */
enum { EZ_LIVE_WRITE_MS = 200, EZ_LIVE_MODEL_MS = 2000, EZ_LIVE_MODEL_TIMES = 50 };
enum { EZ_LIVE_POINTS = 400, EZ_LIVE_TOPICS = 400, EZ_LIVE_WORDS = 10 };

/* One point of the curves. */
typedef struct ez_live_point {
    uint32_t iteration;
    double seconds, moved, rate; /* rate: tokens per second */
} ez_live_point;

/* A score of the run. */
typedef struct ez_live_score {
    uint32_t iteration;
    double value;
} ez_live_score;

typedef struct ez_live_state {
    ez_buffer llpt, checks; /* ez_live_score */
    ez_live_point point[EZ_LIVE_POINTS];
    uint32_t points, every; /* a point is kept every `every` iterations */
    int64_t began_ns, written_ns;
    ez_live_point last;
    uint32_t iterations;
    uint64_t tokens;
    ez_buffer text; /* the JSON that was written last */
} ez_live_state;

void ez_live_state_free(ez_live_state *state);
/* Adds an iteration to the curves. */
ezlda_status ez_live_note(ez_live_state *state, ezlda_context *context,
                          const ezlda_progress *progress);
/* Writes the progress. progress: that of the last iteration, or NULL as in the last call. */
ezlda_status ez_live_write(ez_live_state *state, ezlda_context *context,
                           const ezlda_progress *progress, bool ended);
/* Writes the topics of a model: sizes of all, words of the largest. */
ezlda_status ez_live_topics(ez_live_state *state, ezlda_context *context, const ezlda_model *model,
                            uint32_t iteration);

#endif
