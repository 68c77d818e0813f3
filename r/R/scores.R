# Scores of models: log-likelihood, perplexity, coherence, and the comparison of two models.

measure_bits <- c(llpt = 1, completion = 2, left_to_right = 4, coherence = 8)

#' Score a model
#'
#' @param model A model.
#' @param newdata Documents, anything that [predict()][predict.ezlda] accepts. For all measures but coherence they
#'   should be new to the model. `NULL`: the training corpus.
#' @param measures Some of `"llpt"`, `"completion"`, `"left_to_right"` and `"coherence"`.
#' @param ... Options of the command `ezlda eval`, with its defaults: `seed`, `iterations`, `samples`, `thin`,
#'   `particles`, `resample`, `docs`, `doc_tokens`, `words`, `npmi_window`, `c_v_window`, `whole_windows`, `device`,
#'   `device_memory`.
#' @param threads As for [ezlda()].
#' @return A list: numbers of documents and tokens, `completion` and `left_to_right` (perplexity, its error, and the
#'   perplexity of word frequencies), `npmi`, `u_mass`, `c_v`, `diversity`, `exclusivity` (means), and a data frame
#'   `topics`. The values of measures that were not asked for are `NaN`, or missing.
#' @examples
#' both <- split_corpus(synthetic_corpus(docs = 300, words = 100, topics = 4))
#' model <- ezlda(both$train, 4, 50)
#' evaluate_model(model, both$test, "completion")$completion$perplexity
#' @export
evaluate_model <- function(model, newdata = NULL, measures = c("completion", "coherence"), ..., threads = 0) {
  check_model(model, "model")
  if (!length(measures) || !all(measures %in% names(measure_bits))) {
    fail("measures: expected some of ", paste(names(measure_bits), collapse = ", "), ", found ", found(measures))
  }
  corpus <- if (is.null(newdata)) own_corpus(model, "newdata") else corpus_of(model, newdata, threads)
  options <- named_options(no_nulls(list(...)))
  options$measures <- sum(measure_bits[unique(measures)])
  scores <- library_call(r_evaluate, new_context(threads), model$handle, corpus$handle, options)
  if (scores$stopped) raise_interrupt()
  warn_of_unknown(scores)
  if (!is.null(scores$topics)) {
    scores$topics <- as.data.frame(scores$topics)
    names(scores$topics) <- c("topic", "u_mass", "npmi", "c_v", "exclusivity", "words", "missing")
  }
  no_nulls(scores[names(scores) != ""])
}

own_corpus <- function(model, name) {
  if (is.null(model$corpus)) fail(name, ": this model does not have its corpus; expected the documents")
  model$corpus
}

#' Log-likelihood and perplexity
#'
#' `logLik()` is that of the training tokens under the topics of their documents after the last iteration.
#' `perplexity()` without `newdata` is computed from it. With `newdata` it is the perplexity of one half of each
#' document given the other half (completion), or of whole documents (left-to-right): the topics of new documents are
#' never fitted to the tokens that are scored.
#'
#' @param object A model.
#' @param newdata New documents, anything that [predict()][predict.ezlda] accepts.
#' @param method `"completion"` or `"left_to_right"`.
#' @param ... Options of [evaluate_model()].
#' @return `logLik()`: an object of class `logLik`, whose `df` is the number of topics times words. `perplexity()`: a
#'   number; with `newdata` its attribute `"error"` is the standard error over documents.
#' @examples
#' both <- split_corpus(synthetic_corpus(docs = 300, words = 100, topics = 4))
#' model <- ezlda(both$train, 4, 50)
#' logLik(model)
#' perplexity(model)
#' perplexity(model, both$test)
#' @export
perplexity <- function(object, newdata = NULL, ...) UseMethod("perplexity")

#' @rdname perplexity
#' @export
perplexity.ezlda <- function(object, newdata = NULL, method = c("completion", "left_to_right"), ...) {
  method <- match.arg(method)
  if (is.null(newdata)) return(2^-llpt(object))
  found <- evaluate_model(object, newdata, method, ...)[[method]]
  if (is.null(found)) return(NaN)
  structure(found$perplexity, error = found$error)
}

#' @rdname perplexity
#' @export
logLik.ezlda <- function(object, ...) {
  structure(llpt(object) * object$info$tokens * log(2), df = object$info$topics * object$info$words,
            nobs = object$info$docs, class = "logLik")
}

#' Coherence of topics
#'
#' @param object A model.
#' @param newdata Documents in which words are counted; `NULL`: the corpus of the model.
#' @param measure `"npmi"`, `"u_mass"`, `"c_v"` or `"exclusivity"`.
#' @param ... Options of [evaluate_model()], such as `words`, the number of first words of each topic.
#' @return One number per topic; `NaN` if a topic has no value.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 300, words = 100, topics = 4), 4, 50)
#' coherence(model)
#' @export
coherence <- function(object, ...) UseMethod("coherence")

#' @rdname coherence
#' @export
coherence.ezlda <- function(object, newdata = NULL, measure = c("npmi", "u_mass", "c_v", "exclusivity"), ...) {
  measure <- match.arg(measure)
  topics <- evaluate_model(object, newdata, "coherence", ...)$topics
  setNames(topics[[measure]], topics$topic)
}

#' Compare two models
#'
#' Matches the topics of two models one to one. Words are matched by their text.
#'
#' @param a,b Models.
#' @param threshold Least similarity of a pair, 0 to 1.
#' @param words Number of first words that are compared.
#' @return A data frame of pairs: a, b, similarity, shared_words, jaccard. The attributes `"alone_a"` and `"alone_b"`
#'   are topics without a partner, `"mean_similarity"` is that of the pairs.
#' @examples
#' corpus <- synthetic_corpus(docs = 300, words = 100, topics = 4)
#' match_models(ezlda(corpus, 4, 50), ezlda(corpus, 4, 50, seed = 2))
#' @export
match_models <- function(a, b, threshold = 0.4, words = 10) {
  check_model(a, "a")
  check_model(b, "b")
  found <- library_call(r_match_models, new_context(), a$handle, b$handle, threshold, words)
  pairs <- as.data.frame(found$pairs)
  names(pairs) <- c("a", "b", "similarity", "shared_words", "jaccard")
  structure(pairs, alone_a = found$alone_a, alone_b = found$alone_b, mean_similarity = found$mean_similarity)
}
