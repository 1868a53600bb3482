import { flagName } from '../api/options.ts'
import { lastCandle } from '../market/recordings/candle-table.ts'
import { type FitResult, type FittedKind, fitMarket } from '../metrics/realism/fit-market.ts'
import type { JudgeResult } from '../metrics/realism/judge.ts'
import { computeDailyVolumeUsd, layOutCloses } from '../metrics/realism/recorded-closes.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { formatMistake } from '../scenario/file/mistake.ts'
import { loadScenarioValue } from '../scenario/load-tree.ts'
import { defineCommand } from './define-command.ts'
import { type Evidence, formatEvidence } from './evidence.ts'
import { dataFailure, usageFailure } from './failure.ts'
import { aFlag, configFlag, type FlagsOf, jsonFlag } from './flags.ts'
import { createFileFlags, readFileOptions } from './recordings/file-flags.ts'
import { nameFileFlags, readRecordingFiles } from './recordings/read-recording.ts'
import { jsonLine, startStatusLine, type Terminal } from './terminal.ts'

const fitFlags = {
  asset: aFlag('<symbol>', 'the asset that the recording is of', { default: 'BTC' }),
  ...createFileFlags({}, {}),
  json: jsonFlag,
  config: configFlag,
}

type FitOptions = FlagsOf<typeof fitFlags>

export const fitCommand = defineCommand({
  flags: fitFlags,
  takes: { '<files...>': 'candles of an hour or less, or trades, of one asset: CSV, JSON or Parquet' },
  note: 'Takes some minutes. stdout is a scenario, whose comments say how near its market is to the recording.',
  act: fit,
})

function fit(options: FitOptions, terminal: Terminal, files: readonly string[]): void {
  const { asset, config: _, json = false, ...flags } = options
  if (!/^[A-Z0-9]{1,20}$/.test(asset))
    throw usageFailure(`${flagName('asset')}: expected a symbol such as BTC`)
  const answer = readRecordingFiles(files, readFileOptions(flags), terminal.cwd)
  if (!answer.ok) throw dataFailure(nameFileFlags(answer.reason))
  const named = files.join(', ')
  for (const { file, line, warnings } of answer.notes) {
    terminal.err(`${file}: ${nameFileFlags(line)}\n`)
    for (const warning of warnings) terminal.err(`warning: ${file}: ${nameFileFlags(warning)}\n`)
  }
  const closes = layOutCloses(answer.candles)
  if (typeof closes === 'string') throw dataFailure(`${named} cannot be fitted: ${closes}`)
  const progress = startStatusLine(terminal)
  const found = fitMarket({
    closes,
    symbol: asset,
    dailyVolumeUsd: computeDailyVolumeUsd(answer.candles),
    onProgress: (done) => progress.update(done, () => `fit  ${Math.floor(100 * done)}%`),
  })
  progress.end()
  if (typeof found === 'string') throw dataFailure(`${named} cannot be fitted: ${found}`)
  const rows = closes.prices.reduce((count, price) => (Number.isNaN(price) ? count : count + 1), 0)
  const lookedAt = countEvidence(found, rows)
  const last = lastCandle(answer.candles)
  const scenario = makeScenario(
    found,
    asset,
    last?.close ?? 1,
    (last?.atMillis ?? 0) + (last?.spanMillis ?? 0),
  )
  const loaded = loadScenarioValue(scenario)
  if (!loaded.ok)
    throw dataFailure(`${named} cannot be fitted: ${loaded.problems.map(formatMistake).join('; ')}`)
  if (json) {
    terminal.out(jsonLine({ ok: true, lookedAt, files: answer.notes, ...summarizeFit(found), scenario }))
    return
  }
  terminal.out(describeFit(found, scenario, named))
  terminal.err(`${formatEvidence(lookedAt)}\n`)
}

function countEvidence({ kinds, trials }: FitResult, closes: number): Evidence {
  const count = (name: string): { readonly [thing: string]: number } => {
    const found = kinds.find(({ kind }) => kind.name === name)
    if (found === undefined) return {}
    return { [name === 'day of minutes' ? 'days' : 'weeks']: found.fitted + found.judged }
  }
  return { closes, ...count('day of minutes'), ...count('week of hours'), trials }
}

