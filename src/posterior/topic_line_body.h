/* The body of a draw from a line of weights, for vectors of EZ_LINE_PART floats. The line runs by
 * lane, so that sums are made for all lanes at once. What follows the sums has no branches: where
 * the topic lies is chance, which no processor predicts. */
#ifndef EZ_TOPIC_LINE_BODY_H
#define EZ_TOPIC_LINE_BODY_H

#include "posterior/topic_line.h"

#include <stdbool.h>
#include <string.h>

enum { EZ_LINE_PARTS = EZ_CHAIN_LANES / EZ_LINE_PART };

typedef float part __attribute__((vector_size(EZ_LINE_PART * sizeof(float))));
typedef int32_t part_of_ints __attribute__((vector_size(EZ_LINE_PART * sizeof(int32_t))));

/* The largest float that is at most x, which is not negative. */
static inline float round_down(double x)
{
    float nearest = (float)x;
    int32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bits -= (double)nearest > x;
    memcpy(&nearest, &bits, sizeof bits);
    return nearest;
}

/* Sums of the lanes before each lane and of all, in a tree, as that has the shortest chain. */
static inline void add_up(const float *lane, double *through)
{
    double four[4], before = 0;
#pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        const float *x = lane + 4 * (size_t)i;
        double *to = through + 4 * (size_t)i + 1, pair = (double)x[0] + (double)x[1];
        to[0] = (double)x[0];
        to[1] = pair;
        to[2] = pair + (double)x[2];
        to[3] = four[i] = pair + ((double)x[2] + (double)x[3]);
    }
    through[0] = 0;
#pragma GCC unroll 4
    for (int i = 1; i < 4; i++) {
        before += four[i - 1];
        for (int j = 1; j <= 4; j++)
            through[4 * (size_t)i + (size_t)j] += before;
    }
}

/* Writes the running sums of a line, and adds up its lanes. */
static inline __attribute__((always_inline)) void sum_lines(const ez_line *lines, int n,
                                                            size_t groups,
                                                            float (*total)[EZ_CHAIN_LANES])
{
    part sum[2][EZ_LINE_PARTS];
    memset(sum, 0, sizeof sum);
    for (size_t at = 0; at < groups * EZ_CHAIN_LANES; at += EZ_CHAIN_LANES)
#pragma GCC unroll 2
        for (int i = 0; i < n; i++)
#pragma GCC unroll 4
            for (size_t p = 0; p < EZ_LINE_PARTS; p++) {
                part by_doc, by_word;
                size_t from = at + p * EZ_LINE_PART;
                memcpy(&by_doc, lines[i].weight + from, sizeof by_doc);
                memcpy(&by_word, lines[i].phi + from, sizeof by_word);
                sum[i][p] += by_doc * by_word;
                memcpy(lines[i].room + from, &sum[i][p], sizeof sum[i][p]);
            }
    memcpy(total, sum, (size_t)n * sizeof *total);
}

/* The lane in which the topic is; *place becomes the place in the lane. */
static inline int32_t find_lane(const float *total, double u, double *place)
{
    double through[EZ_CHAIN_LANES + 1];
    int32_t lane = 0;
    add_up(total, through);
    *place = u * through[EZ_CHAIN_LANES];
#pragma GCC unroll 16
    for (int i = 1; i < EZ_CHAIN_LANES; i++)
        lane += *place >= through[i];
    *place -= through[lane];
    return lane;
}

static inline __attribute__((always_inline)) void draw_lines(const ez_line *lines, int n,
                                                             size_t groups, int32_t *topic)
{
    float total[2][EZ_CHAIN_LANES];
    int32_t lane[2], behind[2][EZ_CHAIN_LANES];
    double place[2];
    part limit[2];
    part_of_ints before[2][EZ_LINE_PARTS];
    sum_lines(lines, n, groups, total);
    for (int i = 0; i < n; i++) {
        lane[i] = find_lane(total[i], lines[i].u, &place[i]);
        limit[i] = (part){0} + round_down(place[i]);
    }
    memset(before, 0, sizeof before);
    for (size_t at = 0; at < groups * EZ_CHAIN_LANES; at += EZ_CHAIN_LANES)
#pragma GCC unroll 2
        for (int i = 0; i < n; i++)
#pragma GCC unroll 4
            for (size_t p = 0; p < EZ_LINE_PARTS; p++) {
                part to;
                memcpy(&to, lines[i].room + at + p * EZ_LINE_PART, sizeof to);
                before[i][p] -= to <= limit[i]; /* true is -1 */
            }
    memcpy(behind, before, (size_t)n * sizeof *behind);
    for (int i = 0; i < n; i++) { /* only rounding, or a line of zeros, leads past the end */
        bool found = (double)total[i][lane[i]] > place[i];
        topic[i] = found ? behind[i][lane[i]] * EZ_CHAIN_LANES + lane[i] : EZ_NO_TOPIC;
    }
}

static inline void topic_lines(const ez_line *lines, int n, size_t groups, int32_t *topic)
{
    if (n == 2)
        draw_lines(lines, 2, groups, topic);
    else
        draw_lines(lines, 1, groups, topic);
}

#endif
