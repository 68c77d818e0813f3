/* Draws the map of all topics. Colours are those of Okabe and Ito, which colour-blind readers can
 * distinguish. */
#include "report/content/best_list.h"
#include "report/pictures/svg_text.h"

#include <math.h>

enum {
    EZ_MAP_SIZE = 800,
    EZ_MAP_MARGIN = 60, /* at least */
    EZ_MAP_LABELS = 60,
    EZ_LABEL_TRIES = 3000, /* topics for which a label is tried */
    EZ_LABEL_WORDS = 2,
    EZ_LABEL_LETTERS = 16, /* most letters of a word */
    EZ_LABEL_HEIGHT = 15,
    EZ_LABEL_GAP = 5, /* between a circle and the label beside it */
    EZ_LABEL_PLACES = 9,
    EZ_TITLE_WORDS = 8,
    EZ_SMALL_CIRCLE = 9 /* smallest radius that holds text; labels may cross smaller circles */
};

#define EZ_CIRCLE_PART 0.15 /* share of the picture that all circles cover */

typedef struct map_circle {
    uint32_t topic;
    double x, y, r;
} map_circle;

/* ---- circles ---- */

static double radius(const ezlda_report *report, uint32_t topic)
{
    double share = (double)report->model->topic_tokens[topic] / (double)report->model->meta->tokens;
    return fmax(1, EZ_MAP_SIZE * sqrt(share * EZ_CIRCLE_PART / 3.141592653589793));
}

/* The frame of the picture: half its height, and the length of the map's unit. All circles are
 * inside. */
typedef struct map_frame {
    double half, unit;
} map_frame;

/* The largest |y| is 1, or less if the map is wider than high; then the picture is too. */
static map_frame frame_of(const ezlda_report *report)
{
    double margin = EZ_MAP_MARGIN, most = 0.25;
    for (uint32_t k = 0; k < report->model->meta->topics; k++) {
        if (ezlda_model_topic_hidden(report->model, k))
            continue;
        most = fmax(most, fabs((double)report->y[k]));
        margin = fmax(margin, radius(report, k) + 2);
    }
    double unit = EZ_MAP_SIZE / 2.0 - margin;
    return (map_frame){unit * most + margin, unit};
}

static bool is_flagged(const ezlda_report *report, uint32_t topic)
{
    for (uint32_t i = 0; i < report->flags; i++)
        if (report->flag[i].topic == topic)
            return true;
    return false;
}

/* The end of a topic's first words in the report's list. */
static uint32_t words_end(const ezlda_report *report, uint32_t topic, uint32_t words)
{
    uint32_t first = report->vocabulary.start[topic],
             all = report->vocabulary.start[topic + 1] - first;
    words = words < report->words ? words : report->words;
    return first + (words < all ? words : all);
}

/* Writes the name that the topic was given, in the room of that many words, or else its most
 * frequent words, each after a space; returns the width. */
static double put_words(ez_svg *svg, const ezlda_report *report, uint32_t topic, uint32_t words,
                        size_t longest)
{
    const char *name = ezlda_model_topic_name(report->model, topic);
    double width = 0;
    if (*name && words) {
        ez_svg_put(svg, " ");
        return 4 + ez_svg_string(svg, name, words * longest);
    }
    for (uint32_t i = report->vocabulary.start[topic]; i < words_end(report, topic, words); i++) {
        ez_svg_put(svg, " ");
        width += 4 + ez_svg_string(svg, ezlda_model_word(report->model, report->vocabulary.word[i]),
                                   longest);
    }
    return width;
}

static void draw_circle(ez_svg *svg, const ezlda_report *report, const map_circle *circle)
{
    uint32_t topic = circle->topic;
    ez_svg_put(svg, "<circle");
    ez_svg_attribute(svg, "cx", circle->x);
    ez_svg_attribute(svg, "cy", circle->y);
    ez_svg_attribute(svg, "r", circle->r);
    if (is_flagged(report, topic))
        ez_svg_put(svg, " fill=\"#d55e00\" stroke=\"#d55e00\" stroke-dasharray=\"3 2\"");
    ez_svg_put(svg, "><title>");
    ez_svg_number(svg, topic);
    put_words(svg, report, topic, EZ_TITLE_WORDS, 30);
    ez_svg_put(svg, "</title></circle>\n");
}

