/* Reads text with the unit and the fields that the options give, that earlier text was read with
 * (options->like), or that the input suggests. */
#include "corpus/import_text.h"

#include "corpus/formats/field_sample.h"
#include "corpus/formats/handed_records.h"
#include "corpus/import_check.h"
#include "corpus/input/spool.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/text_pipeline.h"

#include <string.h>

/* ---- the unit ---- */

static bool is(const char *value, const char *word)
{
    return value && strcmp(value, word) == 0;
}

void ez_import_choose_unit(ez_text_import *import, ez_text_units *units)
{
    const ezlda_import_options *options = import->options;
    const char *unit = options->unit;
    bool given = unit != NULL, several = import->n_paths > 1;
    if (!unit && options->split)
        unit = "files";
    if (!unit && !options->format)
        unit = ez_text_rules_setting(options->like, "unit");
    bool guessed = !unit && !options->format;
    import->files = guessed ? ez_text_units_are_files(units) : is(unit, "files");
    if (given || (!several && !import->files))
        return;
    if (!several)
        ez_note(import->context, "%s: read as one text; --unit lines reads one document per line",
                import->paths[0]);
    else if (import->files)
        ez_note(import->context,
                "%zu files, one document each; --unit lines reads one document per line",
                import->n_paths);
    else
        ez_note(import->context,
                "%zu files, one document per line; --unit files reads one document per file",
                import->n_paths);
}

/* ---- fields ---- */

/* The fields that were used before, if the options name none and the input has them. */
typedef struct remembered_fields {
    char kept[1024]; /* the fields of keep_fields that the input has */
} remembered_fields;

static bool has_fields(ez_format format)
{
    return format == EZ_FORMAT_CSV || format == EZ_FORMAT_TSV || format == EZ_FORMAT_JSONL ||
           format == EZ_FORMAT_JSON;
}

static void remember_field(const ez_text_import *import, const ez_field_sample *sample,
                           const char *key, const char *what, const char **field)
{
    const char *before = ez_text_rules_setting(import->options->like, key);
    char list[512];
    if (*field || !before)
        return;
    if (ez_field_sample_has(sample, before)) {
        *field = before;
        return;
    }
    ez_field_sample_list(sample, list, sizeof list);
    ez_warn(import->context, "%s: no field \"%s\", which was the %s before; the fields are: %s",
            import->paths[0], before, what, list);
}

/* Keeps those fields that were kept before and are here too. */
static void remember_kept(const ez_text_import *import, const ez_field_sample *sample,
                          remembered_fields *fields)
{
    const char *before = ez_text_rules_setting(import->options->like, "keep-fields");
    char name[512];
    size_t used = 0;
    if (import->options->keep_fields || !before)
        return;
    for (size_t n; *before; before += n + (before[n] == ',')) {
        n = strcspn(before, ",");
        if (n >= sizeof name || used + n + 2 > sizeof fields->kept)
            continue;
        memcpy(name, before, n);
        name[n] = '\0';
        if (!ez_field_sample_has(sample, name)) {
            ez_note(import->context, "%s: no field \"%s\", which was kept before", import->paths[0],
                    name);
            continue;
        }
        if (used)
            fields->kept[used++] = ',';
        memcpy(fields->kept + used, name, n + 1);
        used += n;
    }
    if (used)
        import->options->keep_fields = fields->kept;
}

/* Guesses the field of the text if there is none called "text". */
static ezlda_status guess_text(const ez_text_import *import, const ez_field_sample *sample)
{
    const char *rival, *best = ez_field_sample_text(sample, &rival);
    char list[512];
    if (import->options->text_field || !best || ez_field_sample_has(sample, "text"))
        return EZLDA_OK;
    if (rival) {
        ez_field_sample_list(sample, list, sizeof list);
        return ez_fail(import->context, EZLDA_ERROR_FORMAT,
                       "%s: no field \"text\", and both \"%s\" and \"%s\" may be the text: name "
                       "one (--text-field); the fields are: %s",
                       import->paths[0], best, rival, list);
    }
    ez_note(import->context, "%s: the text is in the field \"%s\"; --text-field names another",
            import->paths[0], best);
    import->options->text_field = best;
    return EZLDA_OK;
}

static ezlda_status open_sample(ez_text_import *import, ez_field_sample *sample)
{
    const unsigned char *head;
    size_t n;
    if (!import->first)
        EZ_TRY(ez_input_open_text(&import->first, import->context, import->paths[0],
                                  import->options->encoding));
    EZ_TRY(ez_input_peek(import->first, import->context, &head, &n));
    return ez_field_sample_read(sample, import->context, import->format, (const char *)head, n,
                                n < EZ_PEEK_BYTES);
}

static ezlda_status choose_fields(ez_text_import *import, ez_field_sample *sample,
                                  remembered_fields *fields)
{
    ezlda_import_options *options = import->options;
    if (!has_fields(import->format) || import->feed)
        return EZLDA_OK;
    EZ_TRY(open_sample(import, sample));
    if (!sample->records)
        return EZLDA_OK;
    remember_field(import, sample, "text-field", "text", &options->text_field);
    remember_field(import, sample, "name-field", "name", &options->name_field);
    remember_field(import, sample, "label-field", "label", &options->label_field);
    remember_kept(import, sample, fields);
    return guess_text(import, sample);
}

