# Methods of the generics tidy, augment and glance.

test_that("tidiers are found by their generics", {
  skip_if_not_installed("generics")
  model <- small_model()
  beta <- generics::tidy(model)
  expect_named(beta, c("topic", "term", "beta"))
  expect_equal(nrow(beta), 24)
  expect_equal(beta$beta[beta$topic == 2 & beta$term == "iron"], unname(posterior(model)$terms[2, "iron"]))
  expect_equal(generics::tidy(model, log = TRUE)$beta, log(beta$beta))
  gamma <- generics::tidy(model, matrix = "gamma")
  expect_named(gamma, c("document", "topic", "gamma"))
  expect_equal(gamma$gamma[gamma$document == "d7" & gamma$topic == 1], unname(posterior(model)$topics["d7", 1]))
})

test_that("augment names the topic of every word of a document", {
  skip_if_not_installed("generics")
  model <- small_model()
  words <- generics::augment(model)
  expect_named(words, c("document", "term", "count", ".topic"))
  expect_equal(sum(words$count), model$info$tokens)
  both <- posterior(model)
  one <- words[17, ]
  expect_equal(one$.topic, unname(which.max(both$topics[one$document, ] * both$terms[, one$term])))
  expect_equal(one$count, small_counts()[one$document, one$term], ignore_attr = TRUE)
  expect_equal(generics::augment(model, small_counts())$count, generics::augment(model, model$corpus)$count[
    order(match(words$document, names(small_texts())), match(words$term, colnames(small_counts())))])
  expect_error(generics::augment(model, "one"), "data: 1 documents", class = "ezlda_error")
})

test_that("glance is one row of facts", {
  skip_if_not_installed("generics")
  facts <- generics::glance(small_model())
  expect_equal(nrow(facts), 1)
  expect_equal(facts$topics, 2)
  expect_equal(facts$perplexity, perplexity(small_model()))
})
