import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import type { CompiledScenario } from '../../../src/scenario/compile/compiled.ts'
import { Script } from '../../../src/scenario/run/script.ts'
import type { ScriptState } from '../../../src/scenario/run/script-state.ts'
import { caseBudget } from '../../support/full-run.ts'
import { load } from '../fixtures.ts'

const spanMillis = 40_000

/** Entries with every kind of trigger, and actions that override, end and trigger each other. */
const action = fc.oneof(
  fc
    .tuple(fc.constantFrom('buy', 'sell'), fc.integer({ min: 1, max: 30 }), fc.integer({ min: -20, max: 20 }))
    .map(([side, size, away]) => {
      const price = `${away < 0 ? '-' : '+'}${Math.abs(away)}bps`
      return `order: {account: desk, side: ${side}, asset: BTC, quantity: ${size / 100}, price: ${price}}`
    }),
  fc
    .integer({ min: -30, max: 30 })
    .map((bps) => `path: {asset: BTC, shock: ${bps < 0 ? '-' : '+'}${Math.abs(bps)}bps, over: 3s}`),
  fc
    .tuple(fc.constantFrom('reject', 'rest'), fc.integer({ min: 1, max: 9_000 }))
    .map(([mode, span]) => `halt: {asset: BTC, mode: ${mode}, for: ${span}ms}`),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9_000 }), fc.boolean())
    .map(
      ([times, span, stale]) => `liquidity: {asset: "*", spreadX: ${times}, stale: ${stale}, for: ${span}ms}`,
    ),
  fc
    .integer({ min: 1, max: 9 })
    .map((times) => `liquidity: {asset: BTC, depthX: 0.${times}, recoverHalfLife: 4s}`),
  fc.constant('resume: {asset: BTC}'),
  fc.constant('cancel: {account: desk}'),
  fc.constant(
    'quote: {account: maker, asset: BTC, bidPrice: -9bps, askPrice: +9bps, bidSize: 0.05, askSize: 0.05, validForSeconds: 3}',
  ),
  fc.constant('agentOrder: {kind: taker, asset: BTC, side: buy, quantity: 0.01, target: {account: maker}}'),
  fc.constant('deposit: {account: desk, asset: BTC, quantity: 1, pending: 2500ms}'),
  fc.constant('await: {that: "quotes.live.count > 0", timeout: 7s, required: false}'),
)

const predicate = fc.constantFrom(
  'price.BTC.mark > 50000',
  'market.BTC.halted',
  'account[desk].openOrders > 1',
  "fill.account == 'desk'",
  'quotes.live.count == 0',
  'clock > 7.3',
)

const offset = fc.integer({ min: 0, max: spanMillis })

const trigger = fc.oneof(
  { weight: 3, arbitrary: offset.map((ms) => `at: +${ms}ms`) },
  fc
    .tuple(fc.integer({ min: 1500, max: 9000 }), offset)
    .map(([each, from]) => `every: {each: ${each}ms, from: +${from}ms}`),
  fc.tuple(predicate, fc.boolean()).map(([text, once]) => `when: "${text}", once: ${once}`),
  fc.integer({ min: 0, max: 5000 }).map((ms) => `at: PREVIOUS+${ms}ms`),
)

const timeline = fc.array(fc.tuple(trigger, action), { minLength: 1, maxLength: 12 }).map((entries) =>
  entries
    .map(([when, what], index) => {
      const first =
        index === 0 && when.includes('PREVIOUS') ? 'at: +1s' : when.replace('PREVIOUS', `e${index - 1}`)
      return `  - {${first}, id: e${index}, ${what}}`
    })
    .join('\n'),
)

const text = (entries: string) => `version: 1
name: random
clock: {end: 10m, grid: 500ms}
market: {flow: {kind: poisson, ratePerMinute: {BTC: 60}}, assets: {BTC: {price: 50000, model: {kind: gbm, vol: 1}}}}
agents:
  - {id: noise, kind: noise, account: trader, asset: BTC}
timeline:
${entries}
`

/** A venue and its script, advanced to instants, and captured and restored at some of them. */
class Play {
  private venue: Venue
  private script: Script
  readonly acts: string[] = []
  private readonly scenario: CompiledScenario

  constructor(scenario: CompiledScenario) {
    this.scenario = scenario
    this.venue = Venue.open(scenario.venue, { emit: () => {} })
    this.script = new Script(scenario)
  }

  to(offsetMillis: number): void {
    this.script.runTo(
      this.venue,
      millis(this.scenario.venue.startMillis + offsetMillis),
      (entry, problem) => {
        this.acts.push(`${entry.at} ${entry.id} ${problem}`)
      },
    )
  }

  /** Continues from a capture, with the script's state through JSON text. */
  again(): void {
    const captured: ScriptState = JSON.parse(JSON.stringify(this.script.capture()))
    this.venue = Venue.restore(this.scenario.venue, this.venue.snapshot(), { emit: () => {} })
    this.script = new Script(this.scenario)
    this.script.restore(captured)
    expect(JSON.parse(JSON.stringify(this.script.capture()))).toEqual(captured)
  }

  get outcome(): string {
    return [this.venue.digest(), JSON.stringify(this.script.capture()), ...this.acts].join('\n')
  }
}

const cuts = fc
  .array(offset, { maxLength: 6 })
  .map((offsets) => offsets.toSorted((left, right) => left - right))

it('does the same however time is split, and wherever it is captured and restored', () => {
  fc.assert(
    fc.property(timeline, cuts, (entries, offsets) => {
      const scenario = load(text(entries))
      const whole = new Play(scenario)
      whole.to(spanMillis)
      const cut = new Play(scenario)
      const restored = new Play(scenario)
      for (const offsetMillis of offsets) {
        cut.to(offsetMillis)
        restored.to(offsetMillis)
        restored.again()
      }
      cut.to(spanMillis)
      restored.to(spanMillis)
      expect(cut.outcome).toBe(whole.outcome)
      expect(restored.outcome).toBe(whole.outcome)
    }),
    { seed: 7, numRuns: caseBudget(60) },
  )
})
