# Corpora: documents as bags of words, made from what R users have, and what can be done with them.

unit <- "\x1f" # ends each word of a text whose words are cut already; the library calls it tokens = "units"

new_corpus <- function(handle) {
  structure(list(handle = handle, info = .Call(r_corpus_info, handle)), class = "ezlda_corpus")
}

#' Make a corpus
#'
#' A corpus holds documents as bags of words, with a vocabulary, names and other fields. [ezlda()] makes one by itself;
#' make it yourself to use it several times, or to pass it to [report()], [search_k()] and [evaluate_model()].
#'
#' Every document keeps its row, even if it is empty. A missing text (`NA`, or `NULL` in a list) is an empty document.
#'
#' @param x One of
#' * a character vector of texts, whose names are the documents' names; or of paths of files and folders that exist, in
#'   any format that the command reads (see `input`);
#' * a data frame with a column of texts;
#' * a matrix of counts with documents in rows: a `dgCMatrix` or another matrix of the Matrix package, a `dfm` of
#'   quanteda, a `DocumentTermMatrix` or `TermDocumentMatrix` of tm, a `simple_triplet_matrix` of slam, or a dense
#'   matrix. Counts must be whole numbers from 0;
#' * a list of character vectors, the words of each document, which are used as they are, or a `tokens` of quanteda;
#' * a corpus of tm or quanteda;
#' * a corpus of this package, which is returned as it is.
#' @param ... Options of text, with the names and defaults of the command `ezlda import`, underscores instead of
#'   hyphens: `stopwords`, `stemmer`, `stem_below`, `min_length`, `ngrams`, `phrases`, `min_docs`, `max_docs_share`,
#'   `max_vocab`, `keep_case`, `keep_numbers`, `keep_order`, `keep_markup`, `split`, `tokens`; and of files: `format`,
#'   `encoding`, `vocab`, `text_field`, `name_field`, `label_field`, `keep_fields`, `unit`, `include`, `exclude`.
#'   `stopwords` is a string as for the command (`"en"`, `"german,extra.txt"`, `"auto"`, `"none"`), or the words
#'   themselves as a list or as several strings; `NULL` removes no word. A matrix of counts has no options.
#' @param input What a character vector holds: `"texts"`, `"files"`, or `"auto"`: files if all of them exist, or if
#'   there is one string that looks like a path; a message says so.
#' @param names,labels One name and one label per document. The names of a matrix are its row names.
#' @param fields More values to keep with the documents, as a named list; of a data frame, names of columns. The
#'   variables of a `dfm` are kept.
#' @param text,name,label Columns of a data frame. `name`: `"doc_id"` if it exists, or else the row names.
#' @param words Names of the columns of a matrix, all different. By default its column names, or else numbers.
#' @param tokenizer A function that cuts one text into words. They are used as they are; filters still apply.
#' @param like A model or a corpus: text is read as its text was.
#' @param like_limits With `like`: whether rare and common words are removed by its limits, too.
#' @param threads Number of threads; 0: one per processor, or `OMP_NUM_THREADS` if that is set.
#' @return An object of class `ezlda_corpus`. `$info` has its facts.
#' @seealso [ezlda()], [corpus_words()], [write_corpus()]
#' @examples
#' texts <- c(a = "The cat sat on the mat.", b = "The dog chased the cat.", c = NA)
#' corpus <- ezlda_corpus(texts)
#' corpus
#' corpus_words(corpus)
#'
#' counts <- matrix(c(2, 0, 1, 3), 2, dimnames = list(c("a", "b"), c("cat", "dog")))
#' ezlda_corpus(counts)
#' @export
ezlda_corpus <- function(x, ...) UseMethod("ezlda_corpus")

#' @rdname ezlda_corpus
#' @export
ezlda_corpus.ezlda_corpus <- function(x, ..., like = NULL, like_limits = NULL, threads = 0) {
  if (...length()) fail("x is a corpus already: expected no options of text, found ", names(list(...))[1])
  x
}

