import { defaultJumpMillis, highestSpeed, longestAdvanceMillis } from '../../api/clock.ts'
import { longestGridMillis, shortestGridMillis } from '../../market/market-spec.ts'
import { candleAt, getCandleTable } from '../../market/recordings/candle-table.ts'
import { isoToMillis, lastWorldMillis, millisToIso, parseDuration } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { schemaInFile } from '../../shape/in-file.ts'
import { type Shape, span } from '../../shape/shape.ts'
import { isWithin } from '../../shape/spec-checks.ts'
import { describeDurationRange } from '../../shape/units.ts'
import { readDurationOr } from '../file/amounts.ts'
import { addMistake, childField, type Field, numberOr, statedText, textOr, wordOr } from '../file/fields.ts'
import type { Recordings } from '../file/market-words.ts'
import { instant } from '../file/schema-words.ts'
import { hasBrokenPart } from '../file/tree.ts'
import type { ScenarioClock } from './compiled.ts'

export interface CompiledClock {
  readonly startMillis: Millis
  readonly gridMillis: Millis
  readonly clock: ScenarioClock
}

const defaultStart = '2026-01-05T00:00:00Z'
const defaultGrid = millis(1000)
const defaultStepMillis = 100

/** The longest run, in milliseconds: a century. */
const maximumSpan = 36_525 * 86_400_000

/**
 * Compiles the clock. With a recording, start and end are those of the recording unless stated; `recordings` is null
 * when one cannot be read. A clock whose start or end cannot be read covers all of time, so that no moment is outside
 * it.
 */
export function compileClock(clock: Field | null, recordings: Recordings | null): CompiledClock {
  const { startMillis, endMillis } = compileSpan(clock, recordings) ?? allOfTime
  const grid = childField(clock, 'grid')
  const gridMillis = readDurationOr(grid, defaultGrid)
  const isGrid = isWithin(gridMillis, shortestGridMillis, longestGridMillis)
  if (grid !== null && !isGrid)
    addMistake(grid, `expected ${describeDurationRange(shortestGridMillis, longestGridMillis)}`)
  const speed = childField(clock, 'speed')
  const scale = childField(clock, 'scale')
  const jump = childField(clock, 'maxMs')
  if (speed !== null && scale !== null)
    addMistake(scale, '"scale" is another name for "speed"; state only one of them')
  return {
    startMillis,
    gridMillis: isGrid ? gridMillis : defaultGrid,
    clock: {
      mode: readMode(childField(clock, 'mode')),
      speed: numberOr(speed ?? scale, 1),
      stepMillis: millis(numberOr(childField(clock, 'stepMs'), defaultStepMillis)),
      ...(jump === null ? {} : { maxMillis: millis(numberOr(jump, defaultJumpMillis)) }),
      endMillis,
    },
  }
}

interface Span {
  readonly startMillis: Millis
  readonly endMillis: Millis | null
}

const allOfTime: Span = { startMillis: millis(0), endMillis: millis(lastWorldMillis) }

/** Reads the start and the end; null when one of them cannot be read. */
function compileSpan(clock: Field | null, recordings: Recordings | null): Span | null {
  const start = childField(clock, 'start')
  const end = childField(clock, 'end')
  // A key that cannot be read may have been meant as the start or the end.
  if ((start === null || end === null) && clock !== null && hasBrokenPart(clock.tree)) return null
  const before = clock?.mistakes.count
  const startMillis = compileStart(start, recordings)
  const endMillis = compileEnd(end, startMillis, recordings)
  const isUnread = [start, end].some((field) => field?.tree.kind === 'broken')
  if (isUnread || startMillis === null || endMillis === undefined || before !== clock?.mistakes.count)
    return null
  const span = { startMillis, endMillis }
  if (clock !== null && recordings !== null) checkRecordings(clock, span, recordings)
  return span
}

const modes = ['manual', 'realtime', 'auto', 'follow', 'scaled', 'stepped'] as const

/** Reads the mode of the clock. `scaled` and `stepped` are the names that other tools have for our modes. */
function readMode(field: Field | null): ScenarioClock['mode'] {
  if (field === null) return null
  const word = wordOr(field, modes, 'manual')
  return word === 'scaled' ? 'realtime' : word === 'stepped' ? 'manual' : word
}

