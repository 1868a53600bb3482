import { exact, exactFromText } from './exact.ts'
import type { ReadoutField, ReadoutFields, Value } from './readout-field.ts'

/** What is known of the requests that one selector matches. */
export interface Tally {
  count: number
  accepted: number
  clientErrors: number
  serverErrors: number
  limited: number
  /** The most requests within any one second so far. */
  burst: number
  /** The instants of those in the last second, oldest first. */
  recent: readonly number[]
}

type OfTally = [tally: Tally]

/** `requests[POST /api/sdk/orders].count`, `requests[key-or-account].burst1s`; ratios are 0 to 1. */
export const requestFields = {
  count: counted((tally) => tally.count),
  status2xx: counted((tally) => tally.accepted),
  status4xx: counted((tally) => tally.clientErrors),
  status429: counted((tally) => tally.limited),
  status5xx: counted((tally) => tally.serverErrors),
  errorRatio: share((tally) => tally.clientErrors + tally.serverErrors),
  status429Ratio: share((tally) => tally.limited),
  burst1s: counted((tally) => tally.burst),
} satisfies ReadoutFields<OfTally>

function counted(of: (tally: Tally) => number): ReadoutField<OfTally> {
  return { type: 'number', of: (tally) => exact(of(tally), 0) }
}

/** To six decimals; of no requests it is 0. */
function share(of: (tally: Tally) => number): ReadoutField<OfTally> {
  const value = (tally: Tally): Value =>
    exactFromText((tally.count === 0 ? 0 : of(tally) / tally.count).toFixed(6))
  return { type: 'number', of: value }
}
