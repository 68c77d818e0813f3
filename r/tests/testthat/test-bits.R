# The same corpus, seed and options give the same bits as the command.

test_that("texts give the command's model", {
  path <- tempfile(fileext = ".txt")
  writeLines(small_texts(), path)
  model <- quietly(ezlda(small_texts(), 4, 30))
  expect_equal(model$info$topics_hash, command_hash(path, "-k", 4, "-i", 30))
  expect_equal(quietly(ezlda(path, 4, 30))$info$topics_hash, model$info$topics_hash)
  for (option in list(c("--seed", 5), c("--alpha", 0.5), c("--beta", 0.2))) {
    named <- setNames(list(as.numeric(option[2])), sub("--", "", option[1]))
    other <- quietly(do.call(ezlda, c(list(small_texts(), 4, 30), named)))
    expect_equal(other$info$topics_hash, command_hash(path, "-k", 4, "-i", 30, option))
  }
})

test_that("a matrix gives the command's model", {
  counts <- small_counts()
  path <- tempfile(fileext = ".uci")
  pairs <- which(t(counts) > 0, arr.ind = TRUE)
  lines <- paste(pairs[, 2], pairs[, 1], t(counts)[pairs])
  writeLines(c(dim(counts), nrow(pairs), lines), path)
  expect_equal(quietly(ezlda(counts, 3, 25))$info$topics_hash,
               command_hash(path, "--format", "uci", "-k", 3, "-i", 25))
  expect_equal(quietly(ezlda(counts, 3, 25, fixed_priors = TRUE))$info$topics_hash,
               command_hash(path, "--format", "uci", "-k", 3, "-i", 25, "--fixed-priors"))
})

test_that("a run that settles gives the command's model", {
  path <- tempfile(fileext = ".ezc")
  write_corpus(synthetic_corpus(docs = 300, words = 80, topics = 4, mean_length = 40), path)
  model <- quietly(ezlda(path, 4))
  expect_equal(model$info$topics_hash, command_hash(path, "-k", 4))
})

test_that("threads, samplers and formats of W do not change the model", {
  corpus <- synthetic_corpus(docs = 200, words = 100, topics = 4)
  hash <- quietly(ezlda(corpus, 8, 15, threads = 1))$info$topics_hash
  expect_equal(quietly(ezlda(corpus, 8, 15, threads = 2))$info$topics_hash, hash)
  expect_equal(quietly(ezlda(corpus, 8, 15, sampler = "two-branch"))$info$topics_hash, hash)
  expect_equal(quietly(ezlda(corpus, 8, 15, w_format = "sparse"))$info$topics_hash, hash)
  expect_equal(quietly(ezlda(corpus, 8, 15, device = "reference"))$info$topics_hash, hash)
  expect_false(quietly(ezlda(corpus, 8, 15, estimator = "esca"))$info$topics_hash == hash)
  expect_false(quietly(ezlda(corpus, 8, 15, start = "random"))$info$topics_hash == hash)
})

test_that("seeds of 64 bits are strings", {
  corpus <- synthetic_corpus(docs = 100, words = 50, topics = 4)
  path <- tempfile(fileext = ".ezc")
  write_corpus(corpus, path)
  expect_equal(quietly(ezlda(corpus, 4, 10, seed = "18446744073709551615"))$info$topics_hash,
               command_hash(path, "-k", 4, "-i", 10, "--seed", "18446744073709551615"))
})

test_that("inference gives the command's rows", {
  model <- small_model()
  paths <- c(tempfile(fileext = ".ezm"), tempfile(fileext = ".txt"), tempfile(fileext = ".tsv"))
  write_model(model, paths[1])
  writeLines(small_texts(9), paths[2])
  said <- system2(command(), c("infer", shQuote(paths[1:2]), "-o", shQuote(paths[3]), "--format", "text", "--to", "tsv"),
                  stdout = TRUE, stderr = TRUE)
  rows <- as.matrix(utils::read.delim(paths[3])[, -(1:2)])
  expect_equal(unname(predict(model, small_texts(9))[, ]), unname(rows), tolerance = 1e-5,
               info = paste(said, collapse = "\n"))
})
