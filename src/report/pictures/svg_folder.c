/* Writes the pictures of a report as files of one folder. */
#include "base/files/output_file.h"
#include "base/files/output_folder.h"
#include "report/pictures/svg_text.h"

#include <stdio.h>
#include <string.h>

enum { EZ_NAME_ROOM = 24 };

static ezlda_status save(ez_folder *folder, ezlda_context *context, const char *name,
                         const ez_svg *svg)
{
    const char *path;
    ez_output *output;
    EZ_TRY(svg->status);
    EZ_TRY(ez_folder_file(folder, context, name, &path));
    EZ_TRY(ez_output_open(&output, context, path));
    ezlda_status status = ez_output_write(output, context, svg->text.data, svg->text.used);
    if (status == EZLDA_OK)
        return ez_output_commit(output, context);
    ez_output_abandon(output);
    return status;
}

static ezlda_status fill(ez_folder *folder, ezlda_context *context, const ezlda_report *report,
                         const char *const *names)
{
    ez_svg svg = {.context = context};
    ez_svg_map(&svg, report);
    ezlda_status status = save(folder, context, names[0], &svg);
    for (uint32_t k = 0; k < report->model->meta->topics && status == EZLDA_OK; k++) {
        if (ezlda_model_topic_hidden(report->model, k))
            continue;
        svg.text.used = 0;
        ez_svg_topic(&svg, report, k);
        status = save(folder, context, names[k + 1], &svg);
    }
    ez_free(svg.text.data);
    return status;
}

static ezlda_status write_folder(const ezlda_report *report, ezlda_context *context,
                                 const char *path, const char **names, char *room)
{
    uint32_t topics = report->model->meta->topics;
    ez_folder *folder;
    names[0] = "map.svg"; /* and pictures of hidden topics, which an earlier folder has */
    for (uint32_t k = 0; k < topics; k++, room += EZ_NAME_ROOM) {
        snprintf(room, EZ_NAME_ROOM, "topic-%u.svg", k);
        names[k + 1] = room;
    }
    names[topics + 1] = NULL;
    EZ_TRY(ez_folder_open(&folder, context, path, names));
    ezlda_status status = fill(folder, context, report, names);
    if (status == EZLDA_OK)
        return ez_folder_commit(folder, context);
    ez_folder_abandon(folder);
    return status;
}

ezlda_status ezlda_report_write_svg(ezlda_context *context, const ezlda_report *report,
                                    const char *folder)
{
    const char **names = NULL;
    char *room = NULL;
    ezlda_status status;
    ez_clear(context);
    if (!report || !folder || !*folder)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_report_write_svg: expected a report and a folder");
    size_t topics = report->model->meta->topics;
    EZ_TRY_GOTO(ez_array(&names, context, topics + 2, sizeof *names, "names of pictures"));
    EZ_TRY_GOTO(ez_array(&room, context, topics, EZ_NAME_ROOM, "names of pictures"));
    status = write_folder(report, context, folder, names, room);
done:
    ez_free(names);
    ez_free(room);
    return status;
}