/** Notes a start or end outside a recording: beyond its end, the price would be constant without an explanation. */
function checkRecordings(clock: Field, { startMillis, endMillis }: Span, recordings: Recordings): void {
  for (const [symbol, candles] of recordings) {
    const { atMillis, endMillis: ends } = getCandleTable(candles)
    const [from, to] = [atMillis[0] ?? 0, ends.at(-1) ?? 0]
    const extent = `the recording of ${symbol} goes from ${millisToIso(from)} to ${millisToIso(to)}`
    const start = childField(clock, 'start')
    const end = childField(clock, 'end')
    if (start !== null && (startMillis < from || startMillis >= to)) addMistake(start, extent)
    else if (end !== null && endMillis !== null && endMillis > to) addMistake(end, extent)
    else if (startMillis >= to) addMistake(clock, extent)
  }
}

/** Reads the start of the clock; null when it cannot be read. */
function compileStart(field: Field | null, recordings: Recordings | null): Millis | null {
  const text = textOr(field, recordings?.size === 0 ? defaultStart : 'data')
  if (text !== 'data') {
    const instant = isoToMillis(text)
    if (instant !== null && instant >= 0 && instant <= lastWorldMillis) return millis(instant)
    if (field !== null)
      addMistake(
        field,
        instant !== null && instant > 0
          ? `time ends at ${millisToIso(lastWorldMillis)}`
          : `${text} is not an instant since 1970`,
      )
    return null
  }
  // From the latest of the first candles on, every recording has begun.
  let latest = -1
  for (const candles of recordings?.values() ?? [])
    latest = Math.max(latest, candleAt(candles, 0)?.atMillis ?? -1)
  if (latest >= 0) return millis(latest)
  if (field !== null && recordings !== null) addMistake(field, '"data" needs an asset with the replay model')
  return null
}

/** Reads the end of the clock: null when there is none, undefined when it cannot be read. */
function compileEnd(
  field: Field | null,
  startMillis: Millis | null,
  recordings: Recordings | null,
): Millis | null | undefined {
  if (field === null && recordings?.size === 0) return null
  const isOfData = field === null || statedText(field) === 'data'
  if (isOfData && recordings === null) return undefined
  const end = isOfData
    ? findRecordingsEnd(recordings ?? new Map())
    : parseEnd(statedText(field), startMillis ?? millis(0))
  if (end === null) {
    if (field !== null) addMistake(field, `${statedText(field)} is neither a duration nor an instant`)
    return undefined
  }
  if (field !== null && startMillis !== null && (end <= startMillis || end - startMillis > maximumSpan)) {
    addMistake(field, 'the end must be after the start, by at most 100 years')
  } else if (field !== null && end > lastWorldMillis) {
    addMistake(field, `time ends at ${millisToIso(lastWorldMillis)}`)
  }
  return millis(end)
}

function parseEnd(text: string, startMillis: Millis): number | null {
  const span = parseDuration(text.startsWith('+') ? text.slice(1) : text)
  return span === null ? isoToMillis(text) : startMillis + span
}

/** Returns the earliest end of any recording; null when there are no candles. */
function findRecordingsEnd(recordings: Recordings): number | null {
  let earliest: number | null = null
  for (const candles of recordings.values()) {
    const end = getCandleTable(candles).endMillis.at(-1)
    if (end === undefined) continue
    earliest = earliest === null ? end : Math.min(earliest, end)
  }
  return earliest
}

export const clockSchema: Shape = {
  type: 'object',
  additionalProperties: false,
  description: 'Start, end and grid of the run, and how its clock moves on a server.',
  properties: {
    start: {
      oneOf: [instant, { const: 'data' }],
      title: 'an instant, or "data" for the first candle of the replay',
      description: `The first instant; ${defaultStart} unless stated, or the beginning of the recording.`,
    },
    end: {
      title: 'a duration after the start, an instant, or "data" for the end of the replay',
      type: 'string',
      minLength: 1,
      maxLength: 40,
      description: 'The last instant of a run; the last action or expectation by default.',
    },
    mode: {
      enum: modes,
      description:
        'What moves the clock of a server: only the admin API (manual, stepped), real time times speed (realtime, scaled), each request by a step (auto), or the clocks of clients, by the X-API-Timestamp of each request (follow).',
    },
    speed: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: highestSpeed,
      description: 'World seconds per second of real time.',
    },
    stepMs: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'How far each request moves the clock in mode auto, in milliseconds.',
      default: defaultStepMillis,
    },
    maxMs: {
      type: 'integer',
      minimum: 1,
      maximum: longestAdvanceMillis,
      description:
        'How far one request may move the clock in mode follow, in milliseconds; a longer jump is refused.',
      default: defaultJumpMillis,
    },
    grid: schemaInFile(
      span(shortestGridMillis, longestGridMillis, 'Time between two steps of the market.', {
        default: defaultGrid,
      }),
    ),
    scale: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: highestSpeed,
      description: 'Another name for speed.',
    },
    tz: { const: 'UTC', description: 'All times are UTC.' },
  },
}