/* ---- labels, inside their circle or beside it, without overlap ---- */

typedef enum label_anchor { EZ_ANCHOR_START, EZ_ANCHOR_MIDDLE, EZ_ANCHOR_END } label_anchor;

typedef struct map_label {
    label_anchor anchor;
    bool inside;
    double x, y; /* the anchor of the text, and the middle of its line */
    double left, right, top, bottom;
} map_label;

typedef struct label_layout {
    const ezlda_report *report;
    const map_circle *circle; /* by falling size */
    uint32_t circles;
    double height; /* height of the picture */
    map_label placed[EZ_MAP_LABELS];
    uint32_t n;
} label_layout;

/* The width of a label: its number, in bold digits, and its words. */
static double label_width(const ezlda_report *report, uint32_t topic, uint32_t words)
{
    ez_svg measure = {.status = EZLDA_ERROR_STOPPED}; /* writes nothing */
    double width = 8.4 + put_words(&measure, report, topic, words, EZ_LABEL_LETTERS);
    for (; topic > 9; topic /= 10)
        width += 8.4;
    return width;
}

static bool meets_circle(const map_label *label, const map_circle *circle)
{
    double dx = circle->x - fmax(label->left, fmin(label->right, circle->x));
    double dy = circle->y - fmax(label->top, fmin(label->bottom, circle->y));
    return hypot(dx, dy) < circle->r + (label->inside ? 1 : EZ_LABEL_GAP + 1);
}

static bool is_free(const label_layout *all, const map_label *label, uint32_t topic)
{
    if (label->left < 0 || label->right > EZ_MAP_SIZE || label->top < 0 ||
        label->bottom > all->height)
        return false;
    for (uint32_t i = 0; i < all->n; i++)
        if (label->left < all->placed[i].right && label->right > all->placed[i].left &&
            label->top < all->placed[i].bottom && label->bottom > all->placed[i].top)
            return false;
    for (uint32_t i = 0; i < all->circles && all->circle[i].r >= EZ_SMALL_CIRCLE; i++)
        if (all->circle[i].topic != topic && meets_circle(label, &all->circle[i]))
            return false;
    return true;
}

/* Lists the positions for a label of this width, best first: inside, right, left, above, below, at
 * the corners. Returns how many. */
static int label_positions(const map_circle *circle, double width, map_label place[EZ_LABEL_PLACES])
{
    double x = circle->x, y = circle->y, r = circle->r, beside = r + EZ_LABEL_GAP,
           out = 0.72 * r + 3;
    double middle = fmax(width / 2 + 4, fmin(EZ_MAP_SIZE - width / 2 - 4, x));
    bool fits = hypot(width / 2, EZ_LABEL_HEIGHT / 2.0) < r;
    const map_label all[EZ_LABEL_PLACES] = {
        {EZ_ANCHOR_MIDDLE, true, .x = x, .y = y},
        {EZ_ANCHOR_START, .x = x + beside, .y = y},
        {EZ_ANCHOR_END, .x = x - beside, .y = y},
        {EZ_ANCHOR_MIDDLE, .x = middle, .y = y - r - 10},
        {EZ_ANCHOR_MIDDLE, .x = middle, .y = y + r + 11},
        {EZ_ANCHOR_START, .x = x + out, .y = y - out - 4},
        {EZ_ANCHOR_START, .x = x + out, .y = y + out + 4},
        {EZ_ANCHOR_END, .x = x - out, .y = y - out - 4},
        {EZ_ANCHOR_END, .x = x - out, .y = y + out + 4},
    };
    int n = 0;
    for (int i = 0; i < EZ_LABEL_PLACES; i++) {
        if (all[i].inside && !fits)
            continue;
        map_label *label = &place[n++];
        *label = all[i];
        label->left = label->x - width * (int)label->anchor / 2;
        label->right = label->left + width;
        label->top = label->y - EZ_LABEL_HEIGHT / 2.0;
        label->bottom = label->y + EZ_LABEL_HEIGHT / 2.0;
    }
    return n;
}

/* Places a label with two words, one word or, inside the circle, only the number, as there is room;
 * NULL if there is none. */
