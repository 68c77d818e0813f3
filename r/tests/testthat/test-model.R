# Models: what users of topicmodels and stm know, files, the report, and models for other tools.

test_that("topics and words are found", {
  model <- small_model()
  beta <- posterior(model)$terms
  gamma <- posterior(model)$topics
  expect_equal(unname(rowSums(beta)), rep(1, 2))
  expect_equal(unname(rowSums(gamma)), rep(1, 60))
  expect_equal(rownames(gamma), names(small_texts()))
  fruit <- which.max(beta[, "apple"])
  expect_setequal(terms(model, 6)[, fruit], fruits)
  expect_setequal(terms(model, 6)[, 3 - fruit], metals)
  expect_equal(unname(topics(model)[c(1, 3)]), c(3 - fruit, fruit), ignore_attr = TRUE)
  expect_equal(dim(topics(model, 2)), c(2, 60))
  expect_equal(topics(model, 2)[1, ], topics(model), ignore_attr = TRUE)
  expect_named(terms(model), c("Topic 1", "Topic 2"))
  expect_true(all(lengths(terms(model, threshold = 0.05)) == 6))
  expect_equal(lengths(topics(model, threshold = 0)), setNames(rep(2, 60), names(small_texts())))
  expect_equal(top_words(model, fruit, 1)$probability, max(beta[fruit, ]), tolerance = 1e-12)
  expect_true(all(diff(top_words(model, 1, 6, "relevance")$score) <= 0))
  expect_true(is.na(terms(model, 12)[12, 1]) || length(unique(terms(model, 12)[, 1])) == 12)
})

test_that("words are averaged over the samples of the model", {
  model <- quietly(ezlda(small_texts(), 3, 120, stopwords = "none"))
  expect_gt(model$info$word_samples, 1)
  beta <- posterior(model)$terms
  expect_equal(unname(rowSums(beta)), rep(1, 3))
  for (k in 1:3) {
    words <- top_words(model, k, 12)
    expect_equal(words$probability, unname(beta[k, words$term]), tolerance = 1e-12)
  }
})

test_that("printing and summaries say what the model is", {
  model <- small_model()
  expect_output(print(model), "<ezlda: 2 topics, 12 words, 60 documents, 40 iterations, LLPT -")
  expect_output(print(summary(model)), "hash [0-9a-f]{16}.*topic   share    alpha  words")
  expect_output(print(model$corpus), "<ezlda_corpus: 60 documents, 12 words, 1,200 tokens>")
  expect_equal(sum(summary(model)$topics$share), 1)
  expect_equal(nrow(model$history), 40)
  expect_false(is.nan(model$history$llpt[40]))
})

test_that("new documents are inferred", {
  model <- small_model()
  fruit <- unname(which.max(posterior(model)$terms[, "apple"]))
  shares <- predict(model, c(a = "apple pear plum", b = "iron steel", c = "unknown"))
  expect_equal(rownames(shares), c("a", "b", "c"))
  expect_equal(unname(rowSums(shares)), rep(1, 3))
  expect_gt(shares["a", fruit], 0.5)
  expect_lt(shares["b", fruit], 0.5)
  expect_equal(unname(predict(model, c("apple pear plum", "iron"), type = "class")), c(fruit, 3 - fruit))
  expect_equal(shares[2, ], predict(model, "iron steel")[1, ])
  expect_equal(unname(rowSums(predict(model, "apple pear", type = "counts"))), 2 + model$info$alpha_sum)
  counts <- small_counts()
  expect_equal(predict(model, counts[1:3, ]), predict(model, small_texts()[1:3]), ignore_attr = TRUE)
  expect_equal(predict(model, unname(counts[, corpus_words(model$corpus)])[1:3, ]), predict(model, counts[1:3, ]),
               ignore_attr = TRUE)
  expect_error(predict(model, matrix(1, 2, 5)), "5 columns without names, the model 12 words", class = "ezlda_error")
  expect_equal(predict(model), posterior(model)$topics)
  expect_equal(posterior(model, small_texts()[1:2])$topics, predict(model, small_texts()[1:2]))
  expect_warning(predict(model, c("wood stone", "apple")), "the model knows 1 of the 3 tokens",
                 class = "ezlda_unknown_words")
  expect_error(predict(model, "apple", passes = 3), "expected no other options, found passes", class = "ezlda_error")
})

