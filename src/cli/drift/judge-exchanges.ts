import { listValues, type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import {
  asObject,
  type Exchange,
  type Finding,
  findErrorType,
  isSuccess,
  isVenueError,
  listItems,
  refusedField,
  toFinding,
} from './drift-exchange.ts'
import { type AccountHistory, gatherHistory, type Rule } from './drift-history.ts'
import { checkWrongMethod, inputRules } from './drift-input-rules.ts'
import { checkStatus, lifeRules } from './drift-life-rules.ts'
import { shapeRules } from './drift-shape-rules.ts'
import { isEnvelope } from './read-recording.ts'
import { readSignatureForm } from './recorded-headers.ts'

/** What a recording says about one reading at one source. */
interface Verdict {
  readonly key: ReadingKey
  /** The values that fit every exchange: one value is proved, none is a contradiction. */
  readonly fits: readonly string[]
  /** The exchanges that ruled a value out which had fitted until then, each with the values that it fits. */
  readonly evidence: readonly { readonly exchange: Exchange; readonly fits: readonly string[] }[]
  /** How many exchanges show something of the reading. */
  readonly shownBy: number
}

/** The exchanges of one key at one venue, and what they say about readings. */
export interface Source {
  readonly venue: string
  /** Null where the recording does not show the key. */
  readonly apiKey: string | null
  readonly exchanges: number
  readonly verdicts: readonly Verdict[]
}

/** Judges each venue and key by itself, in the order in which they first show. Ids mean something at one of them only. */
export function judgeSources(exchanges: readonly Exchange[]): readonly Source[] {
  const groups = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const name = JSON.stringify([exchange.venue, exchange.apiKey])
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [exchange])
    else group.push(exchange)
  }
  return [...groups.values()].flatMap((group): Source[] => {
    const [first] = group
    if (first === undefined) return []
    return [
      { venue: first.venue, apiKey: first.apiKey, exchanges: group.length, verdicts: judgeGroup(group) },
    ]
  })
}

/** Judges each reading, in the order of the catalogue. Readings that no exchange restricts are left out. */
function judgeGroup(exchanges: readonly Exchange[]): readonly Verdict[] {
  const history = gatherHistory(exchanges)
  const found = new Map<ReadingKey, Omit<Verdict, 'key'>>()
  for (const exchange of exchanges) {
    for (const { key, fits } of applyRules(exchange, history)) {
      const before = found.get(key) ?? { fits: listValues(key), evidence: [], shownBy: 0 }
      const left = before.fits.filter((value) => fits.includes(value))
      if (!listValues(key).every((value) => fits.includes(value)))
        found.set(key, {
          fits: left,
          evidence:
            left.length === before.fits.length ? before.evidence : [...before.evidence, { exchange, fits }],
          shownBy: before.shownBy + 1,
        })
    }
  }
  return readingKeys.flatMap((key) => {
    const verdict = found.get(key)
    return verdict === undefined ? [] : [{ key, ...verdict }]
  })
}

/** The values that two sources prove of one reading, or prove and refute, by the names of the sources. */
type Disputed = ReadonlyMap<
  ReadingKey,
  readonly { readonly source: Source; readonly fits: readonly string[] }[]
>

/**
 * Combines what sources prove. A reading of which they show different values is disputed. A source that contradicts
 * itself may be of two venues, so nothing of it counts.
 */
export function combineSources(sources: readonly Source[]): {
  readonly proved: ReadonlyMap<ReadingKey, string>
  readonly disputed: Disputed
} {
  const sound = sources.filter(({ verdicts }) => verdicts.every(({ fits }) => fits.length > 0))
  const all = sound.flatMap((source) => source.verdicts.map(({ key, fits }) => ({ source, key, fits })))
  const proved = new Map<ReadingKey, string>()
  const disputed = new Map<ReadingKey, { source: Source; fits: readonly string[] }[]>()
  for (const { key, fits } of all) {
    const [value, ...others] = fits
    if (value === undefined || others.length > 0) continue
    const about = all.filter((verdict) => verdict.key === key)
    if (about.every((verdict) => verdict.fits.includes(value))) proved.set(key, value)
    else disputed.set(key, about)
  }
  return { proved, disputed }
}

/*
 * Rules about how the venue reads the open points of the specification. A rule returns the values that fit one recorded
 * exchange; all other values are refuted. It returns nothing when the exchange shows nothing.
 */

/** Applies all rules to one exchange, compared with the facts of its recording. */
function applyRules(exchange: Exchange, history: AccountHistory): readonly Finding[] {
  if (exchange.outcome === 'unknown') return []
  // Without a recorded body, what is absent from it proves nothing.
  const applied = exchange.raw === null ? headRules : [...headRules, ...bodyRules]
  const findings =
    exchange.operation === null
      ? checkWrongMethod(exchange)
      : applied.flatMap((rule) => rule(exchange, history))
  // A value that no reading has is an answer that nobody foresaw.
  return findings.filter(({ key, fits }) => listValues(key).some((value) => fits.includes(value)))
}