static const map_label *place_label(label_layout *all, const map_circle *circle, uint32_t *words)
{
    map_label place[EZ_LABEL_PLACES];
    for (*words = EZ_LABEL_WORDS + 1; (*words)--;) {
        int n = label_positions(circle, label_width(all->report, circle->topic, *words), place);
        for (int i = 0; i < n && (*words || place[i].inside); i++)
            if (is_free(all, &place[i], circle->topic)) {
                all->placed[all->n] = place[i];
                return &all->placed[all->n++];
            }
    }
    return NULL;
}

static void draw_label(ez_svg *svg, const ezlda_report *report, uint32_t topic, uint32_t words,
                       const map_label *label)
{
    static const char *const anchors[] = {
        [EZ_ANCHOR_START] = "start", [EZ_ANCHOR_MIDDLE] = "middle", [EZ_ANCHOR_END] = "end"};
    ez_svg_put(svg, "<text text-anchor=\"");
    ez_svg_put(svg, anchors[label->anchor]);
    ez_svg_put(svg, "\"");
    ez_svg_attribute(svg, "x", label->x);
    ez_svg_attribute(svg, "y", label->y + 4);
    ez_svg_put(svg, "><tspan font-weight=\"bold\">");
    ez_svg_number(svg, topic);
    ez_svg_put(svg, "</tspan>");
    put_words(svg, report, topic, words, EZ_LABEL_LETTERS);
    ez_svg_put(svg, "</text>\n");
}

/* Draws the labels of the largest topics for which there is room. */
static void draw_labels(ez_svg *svg, label_layout *all)
{
    for (uint32_t i = 0; i < all->circles && i < EZ_LABEL_TRIES && all->n < EZ_MAP_LABELS; i++) {
        uint32_t topic = all->circle[i].topic, words;
        if (!all->report->model->topic_tokens[topic])
            break;
        const map_label *label = place_label(all, &all->circle[i], &words);
        if (label)
            draw_label(svg, all->report, topic, words, label);
    }
}

/* ---- the picture ---- */

static void draw_map(ez_svg *svg, const ezlda_report *report, const map_circle *circle,
                     uint32_t circles, double height)
{
    label_layout labels = {
        .report = report, .circle = circle, .circles = circles, .height = height};
    ez_svg_begin(svg, EZ_MAP_SIZE, (int)height, report->title);
    ez_svg_put(
        svg,
        "<g fill=\"#0072b2\" fill-opacity=\"0.35\" stroke=\"#0072b2\" stroke-width=\"0.8\">\n");
    for (uint32_t i = 0; i < labels.circles; i++) /* small ones on top */
        draw_circle(svg, report, &circle[i]);
    ez_svg_put(svg, "</g>\n<g stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
                    "stroke-linejoin=\"round\">\n");
    draw_labels(svg, &labels);
    ez_svg_put(svg, "</g>\n");
    ez_svg_end(svg);
}

void ez_svg_map(ez_svg *svg, const ezlda_report *report)
{
    uint32_t topics = report->model->meta->topics;
    ez_best_list order = {.most = topics};
    map_circle *circle = NULL;
    map_frame frame = frame_of(report);
    svg->status =
        ez_array(&order.item, svg->context, topics, sizeof *order.item, "the order of topics");
    if (svg->status == EZLDA_OK)
        svg->status =
            ez_array(&circle, svg->context, topics, sizeof *circle, "the order of topics");
    if (svg->status == EZLDA_OK) {
        for (uint32_t k = 0; k < topics; k++)
            if (!ezlda_model_topic_hidden(report->model, k))
                ez_best_offer(&order, (double)report->model->topic_tokens[k], k, 0);
        ez_best_sort(&order);
        for (uint32_t i = 0; i < order.n; i++) {
            uint32_t k = order.item[i].id;
            circle[i] =
                (map_circle){k, EZ_MAP_SIZE / 2.0 + frame.unit * (double)report->x[k],
                             frame.half + frame.unit * (double)report->y[k], radius(report, k)};
        }
        draw_map(svg, report, circle, order.n, 2 * frame.half);
    }
    ez_free(order.item);
    ez_free(circle);
}
