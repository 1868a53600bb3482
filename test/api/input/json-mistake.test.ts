import fc from 'fast-check'
import { expect, it } from 'vitest'
import { explainInvalidJson } from '../../../src/api/input/json-scan.ts'
import { readJson } from '../../../src/api/input/read-body.ts'
import { inputProblem } from '../../../src/api/input-problem.ts'

it.each([
  ["{'side': 'buy'}", 'JSON has double quotes only'],
  ['{"price": NaN}', 'JSON has no NaN'],
  ['{"price": -Infinity}', 'JSON has no -Infinity'],
  ['{"clientOrderId": None, "side": "buy"}', 'JSON has no None'],
  ['{"a": undefined}', 'JSON has no undefined'],
  ['{"side": "buy",}', 'there is a comma before a closing bracket'],
  ['[1, 2,\n]', 'there is a comma before a closing bracket'],
  ['{side: "buy"}', 'keys need double quotes'],
  ['{"a": 1} // the order', 'JSON has no comments'],
  ['{"price": .5}', 'a number is not written as in JSON'],
  ['{"price": 01}', 'a number is not written as in JSON'],
  ['{"price": +1}', 'a number is not written as in JSON'],
  ['{"price": 1.}', 'a number is not written as in JSON'],
  ['{"price": 50_000}', 'a number is not written as in JSON'],
  ['{"side": "buy"', 'it ends before it is closed'],
  ['side=buy&asset=BTC', 'this is a form; send JSON'],
  ['{}{}', null],
  ['', null],
])('%s', (text, hint) => {
  expect(explainInvalidJson(text)).toBe(hint)
  const read = readJson(text)
  expect(read.ok ? null : read.problem).toEqual(inputProblem('body', 'is not valid JSON', hint))
})

it('finds no mistake in JSON, whatever its strings contain', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(explainInvalidJson(text)).toBeNull()
    }),
    { seed: 7, numRuns: 300 },
  )
})
