# Models: topics, words, shares of documents and inference, with the names that users of topicmodels know.

check_model <- function(model, name = "object") check_class(model, "ezlda", name, "a model of ezlda()")

model_words <- function(model) .Call(r_model_words, model$handle)

# The names of the training documents; numbers if they have none.
doc_names <- function(model) {
  names <- .Call(r_model_names, model$handle)
  if (any(names != "")) names else as.character(seq_along(names))
}

model_numbers <- function(model, what) .Call(r_model_numbers, model$handle, what)

check_topic <- function(model, topic) {
  if (is.null(topic)) return(seq_len(model$info$topics))
  for (number in topic) check_whole(number, "topic", 1, model$info$topics)
  topic
}

llpt <- function(model) {
  scored <- model$history$llpt[!is.nan(model$history$llpt)]
  if (length(scored)) scored[length(scored)] else NaN
}

#' @export
print.ezlda <- function(x, ...) {
  i <- x$info
  cat(sprintf("<ezlda: %s topics, %s words, %s documents, %s iterations, LLPT %.4f>\n", count_text(i$topics),
              count_text(i$words), count_text(i$docs), count_text(i$iterations), llpt(x)))
  invisible(x)
}

#' Summarise a model
#'
#' @param object,x A model, or its summary.
#' @param n Number of words per topic.
#' @param ... Not used.
#' @return An object with the facts of the model and a data frame `topics`, the largest topic first.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' summary(model)
#' @export
summary.ezlda <- function(object, n = 8, ...) {
  tokens <- model_numbers(object, "topic_tokens")
  words <- vapply(first_words(object, n), paste, "", collapse = " ")
  table <- data.frame(topic = seq_along(tokens), share = tokens / max(sum(tokens), 1),
                      alpha = model_numbers(object, "alpha"), words = words, stringsAsFactors = FALSE)
  structure(list(info = object$info, llpt = llpt(object), topics = table[order(-table$share), ], call = object$call),
            class = "summary.ezlda")
}

#' @rdname summary.ezlda
#' @export
print.summary.ezlda <- function(x, ...) {
  i <- x$info
  cat(sprintf("%s topics, %s words, %s documents, %s tokens\n", count_text(i$topics), count_text(i$words),
              count_text(i$docs), count_text(i$tokens)))
  cat(sprintf("%s iterations, LLPT %.4f, alpha sum %.4g, beta %.4g, hash %s\n", count_text(i$iterations), x$llpt,
              i$alpha_sum, i$beta, i$topics_hash))
  if (nzchar(i$stopped)) cat(i$stopped, "\n", sep = "")
  t <- x$topics
  cat("\n topic   share    alpha  words\n")
  cat(sprintf("%6d  %5.2f %%  %7.4g  %s\n", t$topic, 100 * t$share, t$alpha, t$words), sep = "")
  invisible(x)
}

#' The first words of a topic
#'
#' @param model A model.
#' @param topic Numbers of topics, from 1; `NULL`: all.
#' @param n Number of words per topic. Words without a token in the topic are not listed.
#' @param order `"probability"`; `"relevance"`, which weighs probability by `lambda` and lift by the rest; or `"lift"`,
#'   which is p(word | topic) / p(word).
#' @param lambda From 0 to 1.
#' @return A data frame: topic, term, tokens (in the topic), probability and score (the value of the order).
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' top_words(model, 1, 5, order = "relevance")
#' @export
top_words <- function(model, topic = NULL, n = 10, order = c("probability", "relevance", "lift"), lambda = 0.6) {
  check_model(model, "model")
  by <- match(match.arg(order), c("probability", "relevance", "lift")) - 1L
  context <- new_context()
  lists <- lapply(check_topic(model, topic), function(k) {
    found <- library_call(r_model_top, context, model$handle, k, by, lambda, n)
    data.frame(topic = rep.int(as.integer(k), length(found$name)), term = found$name, tokens = found$tokens,
               probability = found$probability, score = found$score, stringsAsFactors = FALSE)
  })
  do.call(rbind, lists)
}

# The first n words of each topic, as a list.
first_words <- function(model, n) {
  found <- top_words(model, n = n)
  unname(split(found$term, factor(found$topic, seq_len(model$info$topics))))
}

