/* Draws the picture of one topic: its most frequent words. Colours are those of Okabe and Ito,
 * which colour-blind readers can distinguish. */
#include "report/pictures/svg_text.h"

#include <stdio.h>

enum { EZ_BARS = 20, EZ_BAR_HEIGHT = 18 };
enum {
    EZ_TOPIC_WIDTH = 520,
    EZ_TOPIC_TOP = 44,
    EZ_TOPIC_FOOT = 30,
    EZ_WORD_WIDTH = 170,
    EZ_VALUE_WIDTH = 60,
    EZ_NAME_LETTERS = 28 /* most letters of a topic's name in the heading */
};

static void draw_box(ez_svg *svg, double x, double y, double width, double height, const char *fill)
{
    ez_svg_put(svg, "<rect");
    ez_svg_attribute(svg, "x", x);
    ez_svg_attribute(svg, "y", y);
    ez_svg_attribute(svg, "width", width);
    ez_svg_attribute(svg, "height", height);
    ez_svg_put(svg, " fill=\"");
    ez_svg_put(svg, fill);
    ez_svg_put(svg, "\"/>\n");
}

static void open_text(ez_svg *svg, double x, double y, const char *how)
{
    ez_svg_put(svg, "<text");
    ez_svg_attribute(svg, "x", x);
    ez_svg_attribute(svg, "y", y);
    ez_svg_put(svg, how);
    ez_svg_put(svg, ">");
}

/* Draws a word's share as a bar, `scale` pixels per unit; the mark shows the word's share of the
 * whole corpus. */
static void draw_bar(ez_svg *svg, const ezlda_report *report, uint32_t word, double share, double y,
                     double scale)
{
    double whole = (double)report->model->word_tokens[word] / (double)report->model->meta->tokens;
    double most = EZ_TOPIC_WIDTH - EZ_WORD_WIDTH - EZ_VALUE_WIDTH, left = EZ_WORD_WIDTH;
    double mark = whole * scale < most ? whole * scale : most;
    open_text(svg, left - 8, y + 12, " text-anchor=\"end\"");
    ez_svg_string(svg, ezlda_model_word(report->model, word), 24);
    ez_svg_put(svg, "</text>\n");
    draw_box(svg, left, y, share * scale, EZ_BAR_HEIGHT - 4, "#0072b2");
    draw_box(svg, left + mark - 1, y - 1, 2, EZ_BAR_HEIGHT - 2, "#e69f00");
    open_text(svg, left + share * scale + 6, y + 12, " fill=\"#555\" font-size=\"10\"");
    ez_svg_number(svg, 100 * share);
    ez_svg_put(svg, " %</text>\n");
}

void ez_svg_topic(ez_svg *svg, const ezlda_report *report, uint32_t topic)
{
    const ez_report_words *words = &report->vocabulary;
    uint32_t first = words->start[topic], n = words->start[topic + 1] - first;
    double tokens = (double)report->model->topic_tokens[topic];
    const char *name = ezlda_model_topic_name(report->model, topic);
    char title[320], number[32];
    n = n < EZ_BARS ? n : EZ_BARS;
    n = n < report->words ? n : report->words;
    snprintf(number, sizeof number, "Topic %u%s", topic, *name ? ": " : "");
    snprintf(title, sizeof title, "%s%s", number, name);
    ez_svg_begin(svg, EZ_TOPIC_WIDTH, EZ_TOPIC_TOP + (int)n * EZ_BAR_HEIGHT + EZ_TOPIC_FOOT, title);
    open_text(svg, 12, 24, " font-size=\"16\" font-weight=\"bold\"");
    ez_svg_put(svg, number);
    ez_svg_string(svg, name, EZ_NAME_LETTERS);
    ez_svg_put(svg, "<tspan font-size=\"12\" font-weight=\"normal\" fill=\"#555\">  ");
    ez_svg_number(svg, 100 * tokens / (double)report->model->meta->tokens);
    ez_svg_put(svg, " % of all tokens</tspan></text>\n");
    double scale =
        n ? (EZ_TOPIC_WIDTH - EZ_WORD_WIDTH - EZ_VALUE_WIDTH) * tokens / words->count[first] : 0;
    for (uint32_t i = 0; i < n; i++)
        draw_bar(svg, report, words->word[first + i], words->count[first + i] / tokens,
                 EZ_TOPIC_TOP + (double)i * EZ_BAR_HEIGHT, scale);
    open_text(svg, 12, EZ_TOPIC_TOP + (double)n * EZ_BAR_HEIGHT + 18,
              " fill=\"#555\" font-size=\"10\"");
    ez_svg_put(svg, n ? "bar: share of the topic's tokens; mark: share of all tokens</text>\n"
                      : "no tokens</text>\n");
    ez_svg_end(svg);
}