static void remember_text(const ezlda_text_rules *like, const char *key, const char **option)
{
    if (!*option)
        *option = ez_text_rules_setting(like, key);
}

/* Files have the fields that earlier files had, as far as they say so. */
static void remember_file_fields(ez_text_import *import)
{
    ezlda_import_options *options = import->options;
    const ezlda_text_rules *like = options->like;
    bool files = is(ez_text_rules_setting(like, "unit"), "files");
    if (!files || (import->format != EZ_FORMAT_DIR && !ez_format_is_page(import->format)))
        return;
    const char *asked[] = {options->text_field, options->name_field, options->label_field,
                           options->keep_fields};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        import->fields_optional = import->fields_optional || !asked[i];
    remember_text(like, "text-field", &options->text_field);
    remember_text(like, "name-field", &options->name_field);
    remember_text(like, "label-field", &options->label_field);
    remember_text(like, "keep-fields", &options->keep_fields);
}

/* ---- reading ---- */

static void remember_pieces(ez_text_import *import)
{
    ezlda_import_options *options = import->options;
    remember_text(options->like, "split", &options->split);
    remember_file_fields(import);
    if (import->format != EZ_FORMAT_DIR)
        return;
    remember_text(options->like, "include", &options->include);
    remember_text(options->like, "exclude", &options->exclude);
}

static ezlda_status keep_setting(ez_text_source *source, ezlda_context *context, const char *key,
                                 const char *value)
{
    return value ? ez_rule_settings_set(&source->settings, context, key, value) : EZLDA_OK;
}

/* Stores how the text is read with the corpus. */
static ezlda_status keep_settings(const ez_text_import *import, ez_text_source *source)
{
    const ezlda_import_options *options = import->options;
    ezlda_context *context = import->context;
    bool plain = import->format == EZ_FORMAT_TEXT, files = import->files;
    files = files || import->format == EZ_FORMAT_DIR || ez_format_is_page(import->format);
    EZ_TRY(keep_setting(source, context, EZ_PAGES_SETTING,
                        ez_import_reads_pages(options) ? "read" : NULL));
    EZ_TRY(keep_setting(source, context, "text-field", options->text_field));
    EZ_TRY(keep_setting(source, context, "name-field", options->name_field));
    EZ_TRY(keep_setting(source, context, "label-field", options->label_field));
    EZ_TRY(keep_setting(source, context, "keep-fields", options->keep_fields));
    EZ_TRY(keep_setting(source, context, "unit", files ? "files" : plain ? "lines" : NULL));
    EZ_TRY(keep_setting(source, context, "split", options->split));
    EZ_TRY(keep_setting(source, context, "include", options->include));
    return keep_setting(source, context, "exclude", options->exclude);
}

/* Recognises pages among files, unless one format was named for all. */
static void choose_pages(const ez_text_import *import, ez_text_source *source)
{
    const char *format = import->options->format;
    source->reads_pages = ez_import_reads_pages(import->options);
    if (format && import->format == EZ_FORMAT_HTML)
        source->page_kind = EZ_PAGE_HTML;
    else if (format && import->format == EZ_FORMAT_XML)
        source->page_kind = EZ_PAGE_XML;
    else if (format && import->format == EZ_FORMAT_MARKDOWN)
        source->page_kind = EZ_PAGE_MARKDOWN;
}

static ezlda_status read_source(ezlda_corpus **out, ez_text_import *import, ez_text_source *source,
                                const ez_field_plan *plan, const ez_field_sample *sample)
{
    const ezlda_import_options *options = import->options;
    ez_input *first = import->first;
    import->first = NULL;
    EZ_TRY(ez_text_source_init(source, import->context,
                               import->files ? &ez_directory_reader : import->reader, plan,
                               import->paths, import->n_paths, first));
    source->feed = import->feed;
    choose_pages(import, source);
    source->encoding = options->encoding;
    source->choice = (ez_file_choice){.include = options->include, .exclude = options->exclude};
    ez_field_sample_list(sample, source->field_list, sizeof source->field_list);
    EZ_TRY(ez_split_parse(&source->split, import->context, options->split));
    EZ_TRY(ez_text_source_open(source, import->context));
    EZ_TRY(import->feed ? ez_record_feed_open(import->feed, import->context, plan) : EZLDA_OK);
    EZ_TRY(keep_settings(import, source));
    return ez_text_corpus(out, import->context, source, options, EZ_SPOOL_LIMIT);
}

ezlda_status ez_import_text(ezlda_corpus **out, ez_text_import *import)
{
    ez_field_plan plan = {0};
    ez_text_source source = {0};
    ez_field_sample sample = {0};
    remembered_fields fields;
    ezlda_status status;
    remember_pieces(import);
    EZ_TRY_GOTO(choose_fields(import, &sample, &fields));
    EZ_TRY_GOTO(ez_field_plan_init(&plan, import->context, import->options));
    plan.optional = import->fields_optional;
    status = read_source(out, import, &source, &plan, &sample);
done:
    ez_input_close(import->first);
    import->first = NULL;
    ez_text_source_free(&source);
    ez_field_plan_free(&plan);
    ez_field_sample_free(&sample);
    return status;
}
