import { resolve } from 'node:path'
import { flagName } from '../../api/options.ts'
import { quoteShellWord } from '../../backtest/parameters.ts'
import type { BookOptions } from '../../market/books/readers/book-options.ts'
import type { FileOptions } from '../../market/recordings/file-options.ts'
import { formatInterpretation } from '../../market/recordings/interpretation.ts'
import { type RecordingSummary, summarizeReading } from '../../market/recordings/recording-summary.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { withCommas } from '../../numeric/units.ts'
import { type Evidence, findLack, formatEvidence } from '../evidence.ts'
import { dataFailure } from '../failure.ts'
import { jsonText, type Terminal } from '../terminal.ts'
import { nameBookFlags } from './books/book-flags.ts'
import { type BookReport, describeBook, diagnoseBook, isBookFile } from './books/examine-book.ts'
import type { BookFiles } from './books/read-book.ts'
import { expandFile, formatProblem, nameFileFlags, readFileWhole } from './read-recording.ts'

/** What `doctor` is asked about: files, and the files of one recorded book, which are read together. */
export interface ExamineRequest {
  readonly files: readonly string[]
  readonly options: FileOptions
  readonly book: BookFiles | null
  readonly bookOptions: BookOptions
  readonly isJson: boolean
}

/** Prints what files hold, how they are understood and how to use them. Fails when one of them cannot be used as it is. */
export function examineFiles(
  { book, bookOptions, files, isJson, options }: ExamineRequest,
  terminal: Terminal,
): void {
  const { cwd } = terminal
  const named = files.flatMap((file) => expandFile(file, cwd))
  const found = [
    ...(book === null ? [] : [examineBook(book, bookOptions, cwd)]),
    ...named.map((file) => {
      const path = resolve(cwd, file)
      if (isBookFile(path)) return examineBook({ book: [file], trades: [] }, bookOptions, cwd)
      const diagnosis = diagnose(file, path, options)
      return { diagnosis, text: describe(diagnosis) }
    }),
  ]
  const lookedAt: Evidence = { rows: found.reduce((sum, { diagnosis }) => sum + diagnosis.rows, 0) }
  const lack = findLack(lookedAt, ['rows'])
  const bad = found.filter(({ diagnosis }) => !diagnosis.ok)
  const isOk = bad.length === 0 && lack === null
  if (isJson) terminal.out(jsonText({ ok: isOk, lookedAt, files: found.map(({ diagnosis }) => diagnosis) }))
  else terminal.out(`${found.map(({ text }) => text).join('\n')}\n${formatEvidence(lookedAt)}\n`)
  if (bad.length > 0) {
    const noun = found.length === 1 ? 'the file' : `${bad.length} of ${found.length} files`
    throw dataFailure(`${noun} cannot be used as it is`)
  }
  if (lack !== null) throw dataFailure(lack)
}

function examineBook(files: BookFiles, options: BookOptions, cwd: string) {
  const diagnosis = nameFlagsIn(diagnoseBook(files, options, cwd))
  return { diagnosis, text: describeBook(diagnosis) }
}

/** Names options as flags in what is said of a book. */
const nameFlagsIn = (diagnosis: BookReport): BookReport => ({
  ...diagnosis,
  reason: diagnosis.reason === null ? null : nameBookFlags(diagnosis.reason),
  warnings: diagnosis.warnings.map(nameBookFlags),
})

type Diagnosis = ReturnType<typeof diagnose>

/** Describes a file as `--json` prints it. `reason` says why a replay would not accept the file; null when it would. */
function diagnose(file: string, path: string, options: FileOptions) {
  const answer = readFileWhole(path, options)
  if (!answer.ok) {
    const none = { read: null, explanation: null, survey: null, warnings: [], advice: [] }
    return { file, ok: false, reason: answer.reason, rows: 0, ...none }
  }
  const { reading } = answer
  const { explanation, problem } = reading
  const goodRows = reading.kind === 'trades' ? reading.rows.length : reading.rows.count
  const hasRows = goodRows + reading.badRows > 0
  const survey = hasRows ? summarizeReading(reading) : null
  const reason = problem === null ? null : nameFileFlags(formatProblem(path, reading))
  return {
    file,
    ok: problem === null,
    reason,
    /** How many it has, good and bad ones. */
    rows: goodRows + reading.badRows,
    /** The line that stands on every run with the file. */
    read: explanation === null ? null : nameFileFlags(formatInterpretation(explanation)),
    explanation,
    survey,
    warnings: explanation?.warnings ?? [],
    advice: survey === null || problem !== null ? [] : listAdvice(file, survey, options),
  }
}

