# Methods of the generics tidy, augment and glance. NAMESPACE registers them when the package generics is loaded.

#' Tidy a model
#'
#' Methods of the generics of the packages generics, broom and tidytext, which need not be installed.
#'
#' @param x A model.
#' @param matrix `"beta"`: one row per topic and word, with p(word | topic); `"gamma"`: one row per document and topic,
#'   with the topic's share.
#' @param log Whether to return logarithms.
#' @param data The documents; by default the corpus of the model.
#' @param ... Not used.
#' @return Data frames. `tidy()`: topic, term, beta; or document, topic, gamma. `augment()`: document, term, count and
#'   `.topic`, the most probable topic of the word in the document, one row per word of a document. `glance()`: one row
#'   of facts.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' if (requireNamespace("generics", quietly = TRUE)) {
#'   print(head(generics::tidy(model)))
#'   print(head(generics::tidy(model, matrix = "gamma")))
#'   print(head(generics::augment(model)))
#'   print(generics::glance(model))
#' }
#' @name tidiers
#' @aliases tidy.ezlda augment.ezlda glance.ezlda augment
NULL

#' @rdname tidiers
#' @exportS3Method generics::tidy
tidy.ezlda <- function(x, matrix = c("beta", "gamma"), log = FALSE, ...) {
  matrix <- match.arg(matrix)
  if (matrix == "beta") {
    values <- beta_matrix(x)
    found <- data.frame(topic = rep.int(seq_len(nrow(values)), ncol(values)),
                        term = rep(colnames(values), each = nrow(values)), beta = as.vector(values),
                        stringsAsFactors = FALSE)
  } else {
    values <- gamma_matrix(x)
    found <- data.frame(document = rep.int(rownames(values), ncol(values)),
                        topic = rep(seq_len(ncol(values)), each = nrow(values)), gamma = as.vector(values),
                        stringsAsFactors = FALSE)
  }
  if (log) found[[matrix]] <- log(found[[matrix]])
  found
}

#' @rdname tidiers
#' @exportS3Method generics::augment
augment.ezlda <- function(x, data = NULL, ...) {
  corpus <- if (is.null(data)) own_corpus(x, "data") else corpus_of(x, data)
  if (corpus$info$docs != x$info$docs) {
    fail("data: ", corpus$info$docs, " documents, but the model was trained on ", x$info$docs)
  }
  words <- corpus_words(corpus)
  counts <- .Call(r_corpus_counts, corpus$handle)
  topics <- .Call(r_model_assign, corpus$handle, .Call(r_model_gamma, x$handle), .Call(r_model_beta, x$handle),
                  match(words, model_words(x)))
  data.frame(document = corpus_names(corpus)[counts$doc], term = words[counts$word], count = counts$count,
             .topic = topics, stringsAsFactors = FALSE)
}

#' @rdname tidiers
#' @exportS3Method generics::glance
glance.ezlda <- function(x, ...) {
  i <- x$info
  data.frame(topics = i$topics, words = i$words, documents = i$docs, tokens = i$tokens, iterations = i$iterations,
             llpt = llpt(x), perplexity = 2^-llpt(x), alpha_sum = i$alpha_sum, beta = i$beta,
             topics_hash = i$topics_hash, stringsAsFactors = FALSE)
}