#' @rdname ezlda_corpus
#' @export
ezlda_corpus.character <- function(x, ..., input = c("auto", "texts", "files"), names = NULL, labels = NULL,
                                   fields = NULL, tokenizer = NULL, like = NULL, like_limits = NULL, threads = 0) {
  input <- match.arg(input)
  options <- list(...)
  variables <- if (inherits(x, "corpus")) attr(x, "docvars") else NULL # of quanteda
  if (input == "auto") input <- guess_input(x)
  if (input == "files") {
    given <- c("names", "labels", "fields")[!c(is.null(names), is.null(labels), is.null(fields))]
    if (length(given)) fail(given[1], ": files have fields of their own (name_field, label_field, keep_fields)")
    return(read_files(x, options, like, like_limits, threads))
  }
  if (is.null(names)) names <- if (is.null(variables$docname_)) names(x) else variables$docname_
  if (is.null(fields) && !is.null(variables)) fields <- own_variables(variables)
  from_texts(as.character(unclass(x)), names, labels, fields, options, tokenizer, like, like_limits, threads)
}

#' @rdname ezlda_corpus
#' @export
ezlda_corpus.data.frame <- function(x, ..., text = "text", name = NULL, label = NULL, fields = NULL,
                                    tokenizer = NULL, like = NULL, like_limits = NULL, threads = 0) {
  for (column in c(text, name, label, fields)) {
    if (!column %in% names(x)) {
      fail("the data frame has no column \"", column, "\"; it has ", paste0('"', names(x), '"', collapse = ", "))
    }
  }
  if (!is.character(x[[text]]) && !is.factor(x[[text]])) {
    fail("column \"", text, "\": expected texts, found ", found_class(x[[text]]))
  }
  if (is.null(name) && "doc_id" %in% names(x) && text != "doc_id") name <- "doc_id"
  from_texts(as.character(x[[text]]), if (is.null(name)) row.names(x) else x[[name]],
             if (is.null(label)) NULL else x[[label]], if (length(fields)) as.list(x)[fields],
             list(...), tokenizer, like, like_limits, threads)
}

#' @rdname ezlda_corpus
#' @export
ezlda_corpus.list <- function(x, ..., names = NULL, labels = NULL, fields = NULL, like = NULL, like_limits = NULL,
                              threads = 0) {
  if (inherits(x, c("simple_triplet_matrix", "tokens"))) {
    return(ezlda_corpus.default(x, ..., names = names, labels = labels, fields = fields, threads = threads))
  }
  if (inherits(x, "Corpus")) return(from_tm(x, ..., like = like, like_limits = like_limits, threads = threads))
  if (is.null(names)) names <- names(x)
  options <- list(...)
  for (i in seq_along(x)) {
    if (!is.null(x[[i]]) && !is.character(x[[i]])) {
      fail("document ", i, ": expected words as strings, found ", found(x[[i]]))
    }
  }
  x <- lapply(x, function(words) words[!is.na(words)])
  if (length(options)) {
    texts <- vapply(x, function(words) paste0(gsub("[\r\n]", " ", words), unit, collapse = ""), "")
    texts[lengths(x) == 0] <- ""
    options <- utils::modifyList(list(stopwords = "none", min_docs = 1, max_docs_share = 1), options,
                                 keep.null = TRUE)
    options$tokens <- "units"
    return(from_texts(texts, names, labels, fields, options, NULL, NULL, NULL, threads))
  }
  words <- as_utf8(as.character(unlist(x, use.names = FALSE)), "word")
  vocabulary <- unique(words)
  matrix <- list(dim = c(length(x), length(vocabulary)), row = rep.int(seq_along(x), lengths(x)), start = NULL,
                 column = match(words, vocabulary), value = rep.int(1L, length(words)))
  from_counts(matrix, vocabulary, names, labels, fields, threads)
}

#' @rdname ezlda_corpus
#' @export
ezlda_corpus.default <- function(x, ..., words = NULL, names = NULL, labels = NULL, fields = NULL, like = NULL,
                                 like_limits = NULL, threads = 0) {
  if (inherits(x, "Corpus")) return(from_tm(x, ..., like = like, like_limits = like_limits, threads = threads))
  if (inherits(x, "tokens")) {
    tokens <- from_quanteda(x, names, fields)
    return(ezlda_corpus.list(tokens$words, ..., names = tokens$names, labels = labels, fields = tokens$fields,
                             threads = threads))
  }
  matrix <- as_entries(x)
  if (...length()) fail("x is a matrix of counts: expected no options of text, found ", names(list(...))[1])
  if (is.null(words)) words <- matrix$words
  if (is.null(words)) words <- as.character(seq_len(matrix$dim[2]))
  if (is.null(names)) names <- matrix$names
  if (is.null(fields)) fields <- matrix$fields
  from_counts(matrix, words, names, labels, fields, threads)
}