function listAdvice(file: string, survey: RecordingSummary, options: FileOptions): readonly string[] {
  const days = (survey.toMillis - survey.fromMillis) / 86_400_000
  const { volumeIn, ...others } = options
  const isInUsd = volumeIn === 'usd'
  const stated = Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
  const name = JSON.stringify(file)
  const data = stated.length === 0 ? name : `{ file: ${name}, ${stated.join(', ')} }`
  const keys = [`kind: replay`, `data: ${data}`]
  if (survey.gaps > 0) keys.push('gaps: hold')
  if (isInUsd) keys.push('volumeIn: usd')
  const grid = survey.kind === 'trades' ? '1s' : formatDuration(chooseGridMillis(survey.stepMillis))
  const param = `--param data=${file}${isInUsd ? ' --param volumeIn=usd' : ''}`
  const isPlain = stated.length === 0
  return [
    `model: { ${keys.join(', ')} }`,
    `clock: { start: data, end: data, grid: ${grid} }`,
    ['npx otcsim backtest STRATEGY --data', file, ...listFileFlags(options)].join(' '),
    ...(survey.kind === 'candles' && days >= 300 && isPlain
      ? [`npx otcsim run replay-candles ${param}`]
      : []),
  ]
}

/** Lists the flags that state options of files. */
function listFileFlags({ columns, ...options }: FileOptions): readonly string[] {
  const pairs = Object.entries(columns ?? {}).map(([role, name]) => `${role}=${name}`)
  return [
    ...(pairs.length === 0 ? [] : [`--columns ${quoteShellWord(pairs.join(','))}`]),
    ...Object.entries(options).map(([name, value]) =>
      value === true ? flagName(name) : `${flagName(name)} ${quoteShellWord(String(value))}`,
    ),
  ]
}

/** Chooses a grid of at most a quarter of a candle, so that each candle shows its four prices. Returns milliseconds. */
function chooseGridMillis(spanMillis: number): number {
  const quarter = Math.floor(spanMillis / 4)
  return [3_600_000, 900_000, 60_000, 15_000, 1_000, 250].find((grid) => grid <= quarter) ?? 100
}

function describe({ advice, file, ok, read, reason, survey, warnings }: Diagnosis): string {
  const lines = [file]
  const add = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`)
  if (read !== null) add('read as', read)
  if (survey !== null) describeSurvey(survey, add)
  for (const warning of warnings) add('warning', warning)
  for (const line of advice) add(line === advice[0] ? 'use' : '', line)
  if (!ok) add('unusable', reason ?? '')
  return `${lines.join('\n')}\n`
}

function describeSurvey(survey: RecordingSummary, add: (name: string, text: string) => number): void {
  const { kind } = survey
  const step = kind === 'candles' && survey.stepMillis > 0 ? ` of ${formatDuration(survey.stepMillis)}` : ''
  const things = survey.goodRows === 1 ? kind.slice(0, -1) : kind
  // Without rows, all times would be in 1970.
  const isEmpty = survey.goodRows === 0
  add('holds', isEmpty ? `no ${kind}` : `${withCommas(survey.goodRows)} ${things}${step}, ${survey.order}`)
  if (!isEmpty) add('from', `${millisToIso(survey.fromMillis)} to ${millisToIso(survey.toMillis)}`)
  if (!isEmpty) describeFigures(survey, add)
  if (survey.repeated > 0) add('repeated', `${formatRows(survey.repeated)} repeated, to be dropped`)
  if (survey.contradicting > 0)
    add(
      'contradict',
      `${formatRows(survey.contradicting, 'has', 'have')} the time of another, and other figures`,
    )
  if (survey.outOfOrder > 0)
    add('order', `${formatRows(survey.outOfOrder, 'stands', 'stand')} before an earlier one`)
  if (survey.firstLeapMillis !== null) {
    add(
      'leaps',
      `${formatRows(survey.leaps)} by more than a factor of 3, the first at ${millisToIso(survey.firstLeapMillis)}`,
    )
  }
  if (survey.badRows > 0) {
    add('bad rows', withCommas(survey.badRows))
    for (const { row, column, message } of survey.problems)
      add('', `row ${row}${column === '' ? '' : `, ${column}`}: ${message}`)
  }
}

function describeFigures(
  { gaps, gapsMillis, longestGap, price, volume }: RecordingSummary,
  add: (name: string, text: string) => number,
): void {
  add('prices', `first ${price.first}, last ${price.last}, least ${price.least}, greatest ${price.greatest}`)
  const without = volume.rowsWithout === 0 ? '' : `, ${formatRows(volume.rowsWithout)} without`
  add(
    'volume',
    volume.total === 0
      ? 'none'
      : `${formatFigure(volume.total)} units, about ${formatFigure(volume.usd)} USD${without}`,
  )
  if (longestGap !== null) {
    const longest = `the longest ${formatDuration(longestGap.toMillis - longestGap.fromMillis)} from ${millisToIso(longestGap.fromMillis)}`
    add('gaps', `${withCommas(gaps)}, together ${formatDuration(gapsMillis)}; ${longest}`)
  } else add('gaps', 'none')
}

/** Formats a count such as `1 row` or `1,200 rows`, with a verb in the right form. */
function formatRows(count: number, one = '', many = ''): string {
  const verb = count === 1 ? one : many
  return `${withCommas(count)} ${count === 1 ? 'row' : 'rows'}${verb === '' ? '' : ` ${verb}`}`
}

/** Formats a figure with three digits and a unit, such as `12.3 million`. */
function formatFigure(value: number): string {
  const units = [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ] as const
  for (const [unit, name] of units)
    if (value >= unit) return `${Number((value / unit).toPrecision(3))} ${name}`
  return value >= 1000 ? withCommas(Math.round(value)) : String(Number(value.toPrecision(3)))
}
