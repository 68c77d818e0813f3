# Pictures in base graphics: sizes of topics with their words, words of topics, the course of a run, a search.

#' Draw a model or a search
#'
#' @param x A model, or a search of [search_k()].
#' @param type `"summary"`: the shares of topics, the largest first, with their first words; `"words"`: the
#'   probabilities of the first words of topics; `"history"`: the log-likelihood per token of the iterations that were
#'   scored (`eval_every`), or the share of tokens whose topic changed if only one was.
#' @param n Number of words per topic.
#' @param topic Numbers of topics; `NULL`: all, or the six largest for `"words"`.
#' @param measure Of a search: any column of its rows.
#' @param main,xlab,ylab Titles.
#' @param ... Arguments of [graphics::plot()] or [graphics::barplot()].
#' @return `x`, invisibly.
#' @examples
#' model <- ezlda(synthetic_corpus(docs = 100, words = 50, topics = 3), 3, 20)
#' plot(model)
#' plot(model, "words", n = 5)
#' plot(model, "history")
#' @export
plot.ezlda <- function(x, type = c("summary", "words", "history"), n = 5, topic = NULL, main = NULL, ...) {
  type <- match.arg(type)
  chosen <- check_topic(x, topic)
  switch(type,
         summary = plot_shares(x, chosen, n, if (is.null(main)) "Topics" else main, ...),
         words = plot_words(x, if (is.null(topic)) head(order(-model_numbers(x, "topic_tokens")), 6) else chosen, n, ...),
         history = plot_history(x, if (is.null(main)) "Training" else main, ...))
  invisible(x)
}

plot_shares <- function(x, topics, n, main, ...) {
  tokens <- model_numbers(x, "topic_tokens")
  shares <- (tokens / max(sum(tokens), 1))[topics]
  topics <- topics[order(-shares)]
  shares <- sort(shares, decreasing = TRUE)
  rows <- rev(seq_along(topics))
  plot(shares, rows, type = "n", xlim = c(0, 2 * max(shares, 1e-9)), yaxt = "n", xlab = "share of all tokens", ylab = "",
       main = main, bty = "n", ...)
  for (i in seq_along(topics)) {
    lines(c(0, shares[i]), rows[c(i, i)], lwd = 2)
    words <- paste(top_words(x, topics[i], n)$term, collapse = ", ")
    text(shares[i], rows[i], paste0(topics[i], ": ", words), pos = 4, cex = 0.8, xpd = NA)
  }
}

plot_words <- function(x, topics, n, ...) {
  columns <- min(3, length(topics))
  old <- par(mfrow = c(ceiling(length(topics) / columns), columns), mar = c(3, 7, 2, 1))
  on.exit(par(old))
  for (k in topics) {
    words <- top_words(x, k, n)
    barplot(rev(words$probability), names.arg = rev(words$term), horiz = TRUE, las = 1, main = paste("Topic", k), ...)
  }
}

plot_history <- function(x, main, ...) {
  scored <- x$history[!is.nan(x$history$llpt), ]
  if (nrow(scored) > 1 || is.null(x$history$moved)) {
    plot(scored$iteration, scored$llpt, type = if (nrow(scored) > 1) "l" else "p", xlab = "iteration",
         ylab = "log2-likelihood per token", main = main, ...)
  } else {
    plot(x$history$iteration, 100 * x$history$moved, type = "l", xlab = "iteration",
         ylab = "tokens whose topic changed, %", main = main, ...)
  }
}

#' @rdname plot.ezlda
#' @export
plot.ezlda_search <- function(x, measure = "perplexity", main = "Numbers of topics", xlab = "topics", ylab = measure,
                              ...) {
  if (!measure %in% names(x$rows)) fail("measure: expected one of ", paste(names(x$rows), collapse = ", "))
  plot(x$rows$topics, x$rows[[measure]], type = "b", log = "x", main = main, xlab = xlab, ylab = ylab, ...)
  if (x$recommended) abline(v = x$recommended, lty = 3)
  invisible(x)
}
