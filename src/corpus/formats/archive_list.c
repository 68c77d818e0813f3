/* Lists the files of a ZIP archive as documents. Archives that are documents or arrays of other
 * programs are refused by name. */
#include "corpus/text/text_source.h"

#include <stdlib.h>
#include <string.h>

typedef struct archive_file {
    const char *name;
    size_t member;
} archive_file;

static int by_name(const void *a, const void *b)
{
    const archive_file *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->member > y->member) - (x->member < y->member);
}

/* Hidden files and folders, and the folder that macOS adds. */
static bool is_hidden(const char *name)
{
    bool hidden = strncmp(name, "__MACOSX/", 9) == 0;
    for (const char *at = name; at && !hidden; at = strchr(at, '/')) {
        at += *at == '/';
        hidden = at[0] == '.' && at[1] != '/' && strncmp(at, "../", 3) != 0;
    }
    return hidden;
}

/* Returns what the archive is if it does not hold texts, and what to do with it; NULL if it holds
 * texts. */
static const char *other_archive(const char *name)
{
    size_t n = strlen(name);
    if (strcmp(name, "[Content_Types].xml") == 0)
        return "an Office document: save it as text or CSV (in Python, .docx: "
               "ezlda.Corpus.from_texts(p.text for p in docx.Document(FILE).paragraphs); .xlsx: "
               "ezlda.Corpus.from_frame(pandas.read_excel(FILE), text=COLUMN))";
    if (strcmp(name, "mimetype") == 0)
        return "an OpenDocument file or e-book: save it as text first (pandoc FILE -t plain)";
    if (n > 4 && strcmp(name + n - 4, ".npy") == 0)
        return "NumPy arrays (.npz; in Python: ezlda.Corpus.from_matrix(scipy.sparse.load_npz("
               "FILE)))";
    return NULL;
}

static ezlda_status add_member(ez_text_source *source, ezlda_context *context, size_t input,
                               const archive_file *file)
{
    const char *path = source->paths[input];
    ez_source_file entry = {source->file_names.used, input, file->member};
    EZ_TRY(ez_buffer_append(&source->file_names, context, path, strlen(path)));
    EZ_TRY(ez_buffer_append(&source->file_names, context, "/", 1));
    EZ_TRY(ez_buffer_append(&source->file_names, context, file->name, strlen(file->name) + 1));
    EZ_TRY(ez_buffer_append(&source->files, context, &entry, sizeof entry));
    source->n_files++;
    return EZLDA_OK;
}

static ezlda_status add_members(ez_text_source *source, ezlda_context *context, size_t input,
                                archive_file *files, size_t n)
{
    qsort(files, n, sizeof *files, by_name);
    for (size_t i = 0; i < n; i++)
        if (!is_hidden(files[i].name) && ez_file_chosen(&source->choice, files[i].name))
            EZ_TRY(add_member(source, context, input, &files[i]));
    return EZLDA_OK;
}

ezlda_status ez_archive_list(ez_text_source *source, ezlda_context *context, size_t input)
{
    const ez_zip *zip = source->archives[input];
    size_t n = ez_zip_files(zip);
    archive_file *files;
    for (size_t i = 0; i < n; i++) {
        const char *other = other_archive(ez_zip_name(zip, i));
        if (other)
            return ez_fail(context, EZLDA_ERROR_FORMAT,
                           "%s: expected a ZIP archive of texts, found %s", source->paths[input],
                           other);
    }
    EZ_TRY(ez_array(&files, context, n, sizeof *files, "the files of an archive"));
    for (size_t i = 0; i < n; i++)
        files[i] = (archive_file){ez_zip_name(zip, i), i};
    ezlda_status status = add_members(source, context, input, files, n);
    ez_free(files);
    return status;
}
