import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'
import { listValues, type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import { defineCommand } from '../define-command.ts'
import { type Evidence, findLack, formatEvidence } from '../evidence.ts'
import { CliFailure, dataFailure, exitCode, usageFailure } from '../failure.ts'
import { readFile, writeFile } from '../files.ts'
import { aFlag, type FlagsOf, jsonFlag } from '../flags.ts'
import { createPainter, jsonLine, jsonText, type Terminal } from '../terminal.ts'
import { type Exchange, type ExchangeHistory, readHar } from './drift-exchange.ts'
import { unobservableReadings } from './drift-input-rules.ts'
import { applyRules, createHistory } from './drift-rules.ts'

const driftFlags = {
  har: { ...aFlag('<file>', 'the recording, as browsers and proxies write it'), isRequired: true },
  output: { ...aFlag('<file>', 'the file for the proved readings, such as readings.json'), short: 'o' },
  json: jsonFlag,
}

type DriftOptions = FlagsOf<typeof driftFlags>

export const driftCommand = defineCommand({ flags: driftFlags, act: drift })

/** What a recording says about one reading. */
interface Verdict {
  readonly key: ReadingKey
  /** The values that fit every exchange: one value is proved, none is a contradiction. */
  readonly fits: readonly string[]
  /** The entries of the recording, counted from 0, that ruled a value out, each with the values that it fits. */
  readonly evidence: readonly { readonly entry: number; readonly fits: readonly string[] }[]
}

const maximumHarBytes = 512 * 1024 * 1024
const maximumPinBytes = 1024 * 1024

/**
 * Runs `otcsim drift`. Errors: a recording that contradicts itself (1); no recording, none of an operation of the interface,
 * and one that shows nothing (5).
 */
function drift(options: DriftOptions, terminal: Terminal): void {
  const bytes = readFile(terminal.cwd, options.har, maximumHarBytes, exitCode.unusableData)
  const recording = readHar(bytes.toString('utf8'))
  if (recording === null) throw dataFailure(`${options.har} is not a HAR recording`)
  const { exchanges, entries } = recording
  const isOperation = ({ operation, isWrongMethod }: Exchange): boolean => operation !== null || isWrongMethod
  const verdicts = judgeExchanges(exchanges)
  const proved = Object.fromEntries(
    verdicts.flatMap(({ key, fits: [only, ...others] }) =>
      only === undefined || others.length > 0 ? [] : [[key, only]],
    ),
  )
  const lookedAt: Evidence = { exchanges: exchanges.length, readings: verdicts.length }
  const leftOut = exchanges.flatMap((exchange) => {
    const reason = isOperation(exchange) ? (exchange.raw === null ? 'no body' : null) : 'no operation'
    return reason === null ? [] : [{ entry: exchange.entry, reason }]
  })
  if (options.output !== undefined && verdicts.length > 0) writePins(options.output, proved, terminal)
  if (options.json === true)
    terminal.out(jsonLine({ exchanges: exchanges.length, lookedAt, leftOut, readings: proved, verdicts }))
  else terminal.out(formatVerdicts(verdicts, { lookedAt, leftOut, entries }, terminal))
  const contradicted = verdicts.filter(({ fits }) => fits.length === 0).map(({ key }) => key)
  if (contradicted.length > 0)
    throw new CliFailure(
      exitCode.expectationFailed,
      `${options.har} contradicts itself about ${contradicted.join(', ')}: is it of several venues, or of two versions of one?`,
    )
  if (exchanges.length === 0)
    throw dataFailure(`${options.har}: none of ${entries} entries is about /api/sdk`)
  if (!exchanges.some(isOperation))
    throw dataFailure(
      `${options.har}: none of ${exchanges.length} exchanges is an operation of the interface`,
    )
  const lack = findLack(lookedAt, ['exchanges', 'readings'])
  if (lack !== null) throw dataFailure(`${options.har}: ${lack}`)
}

/** Adds what is proved to the pins of a file, and says which of them change. What is not proved stays as it is. */
function writePins(file: string, proved: Readonly<Record<string, string>>, terminal: Terminal): void {
  const known = existsSync(resolve(terminal.cwd, file))
    ? parseJson(readFile(terminal.cwd, file, maximumPinBytes).toString('utf8'))
    : {}
  if (!isObject(known)) throw usageFailure(`${file} has no readings: it is no JSON object`)
  for (const [key, value] of Object.entries(proved)) {
    const before = known[key]
    if (before !== undefined && before !== value)
      terminal.err(`${file}: ${key} was ${JSON.stringify(before)} and is ${JSON.stringify(value)} now\n`)
  }
  writeFile(terminal.cwd, file, jsonText({ ...known, ...proved }))
}

/** Judges each reading, in the order of the catalogue. Readings that no exchange restricts are left out. */
export function judgeExchanges(exchanges: readonly Exchange[]): readonly Verdict[] {
  const histories = new Map<string, ExchangeHistory>()
  const found = new Map<ReadingKey, Omit<Verdict, 'key'>>()
  for (const exchange of exchanges) {
    const memory = histories.get(exchange.source) ?? createHistory()
    histories.set(exchange.source, memory)
    for (const { key, fits } of applyRules(exchange, memory)) {
      const before = found.get(key) ?? { fits: listValues(key), evidence: [] }
      const left = before.fits.filter((value) => fits.includes(value))
      if (left.length === before.fits.length) continue
      found.set(key, { fits: left, evidence: [...before.evidence, { entry: exchange.entry, fits }] })
    }
  }
  return readingKeys.flatMap((key) => {
    const verdict = found.get(key)
    return verdict === undefined ? [] : [{ key, ...verdict }]
  })
}

/** What a recording had, besides its verdicts. */
interface Scope {
  readonly lookedAt: Evidence
  readonly leftOut: readonly { readonly entry: number; readonly reason: string }[]
  readonly entries: number
}

function formatVerdicts(
  verdicts: readonly Verdict[],
  { lookedAt, leftOut, entries: all }: Scope,
  terminal: Terminal,
): string {
  const paint = createPainter(terminal, terminal.isOutTty)
  const lines = verdicts.map(({ key, fits, evidence }) => {
    const entries = evidence.map(({ entry }) => `#${entry}`).join(' ')
    const isOther = fits.length === 1 && fits[0] !== listValues(key)[0]
    const mark = fits.length === 0 ? paint('red', '✗') : isOther ? paint('yellow', '≠') : paint('green', '✓')
    const refuted = listValues(key).filter((value) => !fits.includes(value))
    const against = evidence.map(({ entry, fits: left }) => `#${entry} ${left.join('|')}`)
    const proved = `${fits[0]}${isOther ? ' (not our default)' : ''}`
    const open = fits.length === 1 ? proved : `${fits.join(' or ')}, not ${refuted.join(' or ')}`
    const what = fits.length === 0 ? `contradicts itself: ${against.join(', ')}` : open
    return `${mark} ${key}: ${what}  ${paint('dim', entries)}`
  })
  const silent = readingKeys.filter((key) => verdicts.every((verdict) => verdict.key !== key))
  const reasons = silent.flatMap((key) =>
    unobservableReadings[key] === undefined ? [] : [`  ${key}: ${unobservableReadings[key]}`],
  )
  const other = silent.filter((key) => unobservableReadings[key] === undefined)
  return `${[
    formatEvidence(lookedAt, { exchanges: `of ${all} entries` }),
    ...listLeftOut(leftOut),
    '',
    ...lines,
    '',
    `nothing is known about ${silent.length} readings`,
    ...(other.length === 0 ? [] : [`  not in this recording: ${other.join(', ')}`]),
    ...(reasons.length === 0 ? [] : ['  in no recording:', ...reasons.map((reason) => `  ${reason}`)]),
  ].join('\n')}\n`
}

/** Lists the entries that were not judged in full, by reason. */
function listLeftOut(leftOut: Scope['leftOut']): readonly string[] {
  const reasons = [...new Set(leftOut.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const entries = leftOut.filter((one) => one.reason === reason).map(({ entry }) => `#${entry}`)
    const shown = entries.slice(0, 10).join(' ')
    return `  ${reason}: ${shown}${entries.length > 10 ? ` and ${entries.length - 10} more` : ''}`
  })
}
