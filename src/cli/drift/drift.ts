import { listValues, type ReadingKey, readingKeys } from '../../api/readings/readings.ts'
import { defineCommand } from '../define-command.ts'
import { dataFailure, exitCode } from '../failure.ts'
import { readFile, writeFile } from '../files.ts'
import { aFlag, type FlagsOf, jsonFlag } from '../flags.ts'
import { createPainter, jsonLine, jsonText, type Terminal } from '../terminal.ts'
import { type Exchange, type ExchangeHistory, readHar } from './drift-exchange.ts'
import { unobservableReadings } from './drift-input-rules.ts'
import { applyRules } from './drift-rules.ts'

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

/** Runs `otcsim drift`. Errors: no recording (5); a recording without a request to the venue (5). */
function drift(options: DriftOptions, terminal: Terminal): void {
  const bytes = readFile(terminal.cwd, options.har, maximumHarBytes, exitCode.unusableData)
  const recording = readHar(bytes.toString('utf8'))
  if (recording === null) throw dataFailure(`${options.har} is not a HAR recording`)
  const { exchanges, entries } = recording
  if (exchanges.length === 0)
    throw dataFailure(`${options.har}: none of ${entries} entries is about /api/sdk`)
  const verdicts = judgeExchanges(exchanges)
  const pins = Object.fromEntries(
    verdicts.flatMap(({ key, fits }) => (fits.length === 1 ? [[key, fits[0]]] : [])),
  )
  if (options.output !== undefined) writeFile(terminal.cwd, options.output, jsonText(pins))
  if (options.json === true) terminal.out(jsonLine({ exchanges: exchanges.length, readings: pins, verdicts }))
  else terminal.out(formatVerdicts(verdicts, exchanges.length, terminal))
}

/** Judges each reading, in the order of the catalogue. Readings that no exchange restricts are left out. */
export function judgeExchanges(exchanges: readonly Exchange[]): readonly Verdict[] {
  const memory: ExchangeHistory = {
    endedIds: new Set(),
    clientIds: new Map(),
    refusedClientIds: new Set(),
    assets: new Set(),
    minima: new Map(),
  }
  const found = new Map<ReadingKey, Omit<Verdict, 'key'>>()
  for (const exchange of exchanges) {
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

function formatVerdicts(verdicts: readonly Verdict[], exchanges: number, terminal: Terminal): string {
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
    `${exchanges} exchanges`,
    '',
    ...lines,
    '',
    `nothing is known about ${silent.length} readings`,
    ...(other.length === 0 ? [] : [`  not in this recording: ${other.join(', ')}`]),
    ...(reasons.length === 0 ? [] : ['  in no recording:', ...reasons.map((reason) => `  ${reason}`)]),
  ].join('\n')}\n`
}
