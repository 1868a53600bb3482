import type { ModelSpec } from '../market/models/price-models.ts'
import { getCandleTable } from '../market/recordings/candle-table.ts'
import { findLastTradeMillis } from '../market/recordings/trade-table.ts'
import {
  formatDuration,
  isoToMillis,
  lastWorldMillis,
  millisToIso,
  parseDuration,
} from '../numeric/time-text.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { endOfTimeReason } from '../world/clock.ts'
import { parseSpanOption } from './run/run-context.ts'

export interface RunSpan {
  readonly fromMillis: number
  readonly toMillis: number
}

/** Resolves when a run, or a walk forward, begins and ends. Throws a RangeError that names the option. */
export function resolveRunSpan(
  { clock, venue }: CompiledScenario,
  { from, to }: { readonly from?: string; readonly to?: string },
): RunSpan {
  const { startMillis } = venue
  const fromMillis = from === undefined ? startMillis : parseInstant(from, startMillis, 'from')
  if (fromMillis < startMillis) throw new RangeError('from: it is before the market begins')
  const toMillis = to === undefined ? clock.endMillis : parseInstant(to, fromMillis, 'to')
  if (toMillis === null) {
    throw new RangeError(
      'to: the scenario has no end; say when the run ends, as a time or a span such as 30d',
    )
  }
  if (to === undefined && toMillis <= fromMillis)
    throw new RangeError(`from: the scenario ends at ${millisToIso(toMillis)}; begin before that`)
  if (toMillis <= fromMillis) throw new RangeError('to: it is not after the run begins')
  if (toMillis > lastWorldMillis) throw new RangeError(`to: ${endOfTimeReason}`)
  const recordedMillis = Math.min(...venue.market.assets.map(({ model }) => findRecordingEnd(model)))
  if (toMillis > recordedMillis) {
    const [toText, endText] = [toMillis, recordedMillis].map(millisToIso)
    throw new RangeError(`to: the run would end at ${toText}, and the recording ends at ${endText}`)
  }
  return { fromMillis, toMillis }
}

/** The most points of one run's equity: some ten years by the minute, for which a process needs a gigabyte. */
const maximumEquityPoints = 6_000_000

/**
 * Resolves the milliseconds between two points of the equity; an hour by default. Throws a RangeError that names the
 * option for what is no span, and for one that would give the run too many points.
 */
export function resolveEquityGrid(text: string | undefined, runMillis: number): number {
  const gridMillis = parseSpanOption(text ?? '1h', 'equityGrid')
  const points = Math.ceil(runMillis / gridMillis)
  if (points <= maximumEquityPoints) return gridMillis
  const least = formatDuration(Math.ceil(runMillis / maximumEquityPoints))
  throw new RangeError(
    `equityGrid: every ${text} would be ${points} points; ${maximumEquityPoints} is the most, so take ${least} or more`,
  )
}

/** Returns the end of a recording in milliseconds since 1970; infinity for a generated price. */
function findRecordingEnd(model: ModelSpec): number {
  if (model.kind === 'book') return model.book.lastMillis
  if (model.kind === 'trades') return findLastTradeMillis(model.trades)
  if (model.kind !== 'replay') return Number.POSITIVE_INFINITY
  return getCandleTable(model.candles).endMillis.at(-1) ?? Number.NaN
}

/** Parses an instant: ISO text, or a span after `fromMillis`. Throws a RangeError that names the option. */
function parseInstant(text: string, fromMillis: number, option: string): number {
  const span = parseDuration(text)
  if (span !== null) return fromMillis + span
  const instant = isoToMillis(text)
  if (instant === null) {
    const inUtc = [`${text}Z`, `${text}:00Z`]
      .map((one) => one.replace(' ', 'T'))
      .find((one) => isoToMillis(one) !== null)
    if (inUtc !== undefined)
      throw new RangeError(`${option}: "${text}" does not say its zone; write ${inUtc} for UTC`)
    throw new RangeError(
      `${option}: expected a time such as 2026-01-05T00:00:00Z or a span such as 30d, found "${text}"`,
    )
  }
  return instant
}
