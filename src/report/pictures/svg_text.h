/* SVG as text: numbers without a locale, and strings of any content as text. The first failure is
 * kept in `status`. */
#ifndef EZ_SVG_TEXT_H
#define EZ_SVG_TEXT_H

#include "report/report.h"

typedef struct ez_svg {
    ezlda_context *context;
    ez_buffer text;
    ezlda_status status;
} ez_svg;

/* A picture of this size begins; title and description are for those who cannot see it. */
void ez_svg_begin(ez_svg *svg, int width, int height, const char *title);
void ez_svg_end(ez_svg *svg);

void ez_svg_put(ez_svg *svg, const char *text);
void ez_svg_number(ez_svg *svg, double value); /* two decimals */
/* ' NAME="VALUE"'. */
void ez_svg_attribute(ez_svg *svg, const char *name, double value);
/* A string of the model: escaped, and cut after so many characters (0: not at all). Returns how
 * wide it is at most, by the letters of a wide font: which one will be at hand is not known. */
double ez_svg_string(ez_svg *svg, const char *text, size_t most);

/* The pictures. */
void ez_svg_map(ez_svg *svg, const ezlda_report *report);
void ez_svg_topic(ez_svg *svg, const ezlda_report *report, uint32_t topic);

#endif
