/* The pictures: the map of all topics, and the words of one. Colours are Okabe and Ito's, safe for the colour-blind. */
#include "report/best_list.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdio.h>

enum {
    EZ_MAP_SIZE = 800,
    EZ_MAP_MARGIN = 60,
    EZ_MAP_LABELS = 60,
    EZ_LABEL_WORDS = 2,
    EZ_BARS = 20,
    EZ_BAR_HEIGHT = 18
};

#define EZ_CIRCLE_PART 0.15 /* of the picture that circles take together */

/* ---- the map ----------------------------------------------------------------------------------------------------- */

typedef struct label_box {
    double left, right, top, bottom;
} label_box;

static double place_x(const ezlda_report *report, uint32_t topic)
{
    return EZ_MAP_SIZE / 2.0 + (EZ_MAP_SIZE / 2.0 - EZ_MAP_MARGIN) * (double)report->x[topic];
}

/* The largest |y| is 1, or less where the map is wider than high: then so is the picture. */
static double half_height(const ezlda_report *report)
{
    float most = 0.25f;
    for (uint32_t k = 0; k < report->model->meta->topics; k++)
        most = fmaxf(most, fabsf(report->y[k]));
    return (EZ_MAP_SIZE / 2.0 - EZ_MAP_MARGIN) * (double)most + EZ_MAP_MARGIN;
}

static double place_y(const ezlda_report *report, uint32_t topic, double half)
{
    return half + (EZ_MAP_SIZE / 2.0 - EZ_MAP_MARGIN) * (double)report->y[topic];
}

static double radius(const ezlda_report *report, uint32_t topic)
{
    double share = (double)report->model->topic_tokens[topic] / (double)report->model->meta->tokens;
    return EZ_MAP_SIZE * sqrt(share * EZ_CIRCLE_PART / 3.141592653589793);
}

static bool is_flagged(const ezlda_report *report, uint32_t topic)
{
    for (uint32_t i = 0; i < report->flags; i++)
        if (report->flag[i].topic == topic)
            return true;
    return false;
}

static void draw_circle(ez_svg *svg, const ezlda_report *report, uint32_t topic, double half)
{
    double r = radius(report, topic);
    ez_svg_put(svg, "<circle");
    ez_svg_attribute(svg, "cx", place_x(report, topic));
    ez_svg_attribute(svg, "cy", place_y(report, topic, half));
    ez_svg_attribute(svg, "r", r > 1 ? r : 1);
    if (is_flagged(report, topic))
        ez_svg_put(svg, " fill=\"#d55e00\" stroke=\"#d55e00\" stroke-dasharray=\"3 2\"");
    ez_svg_put(svg, "><title>");
    ez_svg_number(svg, topic);
    const ez_report_words *words = &report->vocabulary;
    for (uint32_t i = words->start[topic]; i < words->start[topic + 1] && i < words->start[topic] + 8; i++) {
        ez_svg_put(svg, " ");
        ez_svg_string(svg, ezlda_model_word(report->model, words->word[i]), 30);
    }
    ez_svg_put(svg, "</title></circle>\n");
}

static bool is_free(const label_box *box, const label_box *taken, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (box->left < taken[i].right && box->right > taken[i].left && box->top < taken[i].bottom &&
            box->bottom > taken[i].top)
            return false;
    return true;
}

/* Where the label's words end, of the topic's: so many, or all that there are. */
static uint32_t label_end(const ezlda_report *report, uint32_t topic, uint32_t words)
{
    uint32_t first = report->vocabulary.start[topic], all = report->vocabulary.start[topic + 1] - first;
    return first + (words < all ? words : all);
}

/* In characters: a measure for the room that it takes. */
static size_t label_length(const ezlda_report *report, uint32_t topic, uint32_t words)
{
    ez_svg measure = {.status = EZLDA_ERROR_STOPPED}; /* writes nothing */
    size_t n = 4;
    for (uint32_t i = report->vocabulary.start[topic]; i < label_end(report, topic, words); i++)
        n += 1 + ez_svg_string(&measure, ezlda_model_word(report->model, report->vocabulary.word[i]), 16);
    return n;
}

static void draw_label(ez_svg *svg, const ezlda_report *report, uint32_t topic, uint32_t words, double y)
{
    ez_svg_put(svg, "<text text-anchor=\"middle\"");
    ez_svg_attribute(svg, "x", place_x(report, topic));
    ez_svg_attribute(svg, "y", y);
    ez_svg_put(svg, "><tspan font-weight=\"bold\">");
    ez_svg_number(svg, topic);
    ez_svg_put(svg, "</tspan>");
    for (uint32_t i = report->vocabulary.start[topic]; i < label_end(report, topic, words); i++) {
        ez_svg_put(svg, " ");
        ez_svg_string(svg, ezlda_model_word(report->model, report->vocabulary.word[i]), 16);
    }
    ez_svg_put(svg, "</text>\n");
}

