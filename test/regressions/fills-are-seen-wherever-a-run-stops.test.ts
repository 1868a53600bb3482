// Room: scenario

import { expect, it } from 'vitest'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { load, scenarioWith } from '../scenario/fixtures.ts'

/*
 * With `at`, `fill` meant each fill since the last stop of the run. Where a run stops depends on its end, its other
 * expectations and its observers, so a fill of the previous second could be included or not.
 */
const story = (expectation: string) =>
  scenarioWith(`timeline:
  - {at: +1s, order: {account: alice, side: buy, asset: BTC, quantity: 0.5, price: 49000}}
  - {at: +9500ms, agentOrder: {kind: taker, asset: BTC, side: sell, quantity: 0.5, target: {account: alice}}}
expect:
${expectation}`)

it.each([
  ['alone', '  - {at: +10s, that: fill.quantity == 0.5}'],
  ['much later', '  - {at: end, that: "fill.quantity == 0.5 and fill.price == 49000"}'],
  [
    'beside an expectation over the whole run',
    '  - {at: +10s, that: fill.quantity == 0.5}\n  - {always: price.BTC.mark > 0}',
  ],
])('a fill is seen afterwards: %s', (_, expectation) => {
  for (const stops of [1, 200, 100_000])
    expect(runScenario(load(story(expectation)), { stops }).failures).toEqual([])
})

it('a fill is not seen before it happens, and once by an expectation over the whole run', () => {
  const { failures } = runScenario(
    load(
      story('  - {at: +9s, that: fill.quantity == 0.5}\n  - {never: "fill.quantity == 0.5 and clock > 9.5"}'),
    ),
  )
  expect(failures.map(({ expectation }) => expectation.kind)).toEqual(['at'])
})
