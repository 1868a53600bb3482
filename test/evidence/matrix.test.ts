import { describe, expect, it } from 'vitest'
import { otcsim, repository } from '../cli/harness.ts'
import { folderWith } from '../support/temporary-folder.ts'

const one = ['matrix', '--only', 'envelope', '--depth', '1', '--no-faults']
const nulls = ['matrix', '--only', 'nulls', '--depth', '1', '--no-faults']
const both = ['matrix', '--only', 'envelope,nulls', '--depth', '1', '--no-faults']
const tap = (lines: string): string => `printf 'TAP version 13\\n${lines}\\n'`
const report = (text: string): string => `printf '%s' '${text}' > $OTC_REPORT_FILE`
/** Asks the venue for the balances, as a caller whom it lets in, or only as somebody with a key. */
const ask = (path: string): string => `node ${repository}/test/evidence/ask.mjs ${path}`
const knock = ask('nothing')
const balances = ask('portfolio/balances')
/** A suite that does something else from its second run on. */
const second = (then: string, first = tap('1..1\\nok 1 - x')): string =>
  `if test -e ran; then ${then}; else touch ran; ${balances}; ${first}; fi`
const passes = `${balances}; ${tap('1..1\\nok 1 - x')}`

describe('otcsim matrix', () => {
  it.each([
    ['a report of no tests', one, `${knock}; ${tap('1..0')}`, 1, /no test of the suite ran and passed/],
    ['skipped tests only', one, `${knock}; ${tap('1..1\\nok 1 - x # SKIP')}`, 1, /no test of the suite ran/],
    [
      'a failed test, and exit code 0',
      one,
      `${knock}; ${tap('1..1\\nnot ok 1 - x')}`,
      1,
      /already fails .* ends with 0/,
    ],
    ['a suite that fails', one, 'exit 3', 1, /already fails/],
    ['a suite that a signal ends', one, 'kill -9 $$', 1, /already fails/],
    [
      'a failure that only the report names',
      one,
      second(`${balances}; ${tap('1..1\\nnot ok 1 - x')}`),
      1,
      /breaks? the suite/,
    ],
    [
      'a test that no longer runs',
      one,
      second(`${balances}; ${tap('1..1\\nok 1 - y')}`),
      1,
      /breaks? the suite/,
    ],
    [
      'one of two tests of one name that no longer runs',
      one,
      second(passes, tap('1..2\\nok 1 - x\\nok 2 - x')),
      1,
      /breaks the suite/,
    ],
    ['a report that is gone', one, second(`${balances}; exit 0`), 1, /breaks? the suite/],
    [
      'a report without its end',
      one,
      second(`${balances}; ${tap('1..2\\nok 1 - x')}`),
      1,
      /breaks the suite/,
    ],
    [
      'a report without its end from the first',
      one,
      `${balances}; ${tap('1..2\\nok 1 - x')}`,
      1,
      /report ends before its end/,
    ],
    [
      'half of a report in JSON',
      one,
      `${balances}; ${report('{"numTotalTests":2,"testResults":[')}`,
      1,
      /report ends before its end/,
    ],
    ['a report of no known form', one, `${balances}; ${report('2 of 2')}`, 1, /no format that is known/],
    ['a suite that asks for nothing', one, 'exit 0', 1, /asked its venue for nothing/],
    [
      'a suite that asks for nothing, and reports tests',
      one,
      tap('1..1\\nok 1 - x'),
      1,
      /asked its venue for nothing/,
    ],
    ['a suite that asks for nothing later', one, second(tap('1..1\\nok 1 - x')), 1, /breaks the suite/],
    ['a reading that no request meets', nulls, `${balances}; exit 0`, 1, /no request has met/],
    ['a suite that only knocks where nothing is', one, `${knock}; exit 0`, 1, /asked its venue for nothing/],
    [
      'a fault that never strikes',
      ['matrix', '--only', 'fault.lost-answer'],
      `${balances}; exit 0`,
      1,
      /no request has met/,
    ],
    [
      'a required reading that no request meets',
      [...both, '--require', 'nulls'],
      passes,
      1,
      /met by no request: nulls=omitted/,
    ],
    [
      'a required reading with which a suite is flaky',
      [...one, '--require', 'envelope'],
      flaky(),
      1,
      /makes the suite flaky/,
    ],
    [
      'a fault without faults',
      ['matrix', '--only', 'fault.slow', '--no-faults'],
      'exit 0',
      2,
      /nothing is tried/,
    ],
    ['a required pin', [...one, '--require', 'envelope', '--pins', 'pins.json'], 'exit 0', 2, /but pinned/],
    ['a pin only', [...one, '--pins', 'pins.json'], 'exit 0', 2, /nothing is tried/],
    [
      'a pin that the options deny',
      [...both, '--pins', 'pins.json', '--readings', 'envelope=wrapped'],
      'exit 0',
      2,
      /pinned as bare, but/,
    ],
  ])('fails for %s', async (_what, words, suite, code, said) => {
    const cwd = folderWith({ 'pins.json': '{"envelope":"bare"}' })
    const done = await otcsim([...words, '--', 'sh', '-c', suite], { cwd })
    expect(done.err).toMatch(said)
    expect(done.code).toBe(code)
  })

  it('says what it has looked at, what was never met, and what it left out', async () => {
    const done = await otcsim([...both, '--', 'sh', '-c', passes], { cwd: folderWith({}) })
    expect(done).toMatchObject({ code: 0, err: '' })
    expect(done.out).toMatch(/^looked at: 3 requests, 1 test, 1 reading, 0 faults$/m)
    expect(done.out).toMatch(/^left out, so nothing is known of them: \d+ readings, 11 faults$/m)
    expect(done.out).toMatch(/^- never met by a request: nulls=omitted$/m)
    expect(done.out).toMatch(/nothing that its requests have met breaks it/)
  })

  it('passes where what is required holds, and names what breaks besides', async () => {
    const suite = `${balances}; case $OTC_READINGS in *omitted*) exit 1;; esac`
    const words = [...both, '--require', 'envelope', '--json', '--', 'sh', '-c', suite]
    const done = await otcsim(words, { cwd: folderWith({}) })
    expect(done).toMatchObject({ code: 0, err: '' })
    const { ok, breaks } = JSON.parse(done.out)
    expect({ ok, breaks }).toMatchObject({ ok: true, breaks: [{ name: 'nulls=omitted' }] })
  })

  it('tries every value but the one that the options state', async () => {
    const words = [...one, '--readings', 'envelope=wrapped', '--json', '--', 'sh', '-c']
    const suite = `${balances}; case $OTC_READINGS in *wrapped*) exit 0;; esac; exit 1`
    const done = await otcsim([...words, suite], { cwd: folderWith({}) })
    expect(JSON.parse(done.out)).toMatchObject({ tried: 1, breaks: [{ name: 'envelope=bare', met: true }] })
  })

  it('asks for everything under the readings of a cell, with any key and in any world of its venue', async () => {
    const suite = `${ask('portfolio/balances other')}; ${balances}`
    const done = await otcsim([...one, '--json', '--', 'sh', '-c', suite], { cwd: folderWith({}) })
    expect(JSON.parse(done.out)).toMatchObject({ ok: true, lookedAt: { requests: 4, readings: 1 } })
  })
})

/** A suite that fails at its second run alone. */
function flaky(): string {
  return `echo >> runs; ${balances}; ${tap('1..1\\nok 1 - x')}; test $(wc -l < runs) != 2`
}
