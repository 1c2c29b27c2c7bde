# Reads the output of a test runner, cargo's or ERT's, by its own result lines, with the exit code in
# `status'; prints how many tests passed, failed and were skipped.  One failure more for a runner
# that reports none, or no tests at all, but did not end well.

/^test result: / { passed += $4; failed += $6; skipped += $8 } # one for each cargo test binary

/^(Aborted: )?Ran [0-9]+ tests?, / {
  passed += before(" results? as expected")
  failed += before(" unexpected")
  skipped += before(" skipped")
}

END {
  if (failed == 0 && (status != 0 || passed + skipped == 0)) failed = 1
  print passed + 0, failed + 0, skipped + 0
}

# The number before WORDS in this line; 0 without them.
function before(words) {
  if (!match($0, "[0-9]+" words)) return 0
  return substr($0, RSTART) + 0
}
