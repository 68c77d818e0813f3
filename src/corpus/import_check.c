/* Defaults and checks of the options of ezlda_corpus_read. */
#include "corpus/import_check.h"
#include "base/options_struct.h"

#include "base/context.h"
#include "corpus/input/decoder.h"
#include "corpus/text/phrases/phrase_list.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/text_split.h"
#include "corpus/text/tokeniser/text_cutting.h"
#include "corpus/text/vocabulary/stemming.h"

#include <stdbool.h>
#include <string.h>

enum { MIN_LENGTH = 2 };

void ezlda_import_options_init_sized(ezlda_import_options *options, size_t size)
{
    ezlda_import_options defaults = {
        .size = sizeof defaults, .min_length = MIN_LENGTH, .ngrams = 1};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status check_stemmer(const ezlda_import_options *options, ezlda_context *context)
{
    char names[512];
    const char *stemmer = ez_named_stemmer(options);
    if (options->stem_below && !stemmer)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "stemming of rare words only: no stemmer was named");
    if (stemmer && ez_named_lemmas(options))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "words cannot be replaced by stems and by lemmas: choose one");
    if (!stemmer || ez_stemmer_known(stemmer))
        return EZLDA_OK;
    ez_stemmer_names(names, sizeof names);
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "no stemmer for \"%s\"; there are: %s", stemmer,
                   names);
}

static ezlda_status check_tokens(const ezlda_import_options *options, ezlda_context *context)
{
    ez_cutting cutting;
    if (!options->tokens || ez_cutting_named(options->tokens, &cutting))
        return EZLDA_OK;
    return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                   "unknown way to cut words \"%s\" (auto, icu, pairs, spaces, pre or units)",
                   options->tokens);
}

static ezlda_status check_values(const ezlda_import_options *options, ezlda_context *context)
{
    ez_split split;
    if (options->format && ez_format_named(options->format) == EZ_FORMATS)
        return ez_fail(
            context, EZLDA_ERROR_ARGUMENT,
            "unknown format \"%s\" (ezc, uci, mm, ldac, svmlight, hdf5, mallet-state, mallet, "
            "text, dir, csv, tsv, jsonl, json, html, xml or markdown)",
            options->format);
    if (options->unit && strcmp(options->unit, "lines") != 0 && strcmp(options->unit, "files") != 0)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "unit of a document: expected lines or files, found \"%s\"", options->unit);
    EZ_TRY(ez_split_parse(&split, context, options->split));
    if (options->ngrams < 1 || options->ngrams > EZ_MAX_NGRAMS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "phrases of up to %u words: expected 1 to %d",
                       options->ngrams, EZ_MAX_NGRAMS);
    double firm;
    if (!ez_phrase_option(options->phrases, &firm))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "phrases: expected auto, none or a number above 0 and up to 1, found \"%s\"",
                       options->phrases);
    if (firm > 0 && options->ngrams > 1)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "phrases that replace their words, and all phrases of up to %u words beside "
                       "them: choose one",
                       options->ngrams);
    if (!(options->max_docs_share >= 0 && options->max_docs_share <= 1))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "largest share of documents a word may be in: expected more than 0 and at "
                       "most 1, found %g",
                       options->max_docs_share);
    EZ_TRY(ez_encoding_check(context, options->encoding));
    EZ_TRY(check_tokens(options, context));
    return check_stemmer(options, context);
}

ezlda_status ez_import_options_check(ezlda_import_options *to, ezlda_context *context,
                                     const ezlda_import_options *from)
{
    ezlda_import_options_init(to);
    EZ_TRY(ez_options_read(to, sizeof *to, context, from, "import"));
    return check_values(to, context);
}

bool ez_import_reads_pages(const ezlda_import_options *options)
{
    const ezlda_text_rules *like = options->like;
    bool before =
        !like || (like->kept & EZ_GUESSED) || ez_text_rules_setting(like, EZ_PAGES_SETTING);
    if (options->format && strcmp(options->format, "dir") != 0)
        return ez_format_is_page(ez_format_named(options->format));
    return before && !options->keep_markup && !ez_words_are_cut(options);
}

