import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'
import { listValues, type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { defineCommand } from '../define-command.ts'
import { type Evidence, findLack, formatEvidence } from '../evidence.ts'
import { CliFailure, dataFailure, exitCode, usageFailure } from '../failure.ts'
import { readTextFile, refuseOwnInput, writeOutput } from '../files.ts'
import { aFlag, type FlagsOf, jsonFlag } from '../flags.ts'
import { createPainter, formatCount, jsonLine, jsonText, type Paint, type Terminal } from '../terminal.ts'
import type { Exchange } from './drift-exchange.ts'
import { unobservableReadings } from './drift-input-rules.ts'
import { combineSources, judgeSources, type Source } from './judge-exchanges.ts'
import { type IgnoredEntry, readRecording } from './read-recording.ts'
import { shortenKey } from './recorded-headers.ts'

const driftFlags = {
  har: {
    ...aFlag('<file>', 'the recording, as browsers, proxies and `otcsim record` write it'),
    isRequired: true,
  },
  source: aFlag('<text>', 'only venues and keys whose address or key has this in it'),
  output: { ...aFlag('<file>', 'the file for the proved readings, such as readings.json'), short: 'o' },
  json: jsonFlag,
}

type DriftOptions = FlagsOf<typeof driftFlags>

export const driftCommand = defineCommand({ flags: driftFlags, act: drift })

const maximumHarBytes = 512 * 1024 * 1024

/**
 * Runs `otcsim drift`. Errors: a venue that contradicts itself (1); `-o` for sources that differ, or over the recording
 * itself (2); no recording, none of an operation of the interface, and one that shows nothing (5).
 */
function drift({ har, source: wanted, output, json }: DriftOptions, terminal: Terminal): void {
  refuseOwnInput(terminal.cwd, har, output)
  const recording = readRecording(readTextFile(terminal.cwd, har, maximumHarBytes, exitCode.unusableData))
  if (recording === null) throw dataFailure(`${har} is not a HAR recording`)
  const { entries, leftOut } = recording
  const exchanges = recording.exchanges.filter(
    ({ venue, apiKey }) => wanted === undefined || `${venue} ${apiKey ?? ''}`.includes(wanted),
  )
  const sources = judgeSources(exchanges)
  const keys = new Set(sources.flatMap(({ verdicts }) => verdicts.map(({ key }) => key)))
  const lookedAt: Evidence = { exchanges: exchanges.length, readings: keys.size }
  const { proved, disputed } = combineSources(sources)
  const isPinnable = output !== undefined && keys.size > 0 && disputed.size === 0
  const pins = isPinnable ? writePins(output, proved, sources, terminal) : null
  const report: DriftReport = { sources, leftOut, entries, lookedAt, proved, disputed, pins }
  terminal.out(json === true ? jsonLine(toPlainReport(report)) : formatReport(report, terminal))

  const contradictions = sources.flatMap((source) => {
    const about = source.verdicts.filter(({ fits }) => fits.length === 0).map(({ key }) => key)
    return about.length === 0 ? [] : [`${nameSource(source)} about ${about.join(', ')}`]
  })
  if (contradictions.length > 0)
    throw new CliFailure(
      exitCode.expectationFailed,
      `${har} contradicts itself: ${contradictions.join('; ')}. Is it of several venues behind one address, or of two versions of one?`,
    )
  if (output !== undefined && disputed.size > 0)
    throw usageFailure(
      `${output} is not written, because its venues and keys differ in ${[...disputed.keys()].join(', ')}: choose one with --source`,
    )
  const lack = findRecordingLack(har, exchanges.length, entries, wanted)
  if (lack !== null) throw dataFailure(lack)
  const isOperation = exchanges.some(({ operation, isWrongMethod }) => operation !== null || isWrongMethod)
  if (!isOperation)
    throw dataFailure(`${har}: none of ${exchanges.length} exchanges is an operation of the interface`)
  const nothing = findLack(lookedAt, ['exchanges', 'readings'])
  if (nothing !== null) throw dataFailure(`${har}: ${nothing}`)
}

function findRecordingLack(har: string, exchanges: number, entries: number, wanted: string | undefined) {
  if (exchanges > 0) return null
  return wanted === undefined
    ? `${har}: none of ${entries} entries is about /api/sdk and has an answer`
    : `${har}: no venue and no key has "${wanted}" in it`
}

/** What `otcsim drift` has found in a recording. */
interface DriftReport {
  readonly sources: readonly Source[]
  readonly leftOut: readonly IgnoredEntry[]
  readonly entries: number
  readonly lookedAt: Evidence
  /** The readings that some venue and key prove, and none refutes. */
  readonly proved: ReadonlyMap<ReadingKey, string>
  readonly disputed: ReturnType<typeof combineSources>['disputed']
  readonly pins: PinChanges | null
}

/** Names a venue and a key. The key is shortened, because reports are shown around. */
const nameSource = ({ venue, apiKey }: Pick<Source, 'venue' | 'apiKey'>): string =>
  `${venue} with ${apiKey === null ? 'a key that is not recorded' : `key ${shortenKey(apiKey)}`}`

/** Returns a report as plain data for programs. */
function toPlainReport({ sources, leftOut, entries, lookedAt, proved, disputed, pins }: DriftReport): object {
  const identify = ({ venue, apiKey }: Source) => ({
    venue,
    apiKey: apiKey === null ? null : shortenKey(apiKey),
  })
  return {
    entries,
    exchanges: lookedAt.exchanges,
    lookedAt,
    leftOut,
    readings: Object.fromEntries(proved),
    disputed: [...disputed].map(([key, values]) => ({
      key,
      values: values.map(({ source, fits }) => ({ ...identify(source), fits })),
    })),
    sources: sources.map((source) => ({ ...identify(source), exchanges: source.exchanges })),
    verdicts: sources.flatMap((source) =>
      source.verdicts.map(({ key, fits, shownBy, evidence }) => ({
        ...identify(source),
        key,
        fits,
        shownBy,
        evidence: evidence.map((one) => ({ ...describeExchange(one.exchange), fits: one.fits })),
      })),
    ),
    ...(pins === null ? {} : { pins }),
  }
}

function describeExchange({ entry, method, venue, path, search, status, startMillis }: Exchange) {
  const at = Number.isNaN(startMillis) ? null : millisToIso(startMillis)
  return { entry, at, method, url: `${venue}${path}${search}`, status }
}

/** Formats a report for people. */
function formatReport(report: DriftReport, terminal: Terminal): string {
  const { sources, leftOut, entries, lookedAt, disputed, pins } = report
  const paint = createPainter(terminal, terminal.isOutTty)
  const silent = readingKeys.filter((key) =>
    sources.every(({ verdicts }) => verdicts.every((one) => one.key !== key)),
  )
  const reasons = silent.flatMap((key) =>
    unobservableReadings[key] === undefined ? [] : [`  ${key}: ${unobservableReadings[key]}`],
  )
  const other = silent.filter((key) => unobservableReadings[key] === undefined)
  return `${[
    formatEvidence(lookedAt, { exchanges: entries === 1 ? 'of 1 entry' : `of ${entries} entries` }),
    ...listLeftOut(leftOut),
    ...sources.flatMap((source) => formatSource(source, paint)),
    '',
    ...[...disputed].map(
      ([key, values]) =>
        `${paint('yellow', '≠')} ${key} differs: ${values.map(({ source, fits }) => `${fits.join(' or ')} at ${nameSource(source)}`).join(', ')}`,
    ),
    `nothing is known about ${formatCount(silent.length, 'reading')}`,
    ...(other.length === 0 ? [] : [`  not in this recording: ${other.join(', ')}`]),
    ...(reasons.length === 0 ? [] : ['  in no recording:', ...reasons.map((reason) => `  ${reason}`)]),
    ...(pins === null ? [] : [formatPins(pins)]),
  ].join('\n')}\n`
}

function formatSource(source: Source, paint: Paint): readonly string[] {
  const count = formatCount(source.exchanges, 'exchange')
  const lines = source.verdicts.map((verdict) => formatVerdict(verdict, paint))
  return [
    '',
    `${nameSource(source)}: ${count}`,
    ...(lines.length === 0 ? ['  shows nothing of any reading'] : lines),
  ]
}

function formatVerdict({ key, fits, shownBy, evidence }: Source['verdicts'][number], paint: Paint): string {
  const [value] = fits
  const isOther = fits.length === 1 && value !== listValues(key)[0]
  const mark = fits.length === 0 ? paint('red', '✗') : isOther ? paint('yellow', '≠') : paint('green', '✓')
  const places = evidence.map(({ exchange }) => formatExchange(exchange)).join(', ')
  const more = shownBy - evidence.length
  const by = paint('dim', `${places}${more === 0 ? '' : `; ${more} more`}`)
  if (fits.length === 0) {
    const against = evidence.map((one) => `${one.fits.join('|')} by ${formatExchange(one.exchange)}`)
    return `${mark} ${key}: contradicts itself: ${against.join(', ')}`
  }
  if (fits.length === 1) return `${mark} ${key}: ${value}${isOther ? ' (not our default)' : ''}  ${by}`
  const refuted = listValues(key).filter((one) => !fits.includes(one))
  return `${mark} ${key}: ${fits.join(' or ')}, not ${refuted.join(' or ')}  ${by}`
}

function formatExchange(exchange: Exchange): string {
  const { entry, at, method, status } = describeExchange(exchange)
  const path = exchange.path.replace(/^\/api\/sdk/, '')
  return `#${entry} ${method} ${path}${exchange.search} ${status}${at === null ? '' : ` ${at}`}`
}

/** Lists the entries that were not judged, or not in full, by reason. */
function listLeftOut(leftOut: readonly IgnoredEntry[]): readonly string[] {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const entries = leftOut.filter((one) => one.reason === reason).map(({ entry }) => `#${entry}`)
    const shown = entries.slice(0, 10).join(' ')
    return `  left out: ${reason}: ${shown}${entries.length > 10 ? ` and ${entries.length - 10} more` : ''}`
  })
}