#' Words of topics and topics of documents
#'
#' `terms()` and `topics()` work as in the topicmodels package.
#'
#' @param x A model.
#' @param k Number of words of each topic, or of topics of each document.
#' @param threshold If given: all words with at least this probability, or all topics with at least this share.
#' @param ... For methods of the generic.
#' @return With `k = 1` a vector, else a matrix with one column per topic or per document. With `threshold`, a list.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' terms(model, 4)
#' topics(model)[1:5]
#' topics(model, threshold = 0.4)[1:2]
#' @export
topics <- function(x, k = 1, threshold, ...) UseMethod("topics")

#' @rdname topics
#' @export
topics.ezlda <- function(x, k = 1, threshold, ...) {
  shares <- gamma_matrix(x)
  if (missing(threshold)) return(most_likely(shares, k))
  above(shares, threshold)
}

#' @rdname topics
#' @export
terms.ezlda <- function(x, k = 1, threshold, ...) {
  if (!missing(threshold)) {
    beta <- beta_matrix(x)
    rownames(beta) <- paste("Topic", seq_len(nrow(beta)))
    return(lapply(above(beta, threshold), function(words) colnames(beta)[words]))
  }
  k <- check_whole(k, "k", 1, x$info$words)
  words <- vapply(first_words(x, k), function(found) c(found, rep.int(NA_character_, k - length(found))), character(k))
  titles <- paste("Topic", seq_len(x$info$topics))
  if (k == 1) return(setNames(words, titles))
  dimnames(words) <- list(NULL, titles)
  words
}

# The columns with the k largest values of each row, ties by number.
most_likely <- function(shares, k) {
  k <- check_whole(k, "k", 1, ncol(shares))
  if (k == 1) return(setNames(max.col(shares, ties.method = "first"), rownames(shares)))
  found <- apply(shares, 1, function(row) order(-row)[seq_len(k)])
  dimnames(found) <- list(NULL, rownames(shares))
  found
}

above <- function(shares, threshold) {
  if (!is.numeric(threshold) || length(threshold) != 1 || is.na(threshold)) {
    fail("threshold: expected a number, found ", found(threshold))
  }
  lists <- lapply(seq_len(nrow(shares)), function(i) {
    at <- which(shares[i, ] >= threshold)
    unname(at[order(-shares[i, at])])
  })
  setNames(lists, rownames(shares))
}

beta_matrix <- function(model) {
  beta <- .Call(r_model_beta, model$handle)
  dimnames(beta) <- list(as.character(seq_len(nrow(beta))), model_words(model))
  beta
}

gamma_matrix <- function(model) {
  gamma <- .Call(r_model_gamma, model$handle)
  dimnames(gamma) <- list(doc_names(model), as.character(seq_len(ncol(gamma))))
  gamma
}

#' Shares of topics and probabilities of words
#'
#' @param object A model.
#' @param newdata New documents, anything that [predict()][predict.ezlda] accepts; `NULL`: the training documents.
#' @param ... Options of [predict()][predict.ezlda].
#' @return A list, as in the topicmodels package: `terms`, p(word | topic), topics by words; `topics`, the shares of
#'   topics, documents by topics.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' posterior(model)$topics[1:3, ]
#' @export
posterior <- function(object, newdata = NULL, ...) UseMethod("posterior")

#' @rdname posterior
#' @export
posterior.ezlda <- function(object, newdata = NULL, ...) {
  list(terms = beta_matrix(object), topics = predict(object, newdata, ...))
}

# Documents as a corpus: texts are read as those of the model were.
corpus_of <- function(model, newdata, threads = 0) {
  if (inherits(newdata, "ezlda_corpus")) return(newdata)
  if (is.character(newdata) || is.data.frame(newdata) || inherits(newdata, "Corpus") ||
        inherits(newdata, "tokens")) {
    return(ezlda_corpus(newdata, like = model, threads = threads))
  }
  if (is.list(newdata) && !inherits(newdata, "simple_triplet_matrix")) {
    return(ezlda_corpus(newdata, threads = threads))
  }
  matrix <- as_entries(newdata)
  if (!is.null(matrix$words)) return(ezlda_corpus(newdata, threads = threads))
  if (matrix$dim[2] != model$info$words) {
    fail("the matrix has ", matrix$dim[2], " columns without names, the model ", model$info$words, " words")
  }
  from_counts(matrix, model_words(model), matrix$names, NULL, matrix$fields, threads)
}

