# Files of models and corpora, models for other tools, and the report.

#' Read and write models and corpora
#'
#' The command and the Python package read and write the same files. A file replaces an earlier one of its name only
#' when it is complete. A corpus file (.ezc) is read by [ezlda_corpus()].
#'
#' @param model A model.
#' @param corpus A corpus.
#' @param path A file: .ezm for models, .ezc for corpora, by convention; or, for `read_mallet()`, a state that MALLET
#'   wrote with `--output-state`.
#' @return `read_model()`: a model, without its corpus. `read_mallet()`: a model with its corpus. The others return
#'   `path`, invisibly.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' path <- tempfile(fileext = ".ezm")
#' write_model(model, path)
#' read_model(path)
#' @name read_model
NULL

#' @rdname read_model
#' @export
read_model <- function(path) new_model(library_call(r_model_load, new_context(), check_path(path)))

#' @rdname read_model
#' @export
write_model <- function(model, path) {
  library_call(r_model_save, new_context(), check_model(model, "model")$handle, check_path(path))
  invisible(path)
}

#' @rdname read_model
#' @export
write_corpus <- function(corpus, path) {
  check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")
  library_call(r_corpus_save, new_context(), corpus$handle, check_path(path))
  invisible(path)
}

#' @rdname read_model
#' @export
read_mallet <- function(path) {
  both <- library_call(r_model_from_mallet, new_context(), check_path(path))
  new_model(both[[1]], corpus = new_corpus(both[[2]]))
}

#' Write a model for another tool
#'
#' @param model A model.
#' @param format `"mallet-state"`, `"mallet-keys"`, `"mallet-doc-topics"`, `"gensim"`, `"pyldavis-json"`, `"npz"` or
#'   `"csv"`. `"mallet-state"` needs the corpus, and a model that was trained with `keep_topics = TRUE`.
#' @param path A file; a folder for gensim and csv.
#' @param corpus The training corpus.
#' @param words Words per topic in formats that list them; 0: the default of `ezlda export`.
#' @return `path`, invisibly.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' export_model(model, "mallet-keys", tempfile())
#' @export
export_model <- function(model, format, path, corpus = model$corpus, words = 0) {
  check_model(model, "model")
  if (!is.character(format) || length(format) != 1) fail("format: expected one string, found ", found(format))
  library_call(r_model_export, new_context(), model$handle, format, check_path(path),
               check_whole(words, "words", 0, 2^32 - 1), corpus_handle(corpus))
  invisible(path)
}

corpus_handle <- function(corpus) {
  if (is.null(corpus)) return(NULL)
  check_class(corpus, "ezlda_corpus", "corpus", "a corpus of ezlda_corpus()")$handle
}

#' A model as LDAvis shows it
#'
#' @param model A model.
#' @param words Number of words per topic.
#' @return A string of JSON in the form of `LDAvis::createJSON()`, for `LDAvis::serVis()`. LDAvis numbers topics by
#'   their size: `topic.order` in the JSON has their numbers here.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' json <- to_ldavis(model)
#' \dontrun{
#' LDAvis::serVis(json)
#' }
#' @export
to_ldavis <- function(model, words = 30) {
  path <- tempfile(fileext = ".json")
  on.exit(unlink(path))
  export_model(model, "pyldavis-json", path, words = words)
  json <- readLines(path, encoding = "UTF-8", warn = FALSE)
  paste(json, collapse = "\n")
}

#' Write the report
#'
#' Writes one HTML page that shows the topics, their words and documents, for any browser, offline.
#'
#' @param model A model.
#' @param path The file to write.
#' @param corpus The training corpus. It adds scores, fields and the words of documents.
#' @param other Another model to compare with.
#' @param svg A folder to write pictures to; `NULL`: none.
#' @param title,other_title,created,words,docs,field Options of the command `ezlda report`, with its defaults.
#' @param open Whether to open the page in a browser.
#' @param ... For methods of the generic.
#' @return `path`, invisibly.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' report(model, tempfile(fileext = ".html"), open = FALSE)
#' @export
report <- function(model, path, ...) UseMethod("report")

#' @rdname report
#' @export
report.ezlda <- function(model, path, corpus = model$corpus, other = NULL, svg = NULL, title = NULL,
                         other_title = NULL, created = NULL, words = NULL, docs = NULL, field = NULL,
                         open = interactive(), ...) {
  if (...length()) fail("expected no other options, found ", names(list(...))[1])
  path <- check_path(path)
  options <- named_options(no_nulls(list(title = title, other_title = other_title, created = created, words = words,
                                         docs = docs, field = field)))
  compared <- if (!is.null(other)) check_model(other, "other")$handle
  write <- function(target, pictures) {
    library_call(r_report, new_context(), model$handle, corpus_handle(corpus), compared, options, target, pictures)
  }
  write(path, FALSE)
  if (!is.null(svg)) write(check_path(svg, "svg"), TRUE)
  if (open) browseURL(path)
  invisible(path)
}
