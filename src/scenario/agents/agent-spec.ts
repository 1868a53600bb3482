import type { OrderType, Side, TimeInForce } from '../../engine/codes.ts'
import type { Millis, QuantitySteps } from '../../numeric/units.ts'
import type { PriceTerm } from '../read/amounts.ts'
import type { Values } from './parameters.ts'
import type { ParticipantSpec } from './participant.ts'

export const agentKinds = ['noise', 'momentum', 'market_maker', 'twap', 'sniper', 'script'] as const
export type AgentKind = (typeof agentKinds)[number]

/** One agent of a scenario, compiled: plain data. */
export interface AgentSpec extends ParticipantSpec {
  readonly kind: AgentKind
  /** Row of the asset that it trades. */
  readonly asset: number
  readonly values: Values
  /** The steps of a `script` agent, in order; empty for all other kinds. */
  readonly steps: readonly AgentStep[]
}

/** One step of a `script` agent: an order, or the cancellation of all its orders. */
export interface AgentStep {
  /** Since the step before it, or since the start. */
  readonly afterMillis: Millis
  readonly order: AgentOrder | null
}

export interface AgentOrder {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly quantitySteps: QuantitySteps
  /** Null for market orders. */
  readonly price: PriceTerm | null
}
