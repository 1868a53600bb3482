import type { FlowSpec } from '../../market/flow-spec.ts'
import type { LiquiditySpec } from '../../market/liquidity/liquidity.ts'
import { usualFigures } from '../../market/usual-figures.ts'
import { millis } from '../../numeric/units.ts'
import { durationOr } from '../read/amounts.ts'
import { entriesOf, type Field, fieldOf, numberOf, numberOr, textOr } from '../read/fields.ts'
import { defaultFlow } from './defaults.ts'

/**
 * The takers of an asset: as the asset states, else as the market states, else Hawkes flow with the usual figures of
 * its symbol. A rate of 0 means no flow.
 */
export function compileFlow(market: Field, asset: Field, symbol: string, liquidity: LiquiditySpec): FlowSpec {
  const flow = fieldOf(asset, 'flow') ?? fieldOf(market, 'flow')
  const kind = textOr(fieldOf(flow, 'kind'), 'hawkes')
  const ratePerMinute = kind === 'none' ? 0 : rateOf(ratesOf(flow), symbol)
  if (ratePerMinute === 0) return { kind: 'none' }
  const number = (key: string, fallback: number): number => numberOr(fieldOf(flow, key), fallback)
  if (kind === 'poisson') {
    const { medianUsd, sizeSd } = defaultFlow
    return {
      kind: 'poisson',
      ratePerMinute,
      medianUsd: number('medianUsd', medianUsd),
      sizeSd: number('sizeSd', sizeSd),
    }
  }
  const informed = fieldOf(flow, 'informed')
  const defaults = usualFigures(symbol)
  const isShaped = liquidity.kind !== 'none' && liquidity.kind !== 'ladder'
  return {
    kind: 'hawkes',
    ratePerMinute,
    medianUsd: number('medianUsd', 3000),
    sizeSd: number('sizeSd', 1.6),
    // Choice: twice the depth within 10 basis points; more could not be traded at once near the price.
    maximumUsd: number('maximumUsd', 2 * defaults.depth10bpUsd),
    informed: {
      share: numberOr(fieldOf(informed, 'share'), 0.3),
      horizonMillis: durationOr(fieldOf(informed, 'horizon'), millis(120_000)),
      costBps: numberOr(fieldOf(informed, 'costBps'), 0),
    },
    patiencePerBp: number('patiencePerBp', defaults.patiencePerBp),
    touchBps: (isShaped ? liquidity.spreadBps : defaults.spreadBps) / 2,
    snipers: number('snipers', 0.9),
  }
}

/** What a flow states about its orders per minute. */
export const ratesOf = (flow: Field | null): Field | null =>
  fieldOf(flow, 'ratePerMinute') ?? fieldOf(flow, 'ratePerMin')

/** When some assets are given rates, all others have none; when none is, each asset has its usual rate. */
function rateOf(field: Field | null, symbol: string): number {
  if (field === null) return usualFigures(symbol).ratePerMinute
  if (field.tree.kind === 'scalar') return numberOf(field)
  const rates = new Map(entriesOf(field))
  const rate = rates.get(symbol) ?? rates.get('default')
  return rate === undefined ? 0 : numberOf(rate)
}
