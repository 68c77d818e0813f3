/* Draws topics from lines of weights: the innermost loop of a chain. There is one body for all
 * widths of vectors, so every processor draws the same topics. */
#ifndef EZ_TOPIC_LINE_H
#define EZ_TOPIC_LINE_H

#include <stddef.h>
#include <stdint.h>

/* Topics are padded to whole groups of this many. */
enum { EZ_CHAIN_LANES = 16, EZ_NO_TOPIC = -1 };

/* A line of weights weight[i] * phi[i], none of which is negative, room for as many floats, and the
 * share of the line (between 0 and 1) at which the topic is taken. */
typedef struct ez_line {
    const float *weight, *phi;
    float *room;
    double u;
} ez_line;

/* Draws the topics of one or two lines of `groups` groups; EZ_NO_TOPIC if all weights are 0. */
typedef void (*ez_topic_lines_fn)(const ez_line *lines, int n, size_t groups, int32_t *topic);

void ez_topic_lines_plain(const ez_line *lines, int n, size_t groups, int32_t *topic);
void ez_topic_lines_avx2(const ez_line *lines, int n, size_t groups, int32_t *topic);

/* The fastest that runs here. */
ez_topic_lines_fn ez_choose_topic_lines(void);

#endif