test_that("scores are those of the library", {
  model <- small_model()
  expect_equal(perplexity(model), exp(-as.numeric(logLik(model)) / model$info$tokens))
  expect_equal(attr(logLik(model), "df"), 24)
  completion <- perplexity(model, small_texts(12))
  expect_lt(completion, 12)
  expect_gt(completion, 1)
  expect_true(attr(completion, "error") > 0)
  expect_gt(perplexity(model, small_texts(6), method = "left_to_right", particles = 5), 1)
  expect_equal(names(coherence(model, words = 5)), c("1", "2"))
  expect_true(all(coherence(model, words = 5, measure = "u_mass") <= 0))
  scores <- evaluate_model(model, measures = c("llpt", "coherence"), words = 5)
  expect_true(scores$training_corpus)
  expect_equal(scores$npmi, mean(scores$topics$npmi))
  expect_error(evaluate_model(model, measures = "beauty"), "measures: expected some of", class = "ezlda_error")
  pairs <- match_models(model, small_model(seed = 2))
  expect_equal(nrow(pairs), 2)
  expect_setequal(pairs$b, 1:2)
})

test_that("representative documents are those with the largest shares", {
  model <- small_model()
  found <- find_thoughts(model, small_texts(), n = 2)
  gamma <- posterior(model)$topics
  expect_equal(found$topic, c(1, 1, 2, 2))
  expect_equal(found$share[1], max(gamma[, 1]))
  expect_equal(found$text, unname(small_texts()[found$document]))
  expect_equal(found$name, names(small_texts())[found$document])
  expect_error(find_thoughts(model, "one"), "texts: 1 values for 60 documents", class = "ezlda_error")
  expect_error(find_thoughts(model, topic = 3), "topic: expected a whole number from 1 to 2", class = "ezlda_error")
})

test_that("files keep models, and other sessions do not", {
  model <- small_model()
  path <- tempfile(fileext = ".ezm")
  expect_equal(write_model(model, path), path)
  read <- read_model(path)
  expect_equal(read$info$topics_hash, model$info$topics_hash)
  expect_equal(posterior(read), posterior(model))
  expect_equal(read$history$llpt, model$history$llpt[40])
  expect_error(coherence(read), "does not have its corpus", class = "ezlda_error")
  expect_error(read_model("nowhere.ezm"), "nowhere.ezm", class = "ezlda_error_io")
  writeLines("not a model", path)
  expect_error(read_model(path), basename(path), class = "ezlda_error_format")
  expect_error(write_model(model, "/nowhere/model.ezm"), "/nowhere", class = "ezlda_error_io")
  kept <- tempfile(fileext = ".rds")
  saveRDS(model, kept)
  expect_error(terms(readRDS(kept)), "of another session.*write_model", class = "ezlda_error_argument")
  expect_error(predict(model, structure(list(handle = model$handle), class = "ezlda_corpus")), "expected a corpus",
               class = "ezlda_error_argument")
})

test_that("models are continued", {
  first <- quietly(ezlda(small_texts(), 2, 20, keep_topics = TRUE))
  both <- quietly(ezlda(small_texts(), 2, 40))
  more <- quietly(ezlda(first$corpus, iterations = 20, init = first))
  expect_equal(more$info$iterations, 40)
  expect_equal(more$info$iterations_run, 20)
  expect_equal(more$info$topics, 2)
  expect_equal(dim(posterior(both)$terms), dim(posterior(more)$terms))
})

test_that("seed words draw their topics", {
  model <- small_model(seeds = list("2" = c("apple", "pear"), "1" = "iron"))
  expect_setequal(terms(model, 6)[, 2], fruits)
  model <- small_model(seeds = list(c("apple", "pear"), "iron"))
  expect_setequal(terms(model, 6)[, 1], fruits)
  expect_error(small_model(seeds = list("3" = "apple")), "numbers of topics from 1 to 2", class = "ezlda_error")
  expect_error(small_model(seeds = "apple"), "seeds: expected a list", class = "ezlda_error")
})

test_that("checkpoints are written and resumed from", {
  folder <- tempfile()
  corpus <- quiet_corpus(small_texts())
  stop_at <- function(p) p$iteration == 10
  part <- quietly(ezlda(corpus, 2, 30, checkpoint = folder, checkpoint_iterations = 5, callback = stop_at))
  expect_equal(part$info$iterations, 10)
  whole <- quietly(ezlda(corpus, 2, 30, checkpoint = folder, resume = TRUE))
  expect_equal(whole$info$topics_hash, quietly(ezlda(corpus, 2, 30))$info$topics_hash)
})