function formatPins({ file, added, changed, kept }: PinChanges): string {
  const list = (word: string, keys: readonly string[]) =>
    keys.length === 0 ? [] : [`${word} ${keys.join(', ')}`]
  const parts = [
    ...list('added', added),
    ...list(
      'changed',
      changed.map(({ key }) => key),
    ),
  ]
  return `${file}: ${[...parts, `${kept} as before`].join('; ')}`
}

/** What `-o` has done to the pins of a file. */
interface PinChanges {
  readonly file: string
  readonly added: readonly string[]
  readonly changed: readonly { readonly key: string; readonly before: unknown; readonly after: string }[]
  /** Pins that the recording refutes without proving another value. They stay. */
  readonly refuted: readonly {
    readonly key: string
    readonly pin: unknown
    readonly fits: readonly string[]
  }[]
  readonly kept: number
}

/** Adds what is proved to the pins of a file, and says which of them change. What is not proved stays as it is. */
function writePins(
  file: string,
  proved: ReadonlyMap<ReadingKey, string>,
  sources: readonly Source[],
  terminal: Terminal,
): PinChanges {
  const known = existsSync(resolve(terminal.cwd, file))
    ? parseJson(readTextFile(terminal.cwd, file, maximumPinBytes))
    : {}
  if (!isObject(known)) throw usageFailure(`${file} has no readings: it is no JSON object`)
  const added = [...proved.keys()].filter((key) => !Object.hasOwn(known, key))
  const changed = [...proved].flatMap(([key, after]) => {
    const before = known[key]
    return before === undefined || String(before) === after ? [] : [{ key, before, after }]
  })
  const refuted = sources.flatMap(({ verdicts }) =>
    verdicts.flatMap(({ key, fits }) => {
      const pin = known[key]
      const isHeld = pin === undefined || proved.has(key) || fits.length === 0 || fits.includes(String(pin))
      return isHeld ? [] : [{ key, pin, fits }]
    }),
  )
  const isWritten = added.length + changed.length > 0 || !existsSync(resolve(terminal.cwd, file))
  if (isWritten) writeOutput(terminal, file, jsonText({ ...known, ...Object.fromEntries(proved) }))
  for (const { key, before, after } of changed)
    terminal.err(`${file}: ${key} was ${JSON.stringify(before)} and is ${JSON.stringify(after)} now\n`)
  for (const { key, pin, fits } of refuted)
    terminal.err(
      `${file}: ${key} is ${JSON.stringify(pin)}, which the recording refutes: ${fits.join(' or ')}\n`,
    )
  return { file, added, changed, refuted, kept: Object.keys(known).length - changed.length }
}

const maximumPinBytes = 1024 * 1024