# ---- kinds of sources ----

# "files" or "texts".
guess_input <- function(x) {
  short <- !is.na(x) & nchar(x, "bytes") < 4096
  if (!length(x) || !all(short)) return("texts")
  if (all(file.exists(path.expand(x)))) {
    message("reading ", length(x), if (length(x) == 1) " file" else " files", " (input = \"texts\" for texts)")
    return("files")
  }
  path <- length(x) == 1 && !grepl("[[:space:]]", x) && grepl("/|\\.[[:alnum:]]+$", x)
  if (path) "files" else "texts"
}

# The variables of a dfm or a corpus of quanteda that are the user's.
own_variables <- function(variables) {
  own <- as.list(variables)[!grepl("_$", names(variables)) & !names(variables) %in% c("text", "name", "label", "id")]
  own <- own[vapply(own, function(values) is.atomic(values), NA)]
  if (length(own)) own else NULL
}

# The words of a tokens object of quanteda, which has their numbers and their forms, and 0 for removed ones.
from_quanteda <- function(x, names, fields) {
  variables <- attr(x, "docvars")
  forms <- attr(x, "types")
  if (is.null(names)) names <- if (is.null(variables$docname_)) names(x) else as.character(variables$docname_)
  if (is.null(fields) && !is.null(variables)) fields <- own_variables(variables)
  list(words = lapply(unclass(x), function(numbers) forms[numbers[numbers > 0]]), names = names, fields = fields)
}

# A corpus of tm as texts.
from_tm <- function(x, ...) {
  if (!requireNamespace("tm", quietly = TRUE)) stop("a corpus of tm needs the package tm")
  texts <- vapply(seq_along(x), function(i) paste(as.character(x[[i]]), collapse = "\n"), "")
  ids <- vapply(seq_along(x), function(i) {
    id <- NLP::meta(x[[i]], "id")
    if (is.null(id)) "" else as.character(id)[1]
  }, "")
  ezlda_corpus.character(texts, ..., input = "texts", names = if (all(ids == "")) NULL else ids)
}

# A matrix of counts as a list of dim, row, start or column, value; and words, names and fields, if it has them.
as_entries <- function(x) {
  if (inherits(x, "simple_triplet_matrix")) return(triplet_entries(x))
  if (is.matrix(x) && (is.numeric(x) || is.logical(x))) return(dense_entries(x))
  if (isS4(x) && is(x, "Matrix")) {
    if (!is(x, "dgCMatrix")) x <- as_column_matrix(x)
    fields <- if ("docvars" %in% slotNames(x)) own_variables(slot(x, "docvars"))
    return(list(dim = x@Dim, row = x@i, start = x@p, column = NULL, value = x@x, words = x@Dimnames[[2]],
                names = x@Dimnames[[1]], fields = fields))
  }
  fail("x: expected texts, paths, a data frame, a matrix of counts or lists of words, found ", found_class(x))
}

as_column_matrix <- function(x) {
  if (!requireNamespace("Matrix", quietly = TRUE)) stop("a matrix of this class needs the package Matrix")
  as(as(as(x, "CsparseMatrix"), "generalMatrix"), "dMatrix")
}

triplet_entries <- function(x) {
  names <- x$dimnames
  if (inherits(x, "TermDocumentMatrix")) {
    return(list(dim = c(x$ncol, x$nrow), row = as.integer(x$j), start = NULL, column = as.integer(x$i),
                value = plain_values(x$v), words = names[[1]], names = names[[2]], fields = NULL))
  }
  list(dim = c(x$nrow, x$ncol), row = as.integer(x$i), start = NULL, column = as.integer(x$j),
       value = plain_values(x$v), words = names[[2]], names = names[[1]], fields = NULL)
}

dense_entries <- function(x) {
  at <- which(is.na(x) | x != 0, arr.ind = TRUE)
  list(dim = dim(x), row = unname(at[, 1]), start = NULL, column = unname(at[, 2]), value = plain_values(x[at]),
       words = colnames(x), names = rownames(x), fields = NULL)
}

plain_values <- function(v) if (is.integer(v)) as.integer(v) else as.numeric(v)

# ---- from a source to the library ----

