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

/** The files that take longest: most start browsers, servers or installed packages by the dozen. */
export const slowFiles: readonly string[] = [
  'test/backtest/parity.test.ts',
  'test/cli/fit-command.test.ts',
  'test/cli/sweep-command.test.ts',
  'test/cli/worker-edits.test.ts',
  'test/console/console-browser.test.ts',
  'test/console/long-past-browser.test.ts',
  'test/console/runner-journeys.test.ts',
  'test/console/sixty-numbers.test.ts',
  'test/guides/commands.test.ts',
  'test/guides/sessions.test.ts',
  'test/package/answer-in-failures.test.ts',
  'test/package/follow-recipes.test.ts',
  'test/package/recipes.test.ts',
  'test/regressions/a-restarted-server-is-the-same.test.ts',
  'test/scenario/compile/judged-alike.test.ts',
  'test/server/pages/docs-browser.test.ts',
  'test/tidy/fresh-machine.test.ts',
]

/** How many cases a long property draws: all of its budget in a full run, and else a quarter. */
export const caseBudget = (full: number): number => (isFullRun ? full : Math.ceil(full / 4))