function checkEnvelope(exchange: Exchange): readonly Finding[] {
  if (!isSuccess(exchange)) return []
  return [toFinding('envelope', isEnvelope(exchange.raw) ? 'wrapped' : 'bare')]
}

function checkBatchStatus(exchange: Exchange): readonly Finding[] {
  const { operation, status, body } = exchange
  if ((operation !== 'createOrders' && operation !== 'updateQuotes') || !isSuccess(exchange)) return []
  const results = listItems(body, 'results')
  const failed = results.filter(({ success }) => success === false).length
  if (failed === 0) return []
  if (status === 207 || status === 422) return [toFinding('batchStatus', String(status))]
  return [toFinding('batchStatus', 'same', ...(failed === results.length ? [] : ['422']))]
}

function checkError(exchange: Exchange): readonly Finding[] {
  const { status } = exchange
  if (!isVenueError(exchange)) return []
  const { message } = asObject(exchange.raw)
  const found: Finding[] = []
  const isValidation = status === 400
  if (typeof message === 'string')
    found.push(toFinding('error.message', 'string', ...(isValidation ? [] : ['list'])))
  else if (Array.isArray(message))
    found.push(toFinding('error.message', 'array', ...(isValidation ? ['list'] : [])))
  const { type = null, place = null } = findErrorType(exchange) ?? {}
  // Errors with these statuses always have a type, so its absence is the venue's choice.
  if (place !== null) found.push(toFinding('error.typeField', place))
  else if ([401, 403, 429].includes(status)) found.push(toFinding('error.typeField', 'none'))
  if (type === 'INSUFFICIENT_BALANCE')
    found.push(
      toFinding('error.balanceType', 'INSUFFICIENT_BALANCE'),
      toFinding('error.balanceStatus', String(status)),
    )
  return [...found, ...checkDenial(exchange, type)]
}

/**
 * Checks the refusal of a timestamp or a signature. One that is malformed is refused by a reading of its own, and the error
 * names its header. For any other, the recording has to show how it was: what is missing there may have been left out by
 * the recorder.
 */
function checkDenial(exchange: Exchange, type: unknown): readonly Finding[] {
  const { requestHeaders, status } = exchange
  const field = refusedField(exchange)
  if (['x-api-timestamp', 'x-api-signature'].includes(String(field).toLowerCase()))
    return [toFinding('auth.malformed', String(status))]
  const isPlain = /^[1-9]\d{0,15}$/.test(requestHeaders.get('x-api-timestamp') ?? '')
  if (!isPlain || field !== undefined) return []
  if (type === 'TIMESTAMP_EXPIRED') return [toFinding('auth.timestampStatus', String(status))]
  return type === 'INVALID_SIGNATURE' && readSignatureForm(requestHeaders) !== null
    ? [toFinding('auth.signatureStatus', String(status))]
    : []
}

function checkHeaders(exchange: Exchange, { isDated }: AccountHistory): readonly Finding[] {
  const found: Finding[] = []
  const { headers, requestHeaders } = exchange
  const resetText = headers.get('x-ratelimit-reset') ?? ''
  const reset = /^\d+$/.test(resetText) ? Number(resetText) : Number.NaN
  if (reset > 1e11) found.push(toFinding('rate.resetUnit', 'milliseconds'))
  else if (reset > 1e8) found.push(toFinding('rate.resetUnit', 'seconds'))
  else if (reset >= 0 && reset < longestWindowSeconds) found.push(toFinding('rate.resetUnit', 'delta'))
  if (isSuccess(exchange) && readSignatureForm(requestHeaders) === 'upper')
    found.push(toFinding('signature.hex', 'any'))
  // The recorder's clock may be wrong, so the venue's own count: it answered within the second of its Date header.
  const answeredMillis = ['date', 'x-sim-time'].map((name) => Date.parse(headers.get(name) ?? '') + 999)
  const latestMillis = Math.max(...answeredMillis.filter((millis) => !Number.isNaN(millis)))
  const aheadMillis = Number(requestHeaders.get('x-api-timestamp')) - latestMillis
  const bounds = [1000, 5000, 30_000]
  if (isDated && isSuccess(exchange) && Number.isFinite(aheadMillis) && aheadMillis > 1000) {
    const fits = bounds.filter((bound) => aheadMillis <= bound).map(String)
    found.push(toFinding('auth.futureMs', ...fits, 'unlimited'))
  }
  return found
}

const longestWindowSeconds = 100_000

/** Rules that a status and headers alone can show something to. */
const headRules: readonly Rule[] = [checkStatus, checkHeaders]

/** Rules that look at the body of the response. */
const bodyRules: readonly Rule[] = [
  ...[checkEnvelope, checkBatchStatus, checkError],
  ...shapeRules,
  ...lifeRules,
  ...inputRules,
]
