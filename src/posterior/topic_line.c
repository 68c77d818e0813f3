/* Draws from a line of weights with the vectors that every processor of this kind has. */
#define EZ_LINE_PART 4
#include "posterior/topic_line_body.h"

void ez_topic_lines_plain(const ez_line *lines, int n, size_t groups, int32_t *topic)
{
    topic_lines(lines, n, groups, topic);
}

ez_topic_lines_fn ez_choose_topic_lines(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return ez_topic_lines_avx2;
#endif
    return ez_topic_lines_plain;
}
