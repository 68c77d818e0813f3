/* How raw corpora are read: the options that import, train and info share. */
#include "cli.h"

#include <stddef.h>

static const char *const formats[] = {"ezc",          "uci",    "mm",   "ldac", "svmlight",
                                      "mallet-state", "mallet", "text", "dir",  "csv",
                                      "tsv",          "jsonl",  NULL};

#define IMPORT(field) .target = offsetof(ezlda_import_options, field)

const cli_option cli_import_options[] = {
    {.name = "format",
     .letter = 'f',
     .type = CLI_NAME,
     .argument = "FORMAT",
     IMPORT(format),
     .choices = formats,
     .unset = "recognised",
     .help = "format of the input: a corpus file of ours (ezc), bags of words (uci, Matrix Market, "
             "LDA-C, SVMlight or "
             "libsvm), the documents of a MALLET state, MALLET's lines of name, label and text, "
             "text with a document a "
             "line, a directory of files, or "
             "tables and JSON Lines with a text field"},
    {.name = "vocab",
     .type = CLI_TEXT,
     .argument = "FILE",
     IMPORT(vocab),
     .unset = "looked for beside the input",
     .help = "vocabulary of a bag of words, one word a line"},
    {.name = "encoding",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(encoding),
     .unset = "UTF-8",
     .help = "encoding of text: latin1, windows-1252, utf-16 or another name of iconv -l"},
    {.name = "text-field",
     .type = CLI_TEXT,
     .argument = "A,B,...",
     IMPORT(text_field),
     .unset = "text",
     .help =
         "column or field that holds the text, or several of which it is joined (csv, tsv, jsonl)"},
    {.name = "name-field",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(name_field),
     .unset = "id or name, else the line number",
     .help = "column or field that holds the document's name"},
    {.name = "label-field",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(label_field),
     .unset = "label, where present",
     .help = "column or field that holds the document's label"},
    {.name = "keep-fields",
     .type = CLI_TEXT,
     .argument = "A,B,...",
     IMPORT(keep_fields),
     .unset = "none",
     .help = "more columns or fields to keep with each document"},
    {.name = "stopwords",
     .type = CLI_TEXT,
     .argument = "LANGUAGES|FILE",
     IMPORT(stopwords),
     .unset = "auto",
     .help = "words to leave out: languages (en or de,fr), auto (the language is recognised), "
             "none, or a file with a "
             "word a line"},
    {.name = "stemmer",
     .type = CLI_TEXT,
     .argument = "LANGUAGE",
     IMPORT(stemmer),
     .unset = "words stay whole",
     .help = "reduce words to their stems, by Snowball's rules for a language (english); none: "
             "whole words"},
    {.name = "stem-below",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(stem_below),
     .most = UINT32_MAX,
     .unset = "all",
     .help = "stem only words in fewer than N documents"},
    {.name = "min-length",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(min_length),
     .most = 1000,
     .help = "shortest word kept, in characters"},
    {.name = "ngrams",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(ngrams),
     .least = 1,
     .most = 5,
     .help = "phrases of up to N neighbouring words too; 1: single words only"},
    {.name = "keep-case", .type = CLI_FLAG, IMPORT(keep_case), .help = "do not fold case"},
    {.name = "keep-numbers",
     .type = CLI_FLAG,
     IMPORT(keep_numbers),
     .help = "words may hold digits"},
    {0}};

const cli_option cli_filter_options[] = {
    {.name = "min-docs",
     .type = CLI_U64,
     .argument = "N",
     IMPORT(min_docs),
     .most = 1.8446744073709552e19,
     .help = "leave out words in fewer than N documents"},
    {.name = "max-docs-share",
     .type = CLI_REAL,
     .argument = "SHARE",
     IMPORT(max_docs_share),
     .most = 1,
     .help = "leave out words in more than this share of the documents, 0 to 1"},
    {.name = "max-vocab",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(max_vocab),
     .most = UINT32_MAX,
     .unset = "all",
     .help = "keep the N most frequent words only"},
    {0}};

const cli_option cli_order_options[] = {{.name = "keep-order",
                                         .type = CLI_FLAG,
                                         IMPORT(keep_order),
                                         .help =
                                             "keep the order of the words in each document, for "
                                             "coherence in windows (text only; corpus files keep "
                                             "theirs)"},
                                        {0}};
