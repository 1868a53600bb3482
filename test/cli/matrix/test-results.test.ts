import { expect, it } from 'vitest'
import { readTestResults } from '../../../src/cli/matrix/matrix-run.ts'

it.each([
  [
    'the JSON of vitest and jest, after other lines',
    `noise\n${JSON.stringify({
      numTotalTests: 2,
      testResults: [
        {
          status: 'failed',
          name: 'a.test.ts',
          assertionResults: [
            { status: 'passed', fullName: ' orders rest' },
            { status: 'failed', fullName: 'orders fill' },
            { status: 'skipped', fullName: 'later' },
          ],
        },
        { status: 'failed', name: 'does-not-load.test.ts', assertionResults: [] },
      ],
    })}\n`,
    ['orders rest'],
    ['orders fill', 'does-not-load.test.ts'],
  ],
  [
    'JUnit',
    `<?xml version="1.0"?><testsuites><testsuite name="x">
<testcase classname="orders" name="rests &lt;long&gt;" time="0.1"/>
<testcase classname="orders" name="fills"><failure message="no">a &gt; b</failure></testcase>
<testcase name="later"><skipped/></testcase></testsuite></testsuites>`,
    ['orders > rests <long>'],
    ['orders > fills'],
  ],
  [
    'JUnit between other lines, with character references and texts that look like elements',
    `a < b & c
<testsuites><testsuite name="x"><testsuite>
<testcase name='rests&#10;long &#x41;'><system-out><![CDATA[<failure> of another]]></system-out></testcase>
<testcase name="0123"><error/></testcase></testsuite></testsuite></testsuites>
done: 1 < 2 & 3`,
    ['rests\nlong A'],
    ['0123'],
  ],
  ['JUnit that is torn off', '<testsuite', [], []],
  [
    'TAP, nested',
    `TAP version 13
# Subtest: orders
    # Subtest: rest
    not ok 1 - rest
      ---
      error: 'x'
      ...
    ok 2 - fill
    1..2
not ok 1 - orders
ok 2 - quotes \\# 1 # time=1ms
not ok 3 - later # todo one day
1..3`,
    ['fill', 'quotes # 1'],
    ['rest'],
  ],
  [
    'the marks of reporters for terminals',
    `✔ rests (1.25ms)\n\u001B[31m✖ fills at once (3.1ms)\u001B[39m\n✖ failing tests:\n✖ fills at once (3.1ms)\n`,
    ['rests'],
    ['fills at once'],
  ],
])('reads %s', (form, text, passed, failed) => {
  expect(readTestResults(text)).toEqual({ passed, failed, retried: [], isWhole: !form.includes('torn off') })
})

it.each([
  ['JSON', '{"numTotalTests":2,"testResults":[{"assertionResults":[{"status":"pas'],
  ['JSON with spaces', '{\n  "numTotalTests": 2,\n  "testResults": ['],
  ['JUnit within a suite', '<testsuites><testsuite><testcase name="a"/></testsuite><testsuite><testcase'],
  ['JUnit without its end', '<testsuites><testsuite><testcase name="a"/></testsuite>'],
  ['TAP with fewer tests than planned', 'TAP version 13\n1..3\nok 1 - a\nok 2 - b\n'],
  ['TAP without a plan', 'TAP version 13\n'],
])('knows that a report is cut off: %s', (_form, text) => {
  expect(readTestResults(text)).toMatchObject({ isWhole: false })
})

it.each([
  [
    'vitest',
    '{"numTotalTests":1,"testResults":[{"assertionResults":[{"status":"passed","fullName":"a","failureMessages":["no"]}]}]}',
  ],
  [
    'jest',
    '{"numTotalTests":1,"testResults":[{"assertionResults":[{"status":"passed","fullName":"a","invocations":2}]}]}',
  ],
  ['JUnit', '<testsuite><testcase name="a"><flakyFailure/></testcase></testsuite>'],
])('names tests that passed only when repeated: %s', (_runner, text) => {
  expect(readTestResults(text)).toMatchObject({ passed: ['a'], failed: [], retried: ['a'], isWhole: true })
})

it('reports an unknown format', () => {
  expect(readTestResults('all good\n')).toBe(null)
  expect(readTestResults('{"num": broken')).toBe(null)
})
