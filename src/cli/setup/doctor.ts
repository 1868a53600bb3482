import { resolve } from 'node:path'
import { type Survey, surveyTable } from '../../market/recordings/survey.ts'
import { withCommas } from '../../numeric/decimal.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readCandleFile, readTable } from '../scenario/read-candles.ts'
import type { Terminal } from '../terminal.ts'

/** What a file holds, as `--json` has it. */
interface Diagnosis {
  readonly file: string
  /** Whether a replay accepts it as it is. */
  readonly ok: boolean
  /** Why a replay does not accept it. */
  readonly reason: string | null
  readonly survey: Survey | null
  readonly advice: readonly string[]
}

/** Says what each file contains, what is wrong with it and how to use it. Fails when one cannot be used. */
export function examineFiles(files: readonly string[], isJson: boolean, terminal: Terminal): void {
  const found = files.map((file) => diagnose(file, resolve(terminal.cwd, file)))
  if (isJson) terminal.out(`${JSON.stringify({ ok: found.every(({ ok }) => ok), files: found }, null, 2)}\n`)
  else terminal.out(found.map(describe).join('\n'))
  const bad = found.filter(({ ok }) => !ok)
  if (bad.length > 0) {
    const noun = found.length === 1 ? 'the file' : `${bad.length} of ${found.length} files`
    throw new CliFailure(exitCode.unusableData, `${noun} cannot be used as it is`)
  }
}

function diagnose(file: string, path: string): Diagnosis {
  const table = readTable(path)
  const unusable = (reason: string): Diagnosis => ({ file, ok: false, reason, survey: null, advice: [] })
  if (!table.ok) return unusable(table.reason)
  const survey = surveyTable(table.rows)
  if ('message' in survey) return unusable(`${path}:${survey.row}: ${survey.message}`)
  const answer = readCandleFile(path)
  return {
    file,
    ok: answer.ok,
    reason: answer.ok ? null : answer.reason,
    survey,
    advice: answer.ok ? adviceOn(file, survey) : [],
  }
}

/** No asset trades more than this a day, in units: such volumes were in USD already. */
const maximumDailyUsd = 1e11

function adviceOn(file: string, survey: Survey): readonly string[] {
  const days = Math.max(1 / 24, (survey.toMillis - survey.fromMillis) / 86_400_000)
  const isInUsd = survey.kind === 'candles' && survey.volume.usd / days > maximumDailyUsd
  const keys = [`kind: replay`, `data: ${JSON.stringify(file)}`]
  if (survey.gaps > 0) keys.push('gaps: hold')
  if (isInUsd) keys.push('volumeIn: usd')
  const grid = survey.kind === 'trades' ? '1s' : formatDuration(gridOf(survey.stepMillis))
  const param = `--param data=${file}${isInUsd ? ' --param volumeIn=usd' : ''}`
  return [
    `model: { ${keys.join(', ')} }`,
    `clock: { start: data, end: data, grid: ${grid} }`,
    `otcsim backtest STRATEGY --data ${file}${isInUsd ? ' --volume-in usd' : ''}`,
    ...(survey.kind === 'candles' && days >= 300 ? [`otcsim run replay-candles ${param}`] : []),
  ]
}

/** A quarter of a candle, in which it shows all of its prices, within the bounds of a grid. */
function gridOf(spanMillis: number): number {
  const quarter = Math.floor(spanMillis / 4)
  return [3_600_000, 900_000, 60_000, 15_000, 1_000, 250].find((grid) => grid <= quarter) ?? 100
}

function describe({ file, ok, reason, survey, advice }: Diagnosis): string {
  const lines = [file]
  const add = (name: string, text: string): number => lines.push(`  ${name.padEnd(10)} ${text}`)
  if (survey !== null) describeSurvey(survey, add)
  for (const line of advice) add(line === advice[0] ? 'use' : '', line)
  if (!ok) add('unusable', reason ?? '')
  return `${lines.join('\n')}\n`
}

function describeSurvey(survey: Survey, add: (name: string, text: string) => number): void {
  const { kind } = survey
  const step = kind === 'candles' && survey.stepMillis > 0 ? ` of ${formatDuration(survey.stepMillis)}` : ''
  const things = survey.goodRows === 1 ? kind.slice(0, -1) : kind
  // Without rows, any statement about times would be about 1970.
  const isEmpty = survey.goodRows === 0
  add('holds', isEmpty ? `no ${kind}` : `${withCommas(survey.goodRows)} ${things}${step}, ${survey.order}`)
  if (!isEmpty) add('from', `${millisToIso(survey.fromMillis)} to ${millisToIso(survey.toMillis)}`)
  add(
    'layout',
    survey.columns.length === 0 ? `${survey.layout}, without a header` : survey.columns.join(', '),
  )
  if (!isEmpty) describeFigures(survey, add)
  if (survey.repeated > 0) add('repeated', `${rows(survey.repeated)} repeated, to be dropped`)
  if (survey.contradicting > 0)
    add('contradict', `${rows(survey.contradicting, 'has', 'have')} the time of another, and other figures`)
  if (survey.outOfOrder > 0)
    add('order', `${rows(survey.outOfOrder, 'stands', 'stand')} before an earlier one`)
  if (survey.firstLeapMillis !== null) {
    add(
      'leaps',
      `${rows(survey.leaps)} by more than a factor of 3, the first at ${millisToIso(survey.firstLeapMillis)}`,
    )
  }
  if (survey.badRows > 0) {
    add('bad rows', withCommas(survey.badRows))
    for (const { row, column, message } of survey.problems)
      add('', `row ${row}${column === '' ? '' : `, ${column}`}: ${message}`)
  }
}

function describeFigures(
  { gaps, gapsMillis, longestGap, price, volume }: Survey,
  add: (name: string, text: string) => number,
): void {
  add('prices', `first ${price.first}, last ${price.last}, least ${price.least}, greatest ${price.greatest}`)
  const without = volume.rowsWithout === 0 ? '' : `, ${rows(volume.rowsWithout)} without`
  add(
    'volume',
    volume.total === 0 ? 'none' : `${figure(volume.total)} units, about ${figure(volume.usd)} USD${without}`,
  )
  if (longestGap !== null) {
    const longest = `the longest ${formatDuration(longestGap.toMillis - longestGap.fromMillis)} from ${millisToIso(longestGap.fromMillis)}`
    add('gaps', `${withCommas(gaps)}, together ${formatDuration(gapsMillis)}; ${longest}`)
  } else add('gaps', 'none')
}

/** `1 row`, `1,200 rows`, each with its verb. */
function rows(count: number, one = '', many = ''): string {
  const verb = count === 1 ? one : many
  return `${withCommas(count)} ${count === 1 ? 'row' : 'rows'}${verb === '' ? '' : ` ${verb}`}`
}

/** Three digits and a unit: `12.3 million`. */
function figure(value: number): string {
  const units = [
    [1e12, 'trillion'],
    [1e9, 'billion'],
    [1e6, 'million'],
  ] as const
  for (const [unit, name] of units)
    if (value >= unit) return `${Number((value / unit).toPrecision(3))} ${name}`
  return value >= 1000 ? withCommas(Math.round(value)) : String(Number(value.toPrecision(3)))
}
