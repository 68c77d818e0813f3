/* The option tables of reading raw corpora, shared by all commands that read them. */
#include "cli.h"

#include <stddef.h>

static const char *const formats[] = {"ezc",          "uci",    "mm",   "ldac", "svmlight",
                                      "mallet-state", "mallet", "text", "dir",  "csv",
                                      "tsv",          "jsonl",  NULL};

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
     .help = "format of the input: a corpus file made by import (ezc); bags of words (uci, Matrix "
             "Market, LDA-C, SVMlight or libsvm); the documents of a MALLET state; MALLET's lines "
             "of name, label and text; text with one document per line; a directory of files; "
             "tables or JSON Lines with a text field"},
    {.name = "vocab",
     .type = CLI_TEXT,
     .argument = "FILE",
     IMPORT(vocab),
     .unset = "searched for beside the input",
     .help = "vocabulary of a bag of words, one word per line"},
    {.name = "encoding",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(encoding),
     .unset = "UTF-8",
     .help = "encoding of text: latin1, windows-1252, utf-16 or another name that iconv -l lists"},
    {.name = "text-field",
     .type = CLI_TEXT,
     .argument = "A,B,...",
     IMPORT(text_field),
     .unset = "text",
     .help = "column or field with the text; several are joined (csv, tsv, jsonl)"},
    {.name = "name-field",
     .type = CLI_TEXT,
     .argument = "NAME",
     IMPORT(name_field),
     .unset = "id or name, else the line number",
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
    {.name = "tokens",
     .type = CLI_NAME,
     .argument = "WAY",
     IMPORT(tokens),
     .choices = cuttings,
     .unset = "auto",
     .help = "how text without spaces (Chinese, Japanese, Thai, Lao, Burmese, Khmer) is cut into "
             "words: by ICU's dictionaries, into pairs of characters, or not (spaces); auto: icu "
             "if installed, else pairs; pre: all text is cut already, at whitespace; units: at "
             "U+001F"},
    {.name = "stopwords",
     .type = CLI_TEXT,
     .argument = "LANGUAGES|FILE",
     IMPORT(stopwords),
     .unset = "auto",
     .help = "words to remove: languages (en or de,fr), auto (the language is detected), none, or "
             "a file of words"},
    {.name = "stemmer",
     .type = CLI_TEXT,
     .argument = "LANGUAGE",
     IMPORT(stemmer),
     .unset = "none",
     .help = "reduce words to their stems with Snowball's rules for a language (english); none: "
             "whole words"},
    {.name = "stem-below",
     .type = CLI_U32,
     .argument = "N",
     IMPORT(stem_below),
     .most = UINT32_MAX,
     .unset = "all",
     .help = "stem only words that occur in fewer than N documents"},
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
    {.name = "keep-case",
     .type = CLI_FLAG,
     IMPORT(keep_case),
     .help = "do not turn words into lower case"},
    {.name = "keep-numbers",
     .type = CLI_FLAG,
     IMPORT(keep_numbers),
     .help = "allow digits in words"},
    {0}};

const cli_option cli_filter_options[] = {
    {.name = "min-docs",
     .type = CLI_U64,
     .argument = "N",
     IMPORT(min_docs),
     .most = 1.8446744073709552e19,
     .help = "remove words that occur in fewer than N documents"},
    {.name = "max-docs-share",
     .type = CLI_REAL,
     .argument = "SHARE",
     IMPORT(max_docs_share),
     .most = 1,
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
