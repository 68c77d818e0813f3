/* Draws from a line of weights with vectors of eight floats. */
#define EZ_LINE_PART 8
#include "posterior/topic_line_body.h"

void ez_topic_lines_avx2(const ez_line *lines, int n, size_t groups, int32_t *topic)
{
    topic_lines(lines, n, groups, topic);
}
