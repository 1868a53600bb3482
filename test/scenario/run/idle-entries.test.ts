import { expect, it } from 'vitest'
import { runScenario } from '../../../src/scenario/run/run-scenario.ts'
import { load, scenarioWith } from '../fixtures.ts'

const entries = `timeline:
  - {at: +1s, note: this acts}
  - {when: price.BTC.mark == 1, id: nowhere, note: x}
  - {when: clock > 3000, id: late, note: x}
  - {at: nowhere+1s, note: x}
  - {at: late+1h, note: x}
  - {every: {each: 1m, from: nowhere}, note: x}
  - {at: +2h, ifReached: true, note: x}
  - {at: +1s, await: {that: clock > 9999, required: false}}
  - {at: +1s, await: {that: clock > 5, required: false}}
  - {at: +1s, await: {that: clock > 9999}}
  - {at: +2s, id: down, fault: {status: 500}}
  - {at: +3s, order: {as: dear, account: alice, side: buy, asset: BTC, quantity: 1000, price: 50000}}
`

it('names the entries of a timeline that have no effect, and why', () => {
  const scenario = load(scenarioWith(entries))
  const first = scenario.timeline[0]?.place.line ?? 0
  const { idle } = runScenario(scenario)
  expect(idle.map(({ entry, reason }) => [entry.place.line - first, reason])).toEqual([
    [1, 'price.BTC.mark == 1 never became true'],
    [3, '"nowhere" never happened'],
    [4, 'it is after the end of the run'],
    [5, '"nowhere" never happened'],
    [6, 'it is after the end of the run'],
    [7, 'what it awaits never came'],
    [10, 'there is no client whose requests it could strike'],
  ])
})
