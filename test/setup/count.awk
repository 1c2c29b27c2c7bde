# Counts tests in the output of cargo or ERT, by their result lines; the variable `status' is the exit code.
# Prints how many tests passed, failed and were skipped.  A runner that reports no failure but exits with an
# error, or that ran no test, counts as one failure.

/^test result: / { passed += $4; failed += $6; skipped += $8 } # one line for each test binary of cargo

/^(Aborted: )?Ran [0-9]+ tests?, / {
  passed += before(" results? as expected")
  failed += before(" unexpected")
  skipped += before(" skipped")
}

END {
  if (failed == 0 && (status != 0 || passed + skipped == 0)) failed = 1
  print passed + 0, failed + 0, skipped + 0
}

# The number before WORDS in this line; 0 if WORDS, a regexp, does not match.
function before(words) {
  if (!match($0, "[0-9]+" words)) return 0
  return substr($0, RSTART) + 0
}