import_options <- function(options) {
  if ("stopwords" %in% names(options)) options["stopwords"] <- list(stop_list(options[["stopwords"]]))
  for (name in c("text_field", "keep_fields")) {
    if (length(options[[name]]) > 1) options[[name]] <- paste(options[[name]], collapse = ",")
  }
  if (is.numeric(options[["split"]])) options[["split"]] <- plain_number(options[["split"]])
  if (is.numeric(options[["phrases"]])) options[["phrases"]] <- plain_number(options[["phrases"]])
  if (is.character(options[["vocab"]])) options[["vocab"]] <- path.expand(options[["vocab"]])
  named_options(options)
}

# Stop words as the library expects them. Words are written to a file, which is removed after the call.
stop_list <- function(words) {
  if (is.character(words) && length(words) == 1) return(words)
  words <- unlist(words)
  if (!length(words)) return("none")
  if (!is.character(words)) fail("stopwords: expected words, found ", found(words))
  path <- tempfile("stopwords")
  writeLines(as_utf8(words, "stop word"), path, useBytes = TRUE)
  structure(path, made = TRUE)
}

remove_made <- function(options) {
  path <- options[["stopwords"]]
  if (isTRUE(attr(path, "made"))) unlink(path)
}

like_handle <- function(like) {
  if (is.null(like)) return(NULL)
  if (!inherits(like, c("ezlda", "ezlda_corpus"))) {
    fail("like: expected a model or a corpus, found ", found_class(like))
  }
  like$handle
}

read_files <- function(paths, options, like, like_limits, threads) {
  options <- import_options(c(options, no_nulls(list(like_limits = like_limits))))
  on.exit(remove_made(options))
  paths <- as_utf8(path.expand(paths), "path")
  new_corpus(library_call(r_corpus_read, new_context(threads), paths, options, like_handle(like)))
}

from_texts <- function(texts, names, labels, fields, options, tokenizer, like, like_limits, threads) {
  texts <- plain(texts, "document")
  if (!length(texts)) fail("there are no documents")
  if (!is.null(tokenizer)) {
    texts <- cut_texts(texts, tokenizer)
    options$tokens <- "units"
  }
  columns <- c(list(text = texts), doc_fields(length(texts), names, labels, fields))
  extra <- setdiff(names(columns), c("text", "name", "label"))
  if (length(extra)) options$keep_fields <- paste(extra, collapse = ",")
  options <- import_options(c(options, no_nulls(list(like_limits = like_limits))))
  on.exit(remove_made(options))
  new_corpus(library_call(r_corpus_texts, new_context(threads), names(columns), unname(columns), options,
                          like_handle(like)))
}

cut_texts <- function(texts, tokenizer) {
  vapply(seq_along(texts), function(i) {
    words <- if (texts[i] == "") character() else tokenizer(texts[i])
    if (!is.character(words)) fail("document ", i, ": expected words as strings, found ", found(words))
    if (length(words)) paste0(as_utf8(words, "word"), unit, collapse = "") else ""
  }, "")
}

from_counts <- function(matrix, words, names, labels, fields, threads) {
  context <- new_context(threads)
  words <- as_utf8(as.character(words), "word")
  if (length(words) != matrix$dim[2]) fail(length(words), " words for ", matrix$dim[2], " columns")
  twice <- anyDuplicated(words)
  if (twice) fail("words: \"", words[twice], "\" names two columns; expected each word once")
  entries <- list(as.integer(matrix$dim), matrix$row, matrix$start, matrix$column, matrix$value)
  handle <- library_call(r_corpus_matrix, context, entries, words)
  kept <- doc_fields(matrix$dim[1], names, labels, fields)
  if (length(kept)) handle <- library_call(r_corpus_with_fields, context, handle, names(kept), unname(kept))
  new_corpus(handle)
}

# The fields of the documents as a list of strings.
doc_fields <- function(docs, names, labels, fields) {
  wrong <- intersect(names(fields), c("text", "name", "label", "id"))
  if (length(wrong)) fail("fields: ", wrong[1], " has an argument of its own")
  if (length(fields) && (is.null(names(fields)) || any(names(fields) == "" | grepl(",", names(fields))))) {
    fail("fields: expected a list of values with names without commas")
  }
  columns <- no_nulls(c(list(name = names, label = labels), as.list(fields)))
  columns <- Map(plain, columns, names(columns))
  for (column in names(columns)) {
    if (length(columns[[column]]) != docs) {
      fail(column, ": ", length(columns[[column]]), " values for ", docs, " documents")
    }
  }
  columns
}

# ---- what it holds, and other corpora ----