/** Makes a scenario with the fitted model. It starts at the first midnight after the recording and lasts a week. */
function makeScenario({ model }: FitResult, asset: string, price: number, endMillis: number) {
  const start = millisToIso(Math.ceil(endMillis / 86_400_000) * 86_400_000)
  return {
    version: 1,
    name: 'fitted',
    clock: { start, end: '7d', grid: '1m' },
    market: { assets: { [asset]: { price, model } } },
    expect: [{ at: 'end', that: `price.${asset}.mid > 0` }],
  }
}

type FittedScenario = ReturnType<typeof makeScenario>

/** Converts a fit to plain data for JSON: kinds of windows by their names. */
function summarizeFit({ kinds, model, trials }: FitResult): object {
  return { model, trials, windows: kinds.map(({ kind, ...found }) => ({ kind: kind.name, ...found })) }
}

/** Describes a fit as a scenario in YAML, whose comments have the judge's figures and the table of facts. */
function describeFit({ kinds, trials }: FitResult, scenario: FittedScenario, files: string): string {
  const comments = [
    `The model \`market\`, fitted to ${files}: the nearest of ${trials} that were tried.`,
    ...kinds.flatMap(describeKind),
    'Drift is 0: no recording is long enough to tell one. Loadings on the market are the usual ones, as one asset',
    "alone says nothing of its correlations; the share of the asset's own noise is fitted.",
  ]
  const [asset = '', { model, price }] = Object.entries(scenario.market.assets)[0] ?? [
    '',
    { model: {}, price: 0 },
  ]
  const figures = Object.entries(model).map(([name, value]) => `${name}: ${value}`)
  const { end, grid, start } = scenario.clock
  return [
    ...comments.map((line) => `# ${line}`.trimEnd()),
    'version: 1',
    `name: ${scenario.name}`,
    `clock: { start: ${start}, end: ${end}, grid: ${grid} }`,
    'market:',
    '  assets:',
    `    ${JSON.stringify(asset)}:`,
    `      price: ${price}`,
    '      model:',
    ...figures.map((line) => `        ${line}`),
    'expect:',
    ...scenario.expect.map(({ at, that }) => `  - { at: ${at}, that: ${JSON.stringify(that)} }`),
    '',
  ].join('\n')
}

function describeKind(found: FittedKind): readonly string[] {
  const { auc, aucBefore, aucWithin, facts, fitted, judged, kind, leftOut } = found
  const rows = facts.map(({ before, high, low, name, recorded, ...fact }) => [
    name,
    `${formatFigure(recorded)} [${formatFigure(low)}, ${formatFigure(high)}]`,
    formatFigure(fact.fitted),
    formatFigure(before),
    fact.fitted >= low && fact.fitted <= high ? '' : 'OUT',
  ])
  const outside = rows.filter((row) => row[4] !== '').length
  const head = [kind.name, 'recorded [tenths]', 'fitted', 'unfitted', '']
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const print = (row: readonly string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    '',
    `${capitalize(kind.name)}: ${fitted} were fitted, ${judged} judged, ${leftOut} left out for gaps.`,
    `Of a recorded one and one of the model, a judge who knows both picks the recorded one with an AUC of`,
    `${formatVerdict(auc)}; without the fit ${formatVerdict(aucBefore)}; the recording's own halves ${formatVerdict(aucWithin)}.`,
    ...(auc.auc >= aucBefore.auc
      ? ['The fit has brought it no nearer than the usual model of the volatility recorded.']
      : []),
    `0.5 is a guess, 1 never errs. ${facts.length - outside} of ${facts.length} medians lie within the recorded tenths:`,
    ...[head, ...rows].map(print),
    '',
  ]
}

const formatVerdict = ({ auc, standardError }: JudgeResult): string =>
  `${auc.toFixed(2)} (± ${standardError.toFixed(2)})`

const formatFigure = (value: number): string => String(Number(value.toPrecision(3)))

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