/* Labels of the largest topics, where they hide none that is there already: with words, or the number alone. */
static void draw_labels(ez_svg *svg, const ezlda_report *report, const ez_best_list *order, double half_map)
{
    label_box taken[EZ_MAP_LABELS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < order->n && n < EZ_MAP_LABELS; i++) {
        uint32_t topic = order->item[i].id, words = EZ_LABEL_WORDS + 1;
        double x = place_x(report, topic), y = place_y(report, topic, half_map) + 4;
        label_box box;
        do {
            double half = 3.1 * (double)label_length(report, topic, --words);
            box = (label_box){x - half, x + half, y - 11, y + 4};
        } while (words && !is_free(&box, taken, n));
        if (!report->model->topic_tokens[topic] || !is_free(&box, taken, n))
            continue;
        taken[n++] = box;
        draw_label(svg, report, topic, words, y);
    }
}

void ez_svg_map(ez_svg *svg, const ezlda_report *report)
{
    uint32_t topics = report->model->meta->topics;
    ez_best_list order = {.most = topics};
    svg->status = ez_array(&order.item, svg->context, topics, sizeof *order.item, "the order of topics");
    if (svg->status != EZLDA_OK)
        return;
    for (uint32_t k = 0; k < topics; k++)
        ez_best_offer(&order, (double)report->model->topic_tokens[k], k, 0);
    ez_best_sort(&order);
    double half = half_height(report);
    ez_svg_begin(svg, EZ_MAP_SIZE, (int)(2 * half), report->title);
    ez_svg_put(svg, "<g fill=\"#0072b2\" fill-opacity=\"0.35\" stroke=\"#0072b2\" stroke-width=\"0.8\">\n");
    for (uint32_t i = 0; i < order.n; i++) /* small ones on top */
        draw_circle(svg, report, order.item[i].id, half);
    ez_svg_put(svg, "</g>\n<g stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" stroke-linejoin=\"round\">\n");
    draw_labels(svg, report, &order, half);
    ez_svg_put(svg, "</g>\n");
    ez_svg_end(svg);
    ez_free(order.item);
}

/* ---- one topic --------------------------------------------------------------------------------------------------- */

enum { EZ_TOPIC_WIDTH = 520, EZ_TOPIC_TOP = 44, EZ_TOPIC_FOOT = 30, EZ_WORD_WIDTH = 170, EZ_VALUE_WIDTH = 60 };

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

/* Shares are drawn in pixels of `scale`; the mark shows the word's share of the whole corpus. */
static void draw_bar(ez_svg *svg, const ezlda_report *report, uint32_t word, double share, double y, double scale)
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
    char title[64];
    n = n < EZ_BARS ? n : EZ_BARS;
    n = n < report->words ? n : report->words;
    snprintf(title, sizeof title, "Topic %u", topic);
    ez_svg_begin(svg, EZ_TOPIC_WIDTH, EZ_TOPIC_TOP + (int)n * EZ_BAR_HEIGHT + EZ_TOPIC_FOOT, title);
    open_text(svg, 12, 24, " font-size=\"16\" font-weight=\"bold\"");
    ez_svg_put(svg, title);
    ez_svg_put(svg, "<tspan font-size=\"12\" font-weight=\"normal\" fill=\"#555\">  ");
    ez_svg_number(svg, 100 * tokens / (double)report->model->meta->tokens);
    ez_svg_put(svg, " % of all tokens</tspan></text>\n");
    double scale = n ? (EZ_TOPIC_WIDTH - EZ_WORD_WIDTH - EZ_VALUE_WIDTH) * tokens / words->count[first] : 0;
    for (uint32_t i = 0; i < n; i++)
        draw_bar(svg, report, words->word[first + i], words->count[first + i] / tokens,
                 EZ_TOPIC_TOP + (double)i * EZ_BAR_HEIGHT, scale);
    open_text(svg, 12, EZ_TOPIC_TOP + (double)n * EZ_BAR_HEIGHT + 18, " fill=\"#555\" font-size=\"10\"");
    ez_svg_put(svg, n ? "bar: share of the topic's tokens; mark: share of all tokens</text>\n" : "no tokens</text>\n");
    ez_svg_end(svg);
}
