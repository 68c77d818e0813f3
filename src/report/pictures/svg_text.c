/* Writes SVG elements, numbers and escaped strings, and estimates the width of text. */
#include "report/pictures/svg_text.h"

#include "base/number_text.h"

#include <math.h>
#include <string.h>

static void put(ez_svg *svg, const char *text, size_t n)
{
    if (svg->status == EZLDA_OK)
        svg->status = ez_buffer_append(&svg->text, svg->context, text, n);
}

void ez_svg_put(ez_svg *svg, const char *text)
{
    put(svg, text, strlen(text));
}

void ez_svg_number(ez_svg *svg, double value)
{
    char text[EZ_NUMBER_ROOM];
    uint64_t hundredths = (uint64_t)(fabs(value) * 100 + 0.5);
    if (value < 0 && hundredths)
        put(svg, "-", 1);
    put(svg, text, ez_put_whole(text, hundredths / 100));
    if (hundredths % 100) {
        char decimals[3] = {'.', (char)('0' + hundredths / 10 % 10), (char)('0' + hundredths % 10)};
        put(svg, decimals, sizeof decimals);
    }
}

void ez_svg_attribute(ez_svg *svg, const char *name, double value)
{
    put(svg, " ", 1);
    ez_svg_put(svg, name);
    put(svg, "=\"", 2);
    ez_svg_number(svg, value);
    put(svg, "\"", 1);
}

/* Bytes of the first character of a UTF-8 string. */
static size_t character(const char *text)
{
    size_t n = 1;
    while ((text[n] & 0xc0) == 0x80)
        n++;
    return n;
}

/* Whether XML forbids a character: control characters, U+FFFE and U+FFFF. */
static bool is_forbidden(const char *text, size_t n)
{
    unsigned char c = (unsigned char)*text;
    return c < ' ' || c == 0x7f || (n == 3 && memcmp(text, "\xef\xbf\xbe", 3) >= 0 && c == 0xef);
}

/* The width of a character in a font as wide as DejaVu Sans, at 12 pixels. */
static double character_width(const char *text, size_t n)
{
    if (n > 1)
        return n == 2 ? 8.2 : 12.2;
    if (strchr("ijl.,:;'|!", *text))
        return 4.2;
    if (strchr("frt() -", *text))
        return 5;
    if (strchr("mwMW@%", *text))
        return 12;
    return *text >= 'A' && *text <= 'Z' ? 9.5 : 7.7;
}

double ez_svg_string(ez_svg *svg, const char *text, size_t most)
{
    double width = 0;
    size_t count = 0;
    for (size_t n; *text; text += n, count++) {
        n = character(text);
        if (most && count == most) {
            ez_svg_put(svg, "\xe2\x80\xa6"); /* ... */
            return width + 12;
        }
        width += character_width(text, n);
        if (*text == '&' || *text == '<' || *text == '>' || *text == '"')
            ez_svg_put(svg, *text == '&'   ? "&amp;"
                            : *text == '<' ? "&lt;"
                            : *text == '>' ? "&gt;"
                                           : "&quot;");
        else if (is_forbidden(text, n))
            ez_svg_put(svg, "\xef\xbf\xbd");
        else
            put(svg, text, n);
    }
    return width;
}

void ez_svg_begin(ez_svg *svg, int width, int height, const char *title)
{
    ez_svg_put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    ez_svg_attribute(svg, "width", width);
    ez_svg_attribute(svg, "height", height);
    ez_svg_put(svg, " viewBox=\"0 0 ");
    ez_svg_number(svg, width);
    ez_svg_put(svg, " ");
    ez_svg_number(svg, height);
    ez_svg_put(svg, "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<title>");
    ez_svg_string(svg, title, 0);
    ez_svg_put(svg, "</title>\n<style>text{unicode-bidi:isolate}</style>\n<rect");
    ez_svg_attribute(svg, "width", width);
    ez_svg_attribute(svg, "height", height);
    ez_svg_put(svg, " fill=\"#fff\"/>\n");
}

void ez_svg_end(ez_svg *svg)
{
    ez_svg_put(svg, "</svg>\n");
}