#' Infer the topics of new documents
#'
#' The row of a document depends only on the model, its words and the seed, not on its number or on other documents.
#'
#' @param object A model.
#' @param newdata Texts, which are read as the model's were; paths, a data frame, lists of words or a matrix of counts.
#'   The columns of a matrix are matched by name, or by number if they have none. `NULL`: the training documents.
#' @param type `"shares"`: shares of topics, which sum to 1; `"counts"`: counts plus alpha; `"class"`: the largest
#'   topic.
#' @param iterations Passes over the documents.
#' @param seed The same seed gives the same rows.
#' @param samples,thin Samples that are averaged, and iterations between them; `NULL`: chosen.
#' @param device,threads As for [ezlda()].
#' @param device_memory,batch Bytes of device memory, and tokens that are sampled together; `NULL`: chosen.
#' @param progress Whether to print how many documents are done; `NULL`: in interactive sessions.
#' @param ... Not used.
#' @return A matrix, documents by topics, or with `type = "class"` a vector. A warning of class `ezlda_unknown_words` is
#'   given if the model knows less than half of the tokens.
#' @examples
#' texts <- c("apple pie and apple cake", "pear cake", "iron and steel", "steel pipes of iron")
#' model <- ezlda(texts, 2, 50)
#' predict(model, c(new = "an apple in steel"))
#' @export
predict.ezlda <- function(object, newdata = NULL, type = c("shares", "counts", "class"), iterations = 100, seed = 1,
                          samples = NULL, thin = NULL, device = "auto", threads = 0, device_memory = NULL,
                          batch = NULL, progress = NULL, ...) {
  type <- match.arg(type)
  if (...length()) fail("expected no other options, found ", names(list(...))[1])
  if (is.null(newdata)) {
    shares <- gamma_matrix(object)
    if (type == "counts") shares <- shares * (model_numbers(object, "doc_tokens") + object$info$alpha_sum)
  } else {
    corpus <- corpus_of(object, newdata, threads)
    options <- named_options(no_nulls(list(iterations = iterations, seed = seed, samples = samples, thin = thin,
                                           device = device, device_memory = device_memory, batch = batch)))
    watch <- doc_watch(progress)
    found <- library_call(r_infer, new_context(threads), object$handle, corpus$handle, options, type == "counts",
                          watch$call, watch = watch)
    watch$done()
    warn_of_unknown(found)
    shares <- found$shares
    dimnames(shares) <- list(corpus_names(corpus), as.character(seq_len(ncol(shares))))
  }
  if (type == "class") most_likely(shares, 1) else shares
}

doc_watch <- function(progress) {
  if (is.null(progress)) progress <- interactive()
  shown <- FALSE
  act <- function(figures) {
    shown <<- TRUE
    cat(sprintf("\r%.0f of %.0f documents   ", figures[1], figures[2]), file = stderr())
    FALSE
  }
  watch <- watch_progress(if (isTRUE(progress)) act)
  watch$done <- function() if (shown) cat("\n", file = stderr())
  watch
}

warn_of_unknown <- function(facts) {
  if (facts$tokens < facts$unknown_tokens) {
    warn(sprintf("the model knows %s of the %s tokens: are its words those of the documents?",
                 count_text(facts$tokens), count_text(facts$tokens + facts$unknown_tokens)), "ezlda_unknown_words")
  }
}

#' Documents that represent topics
#'
#' Lists the documents with the largest shares of each topic, as `findThoughts()` of the stm package does.
#'
#' @param model A model.
#' @param texts The texts of the training documents, or `NULL`: then the result has no column of texts.
#' @param topic Numbers of topics; `NULL`: all.
#' @param n Number of documents per topic. Documents without a token in the topic are not listed.
#' @return A data frame: topic, document (its number), name, tokens (of the topic), share, and text.
#' @examples
#' texts <- c("apple pie and apple cake", "pear cake", "iron and steel", "steel pipes of iron")
#' find_thoughts(ezlda(texts, 2, 50), texts, n = 1)
#' @export
find_thoughts <- function(model, texts = NULL, topic = NULL, n = 3) {
  check_model(model, "model")
  if (!is.null(texts) && length(texts) != model$info$docs) {
    fail("texts: ", length(texts), " values for ", model$info$docs, " documents")
  }
  context <- new_context()
  lists <- lapply(check_topic(model, topic), function(k) {
    top <- library_call(r_model_top, context, model$handle, k, -1L, 0, n)
    data.frame(topic = rep.int(as.integer(k), length(top$name)), document = as.integer(top$id), name = top$name,
               tokens = top$tokens, share = top$probability, stringsAsFactors = FALSE)
  })
  found <- do.call(rbind, lists)
  if (!is.null(texts)) found$text <- as.character(texts)[found$document]
  found
}
