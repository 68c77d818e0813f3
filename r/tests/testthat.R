# Runs the tests of the package.
library(testthat)
library(ezlda)

test_check("ezlda")
