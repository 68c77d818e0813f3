/* Writes SVG as text: numbers without a locale, and strings with any content. The first error is
 * kept in `status`. */
#ifndef EZ_SVG_TEXT_H
#define EZ_SVG_TEXT_H

#include "report/report.h"

typedef struct ez_svg {
    ezlda_context *context;
    ez_buffer text;
    ezlda_status status;
} ez_svg;

/* Starts a picture of this size; title and description are for readers who cannot see it. */
void ez_svg_begin(ez_svg *svg, int width, int height, const char *title);
void ez_svg_end(ez_svg *svg);

void ez_svg_put(ez_svg *svg, const char *text);
void ez_svg_number(ez_svg *svg, double value); /* two decimals */
/* Writes ' NAME="VALUE"'. */
void ez_svg_attribute(ez_svg *svg, const char *name, double value);
/* Writes a string of the model, escaped and cut after `most` characters (0: not cut). Returns an
 * upper bound of its width, measured in a wide font because the viewer's font is not known. */
double ez_svg_string(ez_svg *svg, const char *text, size_t most);

/* The pictures. */
void ez_svg_map(ez_svg *svg, const ezlda_report *report);
void ez_svg_topic(ez_svg *svg, const ezlda_report *report, uint32_t topic);

#endif
