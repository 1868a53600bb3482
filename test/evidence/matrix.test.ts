import { describe, expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

const one = ['matrix', '--only', 'envelope', '--depth', '1', '--no-faults']
const tap = (lines: string): string => `printf 'TAP version 13\\n${lines}\\n'`
/** A suite whose test passes only under the default envelope would say so in its report alone. */
const second = (then: string): string =>
  `if test -e ran; then ${then}; else touch ran; ${tap('1..1\\nok 1 - x')}; fi`

describe('otcsim matrix', () => {
  it.each([
    ['a report of no tests', one, tap('1..0'), 1, /no test of the suite ran and passed/],
    ['skipped tests only', one, tap('1..1\\nok 1 - x # SKIP'), 1, /no test of the suite ran and passed/],
    ['a failed test, and exit code 0', one, tap('1..1\\nnot ok 1 - x'), 1, /already fails .* ends with 0/],
    ['a suite that fails', one, 'exit 3', 1, /already fails/],
    ['a failure that only the report names', one, second(tap('1..1\\nnot ok 1 - x')), 1, /breaks? the suite/],
    ['a test that no longer runs', one, second(tap('1..1\\nok 1 - y')), 1, /breaks? the suite/],
    ['a report that is gone', one, second('exit 0'), 1, /breaks? the suite/],
    [
      'a fault without faults',
      ['matrix', '--only', 'fault.slow', '--no-faults'],
      'exit 0',
      2,
      /nothing is tried/,
    ],
    ['a required pin', [...one, '--require', 'envelope', '--pins', 'pins.json'], 'exit 0', 2, /but pinned/],
    ['a pin only', [...one, '--pins', 'pins.json'], 'exit 0', 2, /nothing is tried/],
  ])('fails for %s', async (_what, words, suite, code, said) => {
    const cwd = folderWith({ 'pins.json': '{"envelope":"bare"}' })
    const done = await otcsim([...words, '--', 'sh', '-c', suite], { cwd })
    expect(done.err).toMatch(said)
    expect(done.code).toBe(code)
  })
})
