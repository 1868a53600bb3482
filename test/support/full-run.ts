/*
 * `npm test` is to be over while one still remembers what one has changed, so it leaves out the files that take longest,
 * and draws a part of the cases of the longest properties. `FULL=1 npm test` runs all, and so does CI.
 */

export const isFullRun = process.env['CI'] !== undefined || (process.env['FULL'] ?? '') !== ''

/**
 * Whether the longest forms are asked for, by FULL=1 alone: they take minutes each, such as a day of polling and
 * hundreds of recorded sessions, and CI runs shorter ones.
 */
export const isLongestRun = (process.env['FULL'] ?? '') !== ''

/**
 * The files that take longest, six seconds and more: servers, browsers or installed packages by the dozen. Those that
 * start a browser are among them, but for the pages of other origins, which every run opens; so is what is measured of
 * the default market, which golden vectors hold already. Guards, tables of errors, shipped scenarios and twins of the
 * engine stay, however long they take.
 */
export const slowFiles: readonly string[] = [
  'test/api/openapi/lint.test.ts',
  'test/backtest/parity.test.ts',
  'test/backtest/protect-property.test.ts',
  'test/backtest/quiet-ticks.test.ts',
  'test/backtest/ratios-take-days.test.ts',
  'test/backtest/report/one-value.test.ts',
  'test/backtest/report/realism-check.test.ts',
  'test/backtest/report/report-browser.test.ts',
  'test/backtest/sweep/queue.test.ts',
  'test/backtest/sweep/repeat-cases.test.ts',
  'test/backtest/sweep/run-sweep.test.ts',
  'test/backtest/sweep/sweep-books.test.ts',
  'test/backtest/sweep/sweep.test.ts',
  'test/backtest/venue/past-worlds.test.ts',
  'test/cli/backtest-command.test.ts',
  'test/cli/bundle.test.ts',
  'test/cli/document-examples.test.ts',
  'test/cli/drift-sessions.test.ts',
  'test/cli/exec-and-matrix.test.ts',
  'test/cli/fit-command.test.ts',
  'test/cli/live-lines.test.ts',
  'test/cli/outside-view.test.ts',
  'test/cli/run-matrix.test.ts',
  'test/cli/sweep-command.test.ts',
  'test/cli/walk-forward.test.ts',
  'test/cli/worker-command.test.ts',
  'test/cli/worker-edits.test.ts',
  'test/console/chart-browser.test.ts',
  'test/console/console-browser.test.ts',
  'test/console/failed-test-journey.test.ts',
  'test/console/fork-browser.test.ts',
  'test/console/long-past-browser.test.ts',
  'test/console/notes-browser.test.ts',
  'test/console/runner-journeys.test.ts',
  'test/console/sixty-numbers.test.ts',
  'test/console/theme-browser.test.ts',
  'test/console/trading-browser.test.ts',
  'test/evidence/exec.test.ts',
  'test/evidence/matrix.test.ts',
  'test/evidence/sweep.test.ts',
  'test/guides/commands.test.ts',
  'test/guides/sessions.test.ts',
  'test/lifecycle/freed.test.ts',
  'test/lifecycle/parallel-worlds.test.ts',
  'test/market/correlation.test.ts',
  'test/market/flow/hawkes-flow.test.ts',
  'test/market/models/stochastic-models.test.ts',
  'test/metrics/realism/shipped-judge.test.ts',
  'test/mutation/session.test.ts',
  'test/nets/exports.test.ts',
  'test/nets/reports.test.ts',
  'test/nets/scenario-errors.test.ts',
  'test/notebooks/read-run.test.ts',
  'test/package/answer-in-failures.test.ts',
  'test/package/fixtures-in-runners.test.ts',
  'test/package/follow-recipes.test.ts',
  'test/package/package.test.ts',
  'test/package/recipes.test.ts',
  'test/realism/flow-link.test.ts',
  'test/realism/maker-edge.test.ts',
  'test/realism/realism.test.ts',
  'test/realism/strategies.test.ts',
  'test/regressions/a-language-that-intl-refuses-blanks-no-page.test.ts',
  'test/regressions/a-restarted-server-is-the-same.test.ts',
  'test/regressions/the-document-follows-the-readings.test.ts',
  'test/scenario/compile/judged-alike.test.ts',
  'test/scenario/file/mutations.test.ts',
  'test/scenario/stress-events.test.ts',
  'test/server/admin/event-stream.test.ts',
  'test/server/pages/docs-browser.test.ts',
  'test/server/pages/guides-page.test.ts',
  'test/testing/joined-server.test.ts',
  'test/testing/live-for.test.ts',
  'test/testing/replaced-timers.test.ts',
  'test/tidy/fresh-machine.test.ts',
]

/** What takes longest of what stays, three seconds and more: it is started first, so that no run waits for one of them. */
export const longFiles: readonly string[] = [
  'test/backtest/informed-flow.test.ts',
  'test/backtest/pandas/bars-equal-pandas.test.ts',
  'test/cli/books/explain-books.test.ts',
  'test/cli/books/recorded-book-files.test.ts',
  'test/cli/prepared-candles.test.ts',
  'test/cli/run-command.test.ts',
  'test/cli/run-with-client.test.ts',
  'test/cli/serve-command.test.ts',
  'test/crash/crash.test.ts',
  'test/crash/disk-full.test.ts',
  'test/engine/house/worst-touch.test.ts',
  'test/engine/recorded/queue-twin.test.ts',
  'test/golden/golden.test.ts',
  'test/market/market-path.test.ts',
  'test/metrics/interval-coverage.test.ts',
  'test/metrics/naive-figures.test.ts',
  'test/nets/surfaces.test.ts',
  'test/pipeline/follow-properties.test.ts',
  'test/scenario/compile/ranges.test.ts',
  'test/scenario/run/expectations.test.ts',
  'test/server/every-error.test.ts',
  'test/server/venue/cross-origin-browser.test.ts',
  'test/server/venue/routes.test.ts',
  'test/tidy/one-place.test.ts',
  'test/tidy/order-files.test.ts',
  'test/tidy/repository.test.ts',
  'test/world/history/price-history.test.ts',
  'test/world/journals/journal.test.ts',
  'test/world/journals/missing-lines.test.ts',
  'test/world/journals/snapshots-beside.test.ts',
  'test/world/model-switch.test.ts',
  'test/world/shipped/shipped-scenarios.test.ts',
]

/** One thread for five minutes: what is started after it ends before it. */
export const longestFile = 'test/cli/fit-command.test.ts'

/** How many cases a long property draws: all of its budget in a full run, and else `short`, which is a quarter where not said. */
export const caseBudget = (full: number, short: number = Math.ceil(full / 4)): number =>
  isFullRun ? full : short
