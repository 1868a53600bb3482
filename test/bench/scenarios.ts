import { Venue } from '../../src/engine/venue.ts'
import { millis } from '../../src/numeric/units.ts'
import type { CompiledScenario } from '../../src/scenario/compile/compiled.ts'
import { formatMistake } from '../../src/scenario/file/mistake.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { Script } from '../../src/scenario/run/script.ts'
import { median, timed } from './stopwatch.ts'

/*
 * What scenarios cost, in processor time of one thread: loading a long one, carrying out its actions, looking at
 * predicates at every grid instant, capturing and restoring a script. Each beside the engine's own share of the same
 * run, because only ratios within one run mean anything. `npm run bench scenarios`; exit code 1 when a promise is
 * broken.
 */

const rounds = 3
let broken = 0

function best(work: () => void): number {
  return median(Array.from({ length: rounds }, () => timed(work).cpuMillis))
}

function line(name: string, text: string, isKept = true): void {
  if (!isKept) broken += 1
  process.stdout.write(`${name.padEnd(44)}${text}${isKept ? '' : '   BROKEN'}\n`)
}

const thousands = (count: number): string => `${Math.round(count / 1000)} thousand a second`

function load(text: string): CompiledScenario {
  const loaded = loadScenario(text, 'bench.yaml')
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  return loaded.value
}

const head = (end: string, model: string) => `version: 1
name: bench
clock: {end: ${end}, grid: 1s}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: ${model}}, liquidity: {kind: none}}}}
accounts: [{id: a, balances: {USD: 1000000000, BTC: 1000}, limits: {maxOpenOrders: 1000000, maxOpenOrdersPerAsset: 1000000, maxOrderValue: 1e9, maxDailyVolume: 1e9, maxExposure: 1e9, maxExposurePerAsset: {default: 1e9}}}]
`

/** Orders that rest and are cancelled, one action each hundred milliseconds. */
function actionsText(count: number): string {
  const entries: string[] = []
  for (let index = 0; index < count / 2; index += 1) {
    const at = index * 200
    entries.push(
      `  - {at: +${at}ms, order: {as: o${index}, account: a, side: buy, asset: BTC, quantity: 0.01, price: 40000}}`,
      `  - {at: +${at + 100}ms, cancel: {order: o${index}}}`,
    )
  }
  return `${head(`${count / 10 + 1}s`, 'constant')}timeline:\n${entries.join('\n')}\n`
}

const count = 10_000
const text = actionsText(count)
const loadMillis = best(() => load(text))
line(`loading ${count} actions`, `${loadMillis.toFixed(0)} ms, ${thousands((count * 1000) / loadMillis)}`)

const scenario = load(text)
const scriptMillis = best(() => runScenario(scenario))
line('actions carried out', thousands((count * 1000) / scriptMillis), count / scriptMillis > 20)

const hours = 12
const steps = hours * 3600
const bare = load(head(`${hours}h`, 'gbm, vol: 0.5'))
const bareMillis = best(() => {
  const venue = Venue.open(bare.venue, { emit: () => {} })
  venue.execute({ kind: 'advance', at: millis(bare.venue.startMillis + steps * 1000) })
})
line('grid steps of the engine alone', thousands((steps * 1000) / bareMillis))

const watched = load(
  `${head(`${hours}h`, 'gbm, vol: 0.5')}timeline:
  - {when: price.BTC.mark < 1, note: never}
expect:
  - {always: price.BTC.mark > 0 and account[a].balance.USD.available >= 0}
  - {never: "order[*].status == 'rejected'"}
`.replace(/always: (.*)}/, 'always: "$1"}'),
)
const watchedMillis = best(() => runScenario(watched))
const nanos = ((watchedMillis - bareMillis) * 1e6) / steps
line(
  'grid steps with three predicates each',
  `${thousands((steps * 1000) / watchedMillis)}, ${Math.round(nanos)} ns for the three`,
  nanos < 20_000,
)

const script = new Script(scenario)
const captures = 1000
const captureMillis = best(() => {
  for (let index = 0; index < captures; index += 1)
    script.restore(JSON.parse(JSON.stringify(script.capture())))
})
line('capturing and restoring a script', `${((captureMillis * 1000) / captures).toFixed(1)} microseconds`)

process.exitCode = broken > 0 ? 1 : 0