test_that("the report is one page", {
  model <- small_model()
  path <- tempfile(fileext = ".html")
  expect_equal(report(model, path, title = "Fruits & metals", open = FALSE), path)
  page <- paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")
  expect_match(page, "<title>Fruits &amp; metals</title>", fixed = TRUE)
  expect_match(page, "sha256-", fixed = TRUE)
  expect_match(page, "</html>", fixed = TRUE)
  folder <- tempfile()
  report(model, path, svg = folder, other = small_model(seed = 3), open = FALSE)
  expect_true("map.svg" %in% list.files(folder))
  expect_error(report(model, path, corpus = quiet_corpus(c("another corpus", "of other words")), open = FALSE), class = "ezlda_error")
})

test_that("models are written for other tools", {
  model <- small_model(keep_topics = TRUE)
  keys <- tempfile()
  export_model(model, "mallet-keys", keys)
  expect_length(readLines(keys), 2)
  state <- tempfile(fileext = ".gz")
  export_model(model, "mallet-state", state)
  read <- read_mallet(state)
  expect_equal(read$info$tokens, model$info$tokens)
  expect_equal(length(read$corpus), 60)
  expect_error(export_model(model, "xml", tempfile()), "xml", class = "ezlda_error")
})

test_that("LDAvis gets its JSON", {
  json <- to_ldavis(small_model(), words = 6)
  expect_match(json, "^\\{")
  for (name in c("mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order")) {
    expect_match(json, paste0("\"", name, "\":"), fixed = TRUE)
  }
  skip_if_not_installed("jsonlite")
  data <- jsonlite::fromJSON(json)
  expect_named(data, c("mdsDat", "tinfo", "token.table", "R", "lambda.step", "plot.opts", "topic.order"),
               ignore.order = TRUE)
  expect_true(all(c("x", "y", "topics", "Freq", "cluster") %in% names(data$mdsDat)))
  expect_true(all(c("Term", "Category", "Freq", "Total", "logprob", "loglift") %in% names(data$tinfo)))
  expect_true(all(c("Term", "Topic", "Freq") %in% names(data$token.table)))
  expect_setequal(data$topic.order, 1:2)
})

test_that("numbers of topics are compared, and a search continues", {
  corpus <- synthetic_corpus(docs = 150, words = 60, topics = 3, mean_length = 40)
  folder <- tempfile()
  found <- quietly(search_k(corpus, c(2, 4), folder, seeds = 2, iterations = 20))
  expect_equal(found$rows$topics, c(2, 4))
  expect_equal(found$rows$runs, c(2, 2))
  expect_true(all(found$runs$done) && !any(found$runs$found))
  expect_output(print(found), "recommended: ")
  more <- quietly(search_k(corpus, c(2, 4, 6), folder, seeds = 2, iterations = 20))
  expect_equal(sum(more$runs$found), 4)
  model <- best_model(more, 4, 2)
  expect_equal(model$info$topics_hash, more$runs$topics_hash[more$runs$topics == 4 & more$runs$seed == 2])
  expect_error(best_model(more, 5), "no model with 5 topics", class = "ezlda_error")
  expect_error(quietly(search_k(corpus, 2, folder, iterations = 30)), class = "ezlda_error_argument")
  expect_equal(as.data.frame(more)$topics, c(2, 4, 6))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(more))
})

test_that("pictures are drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  model <- small_model()
  for (type in c("summary", "words", "history")) expect_identical(plot(model, type), model)
  expect_identical(plot(small_model(eval_every = 5), "history")$info$topics, 2)
})

test_that("plans and devices are lists of facts", {
  plan <- quietly(plan_run(synthetic_corpus(docs = 100, words = 50, topics = 3), 5, 50, seconds = 0.05))
  expect_equal(plan$docs, 100)
  expect_gt(plan$host_bytes, 0)
  devices <- ezlda_devices()
  expect_true("cpu" %in% devices$device)
  expect_equal(sum(devices$chosen), 1)
  expect_match(ezlda_version(), "^[0-9]+\\.[0-9]+\\.[0-9]+$")
  expect_equal(ezlda_version(), as.character(utils::packageVersion("ezlda")))
})