#' Look into a corpus
#'
#' @param x,corpus A corpus of [ezlda_corpus()].
#' @param name The name of a field: `"name"`, `"label"` or another that was kept.
#' @param i Numbers of documents, or a logical vector with one value per document.
#' @param share Share of the documents in the second corpus, above 0 and below 1.
#' @param seed The same seed gives the same split.
#' @param ... Not used.
#' @return `corpus_words()`: the words, in the order of their numbers. `corpus_field()`: the values of a field, one per
#'   document. `corpus_counts()`: a `dgCMatrix` of counts, documents in rows (needs the Matrix package).
#'   `split_corpus()`: a list of two corpora, `train` and `test`. `x[i]`: a corpus of some documents, with all words.
#'   `length(x)`: the number of documents.
#' @examples
#' corpus <- ezlda_corpus(c("apple pie", "apple tree", "pear tree", "pear pie"), stopwords = "none")
#' corpus_words(corpus)
#' length(corpus[2:3])
#' split_corpus(corpus, 0.25)$test
#' @name corpus_words
NULL

#' @rdname corpus_words
#' @export
corpus_words <- function(corpus) {
  .Call(r_corpus_words, check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")$handle)
}

#' @rdname corpus_words
#' @export
corpus_field <- function(corpus, name) {
  values <- .Call(r_corpus_field, check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")$handle,
                  as.character(name))
  if (is.null(values)) {
    fail("the corpus has no field \"", name, "\"; it has ",
         if (length(corpus$info$fields)) paste(corpus$info$fields, collapse = ", ") else "none")
  }
  values
}

#' @rdname corpus_words
#' @export
corpus_counts <- function(corpus) {
  check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")
  if (!requireNamespace("Matrix", quietly = TRUE)) stop("corpus_counts() needs the package Matrix")
  counts <- .Call(r_corpus_counts, corpus$handle)
  Matrix::sparseMatrix(counts$doc, counts$word, x = counts$count, dims = c(corpus$info$docs, corpus$info$words),
                       dimnames = list(corpus_names(corpus), corpus_words(corpus)))
}

# The names of the documents, numbers if they have none.
corpus_names <- function(corpus) {
  names <- if ("name" %in% corpus$info$fields) corpus_field(corpus, "name") else character()
  if (any(names != "")) names else as.character(seq_len(corpus$info$docs))
}

#' @rdname corpus_words
#' @export
split_corpus <- function(corpus, share = 0.1, seed = 1) {
  check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")
  both <- library_call(r_corpus_split, new_context(), corpus$handle, share, list(seed = seed))
  list(train = new_corpus(both[[1]]), test = new_corpus(both[[2]]))
}

#' @rdname corpus_words
#' @export
`[.ezlda_corpus` <- function(x, i) {
  docs <- seq_len(x$info$docs)
  if (is.logical(i) && length(i) != length(docs)) {
    fail("expected one value per document, ", length(docs), ", found ", length(i))
  }
  chosen <- docs[i]
  if (!is.numeric(i) && !is.logical(i) || anyNA(chosen)) {
    fail("expected numbers of documents from 1 to ", length(docs), ", found ", found(i))
  }
  new_corpus(library_call(r_corpus_select, new_context(), x$handle, as.numeric(chosen)))
}

#' @rdname corpus_words
#' @export
length.ezlda_corpus <- function(x) as.integer(x$info$docs)

#' @rdname corpus_words
#' @export
print.ezlda_corpus <- function(x, ...) {
  cat(sprintf("<ezlda_corpus: %s documents, %s words, %s tokens>\n", count_text(x$info$docs),
              count_text(x$info$words), count_text(x$info$tokens)))
  invisible(x)
}

count_text <- function(n) formatC(n, format = "d", big.mark = ",")

#' Draw a corpus from the model
#'
#' Draws documents from the LDA generative process, as the command `ezlda synth` does. The same options give the same
#' corpus on every machine.
#'
#' @param ... Options with the command's defaults: `docs` (10,000), `words` (10,000), `mean_length` (100), `sigma`
#'   (0.6), `topics` (100), `alpha` (5 / topics), `beta` (200), `zipf` (1), `seed` (1).
#' @return A corpus.
#' @examples
#' synthetic_corpus(docs = 100, words = 50, topics = 4)
#' @export
synthetic_corpus <- function(...) {
  new_corpus(library_call(r_corpus_synth, new_context(), named_options(list(...))))
}
