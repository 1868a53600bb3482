import { Venue } from '../../../src/engine/venue.ts'
import { millis } from '../../../src/numeric/units.ts'
import { agentKindOf } from '../../../src/scenario/agents/agent-kinds.ts'
import type { AgentSpec, Participant } from '../../../src/scenario/agents/behaviour.ts'
import { compileAgents } from '../../../src/scenario/agents/compile-agents.ts'
import { rootField } from '../../../src/scenario/file/fields.ts'
import { formatMistake } from '../../../src/scenario/file/mistake.ts'
import { treeFromValue } from '../../../src/scenario/file/source.ts'
import type { JsonData } from '../../../src/scenario/file/tree.ts'
import { loadScenario } from '../../../src/scenario/load.ts'

/** A venue with one asset at 50,000 USD, and agents that act in it. */
export interface Stage {
  readonly venue: Venue
  readonly specs: readonly AgentSpec[]
  agents: readonly Participant[]
}

const world = (market: string): string => `
version: 1
name: stage
clock: {start: 2026-01-05T00:00:00Z, grid: 1s}
market:
  flow: {kind: none}
  assets:
    BTC: ${market}
fees: {makerBps: 0, takerBps: 0}
accounts:
  - {id: rich, balances: {USD: 1000000000, BTC: 1000}, limits: {maxOrderSize: {default: 100000}, maxOrderValue: 1e9, maxDailyVolume: 8e9, maxOpenOrders: 100000, maxOpenOrdersPerAsset: 100000, maxExposure: 8e9, maxExposurePerAsset: {default: 8e9}, minOrderSize: {default: 0.0001}}}
  - {id: other, balances: {USD: 1000000000, BTC: 1000}, limits: {maxOrderSize: {default: 100000}, maxOrderValue: 1e9, maxDailyVolume: 8e9, maxOpenOrders: 100000, maxOpenOrdersPerAsset: 100000, maxExposure: 8e9, maxExposurePerAsset: {default: 8e9}, minOrderSize: {default: 0.0001}}}
`

export const lively = '{price: 50000, model: {kind: gbm, vol: 0.6}}'
export const still = '{price: 50000, model: {kind: constant}}'

export function stage(market: string, agents: readonly JsonData[], seed = '7'): Stage {
  const loaded = loadScenario(world(market), 'stage', { seed })
  if (!loaded.ok) throw new Error(loaded.problems.map(formatMistake).join('\n'))
  const { venue: config } = loaded.value
  const venue = Venue.open(config, { emit: () => {} })
  const tree = treeFromValue(agents)
  if (!tree.ok) throw new Error('agents are a value')
  const field = { ...rootField(tree.value), path: 'agents' }
  const accounts = new Map(config.accounts.map((account, place) => [account.id, place + 3] as const))
  const scope = { assets: config.assets, accounts, startMillis: config.startMillis }
  const specs = compileAgents(field, scope)
  if (field.mistakes.count > 0) throw new Error(field.mistakes.list().map(formatMistake).join('\n'))
  return { venue, specs, agents: makeAgents(specs, config) }
}

/** New agents of the same kinds, without memory. */
export function makeAgents(
  specs: readonly AgentSpec[],
  config: { readonly startMillis: number },
): readonly Participant[] {
  const context = { seed: '7', startMillis: millis(config.startMillis) }
  return specs.map((spec) => agentKindOf(spec.kind).create(spec, context))
}

/** Advances time, with every agent acting at its instants, in order. */
export function passTime({ venue, agents }: Stage, spanMillis: number): void {
  const { state } = venue
  const next = (): number => Math.min(...agents.map((agent) => agent.nextAtMillis))
  const door = { state, execute: venue.execute.bind(venue), advance: venue.advance.bind(venue) }
  venue.advance(millis(state.nowMillis + spanMillis), {
    get nextAtMillis() {
      return next()
    },
    runDue: () => {
      for (const agent of agents) {
        while (agent.nextAtMillis <= state.nowMillis) agent.act(door)
      }
    },
  })
}

/** The row of the account that agents trade for. */
export const rich = 3
export const minute = 60_000

export const agent = (kind: string, params: { readonly [name: string]: JsonData }, rest = {}): JsonData => ({
  id: kind,
  kind,
  account: 'rich',
  asset: 'BTC',
  params,
  ...rest,
})

/** What an account holds of the asset, in units. */
export const holding = ({ venue: { state } }: Stage, account = rich): number =>
  (state.ledger.total(account, 1) / state.assets.tradedAsset(1).stepAtoms) *
  state.assets.tradedAsset(1).stepUnits

export const listOrders = ({ venue: { state } }: Stage, account = rich): readonly number[] => {
  const rows: number[] = []
  for (let row = 0; row < state.orders.count; row += 1) {
    if (state.orders.account.get(row) === account) rows.push(row)
  }
  return rows
}