static ezlda_status refuse(ezlda_context *context, const char *path, ez_format format,
                           const char *what)
{
    return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%s: read as %s (%s), which %s", path,
                   ez_format_name(format), ez_format_description(format), what);
}

/* Applies the rules of other text and describes the result in a note. */
static ezlda_status apply_rules(ezlda_import_options *options, ezlda_context *context)
{
    char text[320];
    double firm;
    if (ez_words_are_cut(options) && !options->min_length_given &&
        options->min_length == MIN_LENGTH)
        options->min_length = 1;
    if (options->like)
        ez_text_rules_fill(options, text, sizeof text);
    if (ez_phrase_option(options->phrases, &firm) && firm > 0 && ez_words_are_cut(options))
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "phrases are found in text, not in words that are cut already (tokens %s)",
                       options->tokens);
    if (!options->like) {
        options->stemmer = ez_named_stemmer(options);
        return EZLDA_OK;
    }
    ez_note(context, "text is read %s: %s",
            options->like->kept & EZ_GUESSED ? "for the model's words" : "as before", text);
    return check_stemmer(options, context);
}

/* The options that say what a document is. */
static ezlda_status fit_documents(const ezlda_import_options *options, ezlda_context *context,
                                  ez_format format, const char *path, bool text)
{
    bool files = options->unit && strcmp(options->unit, "files") == 0;
    bool by_files = format == EZ_FORMAT_DIR || ez_format_is_page(format);
    if (options->unit && format != EZ_FORMAT_TEXT && !(files && by_files))
        return refuse(context, path, format, "decides itself what a document is (unit)");
    if (options->split && !text)
        return refuse(context, path, format, "has no text to split");
    if ((options->include || options->exclude) && format != EZ_FORMAT_DIR)
        return refuse(context, path, format, "has no files to include or exclude");
    return EZLDA_OK;
}

ezlda_status ez_import_options_fit(ezlda_import_options *options, ezlda_context *context,
                                   ez_format format, const char *path)
{
    bool fields = format == EZ_FORMAT_CSV || format == EZ_FORMAT_TSV || format == EZ_FORMAT_JSONL ||
                  format == EZ_FORMAT_JSON || format == EZ_FORMAT_DIR || ez_format_is_page(format);
    bool text = fields || format == EZ_FORMAT_TEXT || format == EZ_FORMAT_MALLET;
    if (!fields && (options->text_field || options->name_field || options->label_field ||
                    options->keep_fields))
        return refuse(context, path, format, "has no named fields");
    EZ_TRY(fit_documents(options, context, format, path, text));
    if (options->vocab && (text || format == EZ_FORMAT_EZC || format == EZ_FORMAT_HDF5 ||
                           format == EZ_FORMAT_MALLET_STATE))
        return refuse(context, path, format, "takes no vocabulary file");
    if (text)
        return apply_rules(options, context);
    if (options->encoding)
        return refuse(context, path, format, "has no text in an encoding");
    double firm;
    ez_phrase_option(options->phrases, &firm);
    if (ez_named_stemmer(options) || ez_named_lemmas(options) || options->ngrams > 1 || firm > 0)
        return refuse(context, path, format,
                      "has no text to stem, to lemmatise or to find phrases in");
    if (options->keep_order && format != EZ_FORMAT_EZC)
        return refuse(context, path, format, "gives no order of words to keep");
    if (options->keep_text > 0 && format != EZ_FORMAT_EZC)
        return refuse(context, path, format, "gives no text to keep");
    if (options->min_length != MIN_LENGTH || options->keep_case || options->keep_numbers ||
        options->tokens || options->keep_markup)
        return refuse(context, path, format, "has no text to cut into words");
    return EZLDA_OK;
}
