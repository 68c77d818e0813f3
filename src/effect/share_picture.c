/* Draws panels of shares as SVG. Colours are those of the other pictures. */
#include "effect/share_picture.h"

#include "base/files/output_file.h"
#include "report/pictures/svg_text.h"

#include <math.h>
#include <stdio.h>

enum {
    EZ_PANEL_WIDTH = 300,
    EZ_PANEL_HEIGHT = 190,
    EZ_PANELS_ACROSS = 3,
    EZ_PANEL_LEFT = 52,
    EZ_PANEL_RIGHT = 14,
    EZ_PANEL_TOP = 40,
    EZ_PANEL_FOOT = 34,
    EZ_PANEL_NAMES = 6 /* most names below a panel */
};

typedef struct panel {
    ez_svg *svg;
    const ezlda_share *point;
    size_t n;
    double x, y, width, height; /* of the axes */
    double low, high, first, last;
} panel;

static double at_x(const panel *p, size_t i, bool levels)
{
    if (levels)
        return p->x + p->width * ((double)i + 0.5) / (double)p->n;
    return p->x +
           p->width * (p->point[i].x - p->first) / (p->last > p->first ? p->last - p->first : 1);
}

static double at_y(const panel *p, double share)
{
    share = share < p->low ? p->low : share > p->high ? p->high : share;
    return p->y + p->height * (1 - (share - p->low) / (p->high - p->low));
}

static void put_pair(ez_svg *svg, double x, double y)
{
    ez_svg_number(svg, x);
    ez_svg_put(svg, ",");
    ez_svg_number(svg, y);
    ez_svg_put(svg, " ");
}

static void line(ez_svg *svg, double x1, double y1, double x2, double y2, const char *style)
{
    ez_svg_put(svg, "<line");
    ez_svg_attribute(svg, "x1", x1);
    ez_svg_attribute(svg, "y1", y1);
    ez_svg_attribute(svg, "x2", x2);
    ez_svg_attribute(svg, "y2", y2);
    ez_svg_put(svg, style);
    ez_svg_put(svg, "/>\n");
}

static void text(ez_svg *svg, double x, double y, const char *how, const char *what, size_t most)
{
    ez_svg_put(svg, "<text");
    ez_svg_attribute(svg, "x", x);
    ez_svg_attribute(svg, "y", y);
    ez_svg_put(svg, how);
    ez_svg_put(svg, ">");
    ez_svg_string(svg, what, most);
    ez_svg_put(svg, "</text>\n");
}

/* Points without a value (periods without documents) interrupt nothing: they are skipped. */
static void draw_band(const panel *p, bool levels)
{
    ez_svg_put(p->svg, "<polygon fill=\"#0072b2\" fill-opacity=\"0.2\" points=\"");
    for (size_t i = 0; i < p->n; i++)
        if (!isnan(p->point[i].share))
            put_pair(p->svg, at_x(p, i, levels), at_y(p, p->point[i].high));
    for (size_t i = p->n; i-- > 0;)
        if (!isnan(p->point[i].share))
            put_pair(p->svg, at_x(p, i, levels), at_y(p, p->point[i].low));
    ez_svg_put(p->svg,
               "\"/>\n<polyline fill=\"none\" stroke=\"#0072b2\" stroke-width=\"1.5\" points=\"");
    for (size_t i = 0; i < p->n; i++)
        if (!isnan(p->point[i].share))
            put_pair(p->svg, at_x(p, i, levels), at_y(p, p->point[i].share));
    ez_svg_put(p->svg, "\"/>\n");
}

static void draw_bars(const panel *p)
{
    for (size_t i = 0; i < p->n; i++) {
        double x = at_x(p, i, true);
        if (isnan(p->point[i].share))
            continue;
        line(p->svg, x, at_y(p, p->point[i].low), x, at_y(p, p->point[i].high),
             " stroke=\"#0072b2\" stroke-width=\"1.5\"");
        ez_svg_put(p->svg, "<circle r=\"3\" fill=\"#0072b2\"");
        ez_svg_attribute(p->svg, "cx", x);
        ez_svg_attribute(p->svg, "cy", at_y(p, p->point[i].share));
        ez_svg_put(p->svg, "/>\n");
    }
}

