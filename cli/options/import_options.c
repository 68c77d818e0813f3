/* The option tables of reading raw corpora, shared by all commands that read them. */
#include "cli.h"

#include <stddef.h>

static const char *const formats[] = {"ezc",          "uci",    "mm",   "ldac", "svmlight", "hdf5",
                                      "mallet-state", "mallet", "text", "dir",  "csv",      "tsv",
                                      "jsonl",        "json",   "html", "xml",  "markdown", NULL};

static const char *const units[] = {"lines", "files", NULL};

static const char *const cuttings[] = {"auto", "icu", "pairs", "spaces", "pre", "units", NULL};

#define IMPORT(field) .target = offsetof(ezlda_import_options, field)

const cli_option cli_import_options[] = {
    {.name = "format",
     .letter = 'f',
     .type = CLI_NAME,
     .argument = "FORMAT",
     IMPORT(format),
     .choices = formats,
     .unset = "detected",
     .help =
         "format of the input: a corpus file (ezc), bags of words, MALLET's state or lines, plain "
         "text, HTML, XML (TEI), Markdown, a folder or ZIP archive of files, tables and JSON with "
         "a "
         "text field, single cells (hdf5: AnnData or Cell Ranger)"},
    {.name = "vocab",
     .type = CLI_TEXT,
     .argument = "FILE",
     IMPORT(vocab),
     .unset = "looked for beside the input",
     .help = "vocabulary of a bag of words, one word per line"},
    {.name = "encoding",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(encoding),
     .unset = "found for each file",
     .help = "encoding of text: utf-8, latin1, windows-1252, utf-16 or another name that iconv -l "
             "lists"},
    {.name = "text-field",
     .type = CLI_TEXT,
     .argument = "A,B,...",
     IMPORT(text_field),
     .unset = "text, else guessed",
     .help = "column or field with the text; several are joined (csv, tsv, JSON, pages; nested: "
             "a.b, a[0].b)"},
    {.name = "name-field",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(name_field),
     .unset = "id or name, else the line number or file",
     .help = "column or field with the document's name"},
    {.name = "label-field",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(label_field),
     .unset = "label, if present",
     .help = "column or field with the document's label"},
    {.name = "keep-fields",
     .type = CLI_TEXT,
     .argument = "A,B,...",
     IMPORT(keep_fields),
     .unset = "none",
     .help = "other columns or fields to keep with each document"},
    {.name = "unit",
     .type = CLI_NAME,
     .argument = "UNIT",
     IMPORT(unit),
     .choices = units,
     .unset = "files for several files of running text",
     .help = "what one document of plain text is"},
    {.name = "split",
     .type = CLI_TEXT,
     .argument = "WORDS|blank",
     IMPORT(split),
     .unset = "not split",
     .help = "cut texts into documents of about WORDS words, or at empty lines"},
    {.name = "include",
     .type = CLI_TEXT,
     .argument = "GLOB,...",
     IMPORT(include),
     .unset = "all",
     .help = "files of folders and ZIP archives to read"},
    {.name = "exclude",
     .type = CLI_TEXT,
     .argument = "GLOB,...",
     IMPORT(exclude),
     .unset = "none",
     .help = "files or folders to skip"},
    {.name = "tokens",
     .type = CLI_NAME,
     .argument = "WAY",
     IMPORT(tokens),
     .choices = cuttings,
     .unset = "auto",
     .help = "how text without spaces (Chinese, Japanese, Thai, Lao, Burmese, Khmer) is cut into "
             "words: by ICU's dictionaries, into pairs of characters, or not (spaces); auto: icu "
             "if installed, else pairs; pre: all text is split already, at whitespace; units: at "
             "U+001F"},
    {.name = "stopwords",
     .type = CLI_TEXT,
     .argument = "LANGUAGES|FILE",
     IMPORT(stopwords),
     .unset = "auto",
     .help = "words to remove: languages (en or de,fr; see 'ezlda help languages'), a file of "
             "words, auto (by each document's language), corpus (words that the corpus spreads "
             "evenly), none"},
    {.name = "stemmer",
     .type = CLI_TEXT,
     .argument = "LANGUAGE",
     IMPORT(stemmer),
     .unset = "none",
     .help = "merge words that have the same stem, by Snowball's rules for a language (english); "
             "none: whole words"},
    {.name = "stem-below",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(stem_below),
     .most = UINT32_MAX,
     .unset = "all",
     .help = "stem only words that occur in fewer than N documents"},
    {.name = "lemmas",
     .type = CLI_TEXT,
     .argument = "LANGUAGE|FILE",
     IMPORT(lemmas),
     .unset = "none",
     .help =
         "replace words by their lemmas (houses: house): a file with lines of a form, a tab and "
         "its lemma, or a language with a table in ~/.local/share/ezlda/lemmas; none: whole "
         "words"},
    {.name = "min-length",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(min_length),
     .most = 1000,
     .help = "shortest word to keep, in characters; a Chinese character counts as two"},
    {.name = "ngrams",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(ngrams),
     .least = 1,
     .most = 5,
     .help = "also keep phrases of up to N neighbouring words, N at most 5; 1: single words only"},
    {.name = "phrases",
     .type = CLI_TEXT,
     .argument = "auto|none|N",
     IMPORT(phrases),
     .unset = "none",
     .help = "join neighbouring words that belong together (new_york): those with an NPMI of at "
             "least N, 0 to 1 (auto: 0.5)"},
    {.name = "keep-case",
     .type = CLI_FLAG,
     IMPORT(keep_case),
     .help = "do not turn words into lower case"},
    {.name = "keep-numbers",
     .type = CLI_FLAG,
     IMPORT(keep_numbers),
     .help = "allow digits in words"},
    {.name = "keep-markup",
     .type = CLI_FLAG,
     IMPORT(keep_markup),
     .help = "keep tags, character entities, URLs, e-mail addresses and encoded data in text; read "
             "HTML, XML and Markdown as plain text"},
    {0}};

const cli_option cli_filter_options[] = {
    {.name = "min-docs",
     .type = CLI_U64,
     .argument = "N",
     IMPORT(min_docs),
     .least = 1,
     .most = 1.8446744073709552e19,
     .unset = "text: 2 if there are 100 documents or more, 3 if there are 1,000; else 1",
     .help = "remove words that occur in fewer than N documents"},
    {.name = "max-docs-share",
     .type = CLI_POSITIVE,
     .argument = "SHARE",
     IMPORT(max_docs_share),
     .most = 1,
     .unset = "text: 0.5 from 100 documents; else 1",
     .help = "remove words that occur in more than this share of the documents, 0 to 1"},
    {.name = "max-vocab",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(max_vocab),
     .most = UINT32_MAX,
     .unset = "all",
     .help = "keep only the N most frequent words"},
    {0}};

const cli_option cli_order_options[] = {
    {.name = "keep-order",
     .type = CLI_FLAG,
     IMPORT(keep_order),
     .help = "keep the order of the words in each document, for coherence in windows (text only; a "
             "corpus file keeps the order it has)"},
    {0}};

const cli_option cli_text_options[] = {
    {.name = "keep-text",
     .type = CLI_FLAG,
     IMPORT(keep_text),
     .help = "keep the text of each document, compressed, for 'ezlda report' and 'ezlda serve'; by "
             "default if all texts together have at most 64 MiB"},
    {.name = "no-keep-text",
     .type = CLI_FLAG,
     .off = true,
     IMPORT(keep_text),
     .help = "do not keep the text"},
    {0}};
