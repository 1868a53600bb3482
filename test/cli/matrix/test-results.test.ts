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
])('reads %s', (_form, text, passed, failed) => {
  expect(readTestResults(text)).toEqual({ passed, failed })
})

it('reports an unknown format', () => {
  expect(readTestResults('all good\n')).toBe(null)
  expect(readTestResults('{"num": broken')).toBe(null)
})
