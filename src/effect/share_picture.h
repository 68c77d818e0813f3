/* A picture of expected shares with their intervals: one panel per topic, as curves with a band or
 * as points with bars. */
#ifndef EZ_SHARE_PICTURE_H
#define EZ_SHARE_PICTURE_H

#include "model/model_layout.h"

/* Fills the points of a panel, at most n. */
typedef ezlda_status (*ez_panel_fn)(void *user, ezlda_context *context, uint32_t topic,
                                    ezlda_share *out, size_t n, size_t *written);

typedef struct ez_share_picture {
    const ezlda_model *model;
    const uint32_t *topic;
    uint32_t topics;
    const char *title; /* what the points are */
    size_t points;     /* most points of a panel */
    bool levels;       /* points with bars, which have names */
    ez_panel_fn panel;
    void *user;
} ez_share_picture;

ezlda_status ez_share_picture_write(const ez_share_picture *picture, ezlda_context *context,
                                    const char *path);

#endif
