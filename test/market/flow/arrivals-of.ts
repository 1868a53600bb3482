import type { ArrivalTable } from '../../../src/market/flow/arrival-table.ts'

/** One taker's order, as a record of its own. */
export interface Arrival {
  readonly offsetMillis: number
  readonly side: 'buy' | 'sell'
  readonly valueUsd: number
  readonly horizonMillis: number
  /** Null: up to 1 % beyond the mark. */
  readonly patienceBps: number | null
}

/** The takers of a minute by time, which stay when another minute is asked for. */
export function arrivalsOf(table: ArrivalTable): readonly Arrival[] {
  return Array.from({ length: table.count }, (_, place) => {
    const row = table.row(place)
    const patienceBps = table.patienceBps.get(row)
    return {
      offsetMillis: table.offsetMillis(place),
      side: table.isBuyer.get(row) === 1 ? 'buy' : 'sell',
      valueUsd: table.valueUsd.get(row),
      horizonMillis: table.horizonMillis.get(row),
      patienceBps: Number.isNaN(patienceBps) ? null : patienceBps,
    }
  })
}