static void draw_axes(const panel *p, bool levels)
{
    char label[40];
    line(p->svg, p->x, p->y, p->x, p->y + p->height, " stroke=\"#888\"");
    line(p->svg, p->x, p->y + p->height, p->x + p->width, p->y + p->height, " stroke=\"#888\"");
    for (int i = 0; i <= 2; i++) {
        double share = p->low + (p->high - p->low) * i / 2;
        snprintf(label, sizeof label, "%.3g %%", 100 * share);
        text(p->svg, p->x - 4, at_y(p, share) + 4,
             " text-anchor=\"end\" font-size=\"10\" fill=\"#555\"", label, 0);
    }
    size_t step = (p->n + EZ_PANEL_NAMES - 1) / EZ_PANEL_NAMES;
    for (size_t i = 0; levels && i < p->n; i += step)
        text(p->svg, at_x(p, i, true), p->y + p->height + 14,
             " text-anchor=\"middle\" font-size=\"10\" fill=\"#555\"", p->point[i].text, 10);
    for (int i = 0; !levels && i <= 2; i++) {
        double x = p->first + (p->last - p->first) * i / 2;
        snprintf(label, sizeof label, fabs(x) >= 1000 && fabs(x) < 1e6 ? "%.0f" : "%.3g", x);
        text(p->svg, p->x + p->width * i / 2, p->y + p->height + 14,
             " text-anchor=\"middle\" font-size=\"10\" fill=\"#555\"", label, 0);
    }
}

static void draw_panel(const ez_share_picture *picture, panel *p, uint32_t topic)
{
    char number[40];
    const char *name = ezlda_model_topic_name(picture->model, topic);
    p->low = 0;
    p->high = 1e-6;
    for (size_t i = 0; i < p->n; i++) {
        if (p->point[i].high > p->high)
            p->high = p->point[i].high;
        if (p->point[i].low < p->low)
            p->low = p->point[i].low;
        p->first = i == 0 || p->point[i].x < p->first ? p->point[i].x : p->first;
        p->last = i == 0 || p->point[i].x > p->last ? p->point[i].x : p->last;
    }
    snprintf(number, sizeof number, "Topic %u%s", topic, *name ? ": " : "");
    ez_svg_put(p->svg, "<text font-weight=\"bold\"");
    ez_svg_attribute(p->svg, "x", p->x);
    ez_svg_attribute(p->svg, "y", p->y - 10);
    ez_svg_put(p->svg, ">");
    ez_svg_put(p->svg, number);
    ez_svg_string(p->svg, name, 22);
    ez_svg_put(p->svg, "</text>\n");
    if (picture->levels && p->n <= 12)
        draw_bars(p);
    else
        draw_band(p, picture->levels);
    draw_axes(p, picture->levels);
}

static ezlda_status draw(const ez_share_picture *picture, ez_svg *svg, ezlda_share *points)
{
    uint32_t across = picture->topics < EZ_PANELS_ACROSS ? picture->topics : EZ_PANELS_ACROSS;
    uint32_t down = (picture->topics + across - 1) / across;
    char title[200];
    snprintf(title, sizeof title, "Shares of topics by %.120s", picture->title);
    ez_svg_begin(svg, (int)across * EZ_PANEL_WIDTH, (int)down * EZ_PANEL_HEIGHT + 8, title);
    for (uint32_t t = 0; t < picture->topics; t++) {
        uint32_t column = t % across, line = t / across;
        panel p = {.svg = svg,
                   .point = points,
                   .x = (double)column * EZ_PANEL_WIDTH + EZ_PANEL_LEFT,
                   .y = (double)line * EZ_PANEL_HEIGHT + EZ_PANEL_TOP,
                   .width = EZ_PANEL_WIDTH - EZ_PANEL_LEFT - EZ_PANEL_RIGHT,
                   .height = EZ_PANEL_HEIGHT - EZ_PANEL_TOP - EZ_PANEL_FOOT};
        EZ_TRY(picture->panel(picture->user, svg->context, picture->topic[t], points,
                              picture->points, &p.n));
        draw_panel(picture, &p, picture->topic[t]);
    }
    ez_svg_end(svg);
    return svg->status;
}

ezlda_status ez_share_picture_write(const ez_share_picture *picture, ezlda_context *context,
                                    const char *path)
{
    ez_svg svg = {.context = context};
    ezlda_share *points = NULL;
    ez_output *output = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&points, context, picture->points, sizeof *points, "the points of a panel"));
    EZ_TRY_GOTO(draw(picture, &svg, points));
    EZ_TRY_GOTO(ez_output_open(&output, context, path));
    status = ez_output_write(output, context, svg.text.data, svg.text.used);
    if (status == EZLDA_OK)
        status = ez_output_commit(output, context);
    else
        ez_output_abandon(output);
done:
    ez_free(points);
    ez_free(svg.text.data);
    return status;
}
