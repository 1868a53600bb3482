import { hashSource } from '../../backtest/report/page-assets.ts'
import { formatDuration, millisToIso } from '../../numeric/time-text.ts'
import type { Chart, Layer, Panel } from '../../pages/chart.ts'
import { findExtent } from '../../pages/frame.ts'
import {
  type Cell,
  codeMarkup,
  detailsMarkup,
  paragraph,
  type Section,
  tableMarkup,
} from '../../pages/html.ts'
import { renderPage } from '../../pages/page.ts'
import { collectPictures } from '../../pages/pictures.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { formatEvidence } from '../evidence.ts'
import { colorOf, formatMoney } from '../pictures.ts'
import { formatCount } from '../terminal.ts'
import {
  formatCounts,
  formatFailure,
  formatFigure,
  formatHeld,
  formatVerdict,
  isOverall,
  listFailures,
  nameResult,
  nameVerdict,
  type RunMark,
  type RunReport,
  sumEvidence,
} from './run-report.ts'
import type { AssetSeries, RunSeries } from './run-series.ts'

/** Formats all runs as one HTML file without scripts, fonts or links to other files. Equal runs give equal bytes. */
export function formatHtmlReport(
  reports: readonly RunReport[],
  sources: ReadonlyMap<string, string>,
): string {
  const said = formatVerdict(reports)
  const verdict = said.charAt(0).toUpperCase() + said.slice(1)
  return renderPage(
    {
      title: `otcsim: ${verdict}`,
      lead:
        element('h1', {}, escapeText(verdict)) +
        paragraph(formatEvidence(sumEvidence(reports))) +
        formatOverview(reports),
      sections: reports.map((report, place) => formatRun(report, place, sources)),
    },
    hashSource,
  )
}

function formatOverview(reports: readonly RunReport[]): string {
  const rows = reports.map((report, place): readonly Cell[] => [
    { text: report.name, href: `#run-${place}` },
    verdictCell(report),
    isOverall(report) ? 'all' : report.seed,
    formatHeld(report),
    { text: report.digest, as: 'code' },
  ])
  const head = ['Scenario', 'Result', 'Seed', 'Expectations', 'Digest']
  return tableMarkup({ caption: 'Runs', head, rows, figures: [3] })
}

function verdictCell(report: RunReport): Cell {
  const text = nameVerdict(report)
  return { text, ...styles[text] }
}

const classes = { passed: 'pass', failed: 'fail', 'not judged': '' } as const
const styles = { passed: { as: 'pass' }, failed: { as: 'fail' }, 'not judged': {} } as const

function formatRun(report: RunReport, place: number, sources: ReadonlyMap<string, string>): Section {
  const parts = [
    paragraph(summarizeRun(report).join(' · '), classes[nameVerdict(report)]),
    ...listFailures(report).map((failed) => {
      const { place: at, message } = failed
      const title = element('h3', {}, escapeText(message ?? 'An expectation failed'))
      const where = element('p', {}, element('code', {}, `${escapeText(at.file)}:${at.line}:${at.column}`))
      const lines = codeMarkup('Failure', formatFailure(failed, report, sources).join('\n'))
      return element('article', { class: 'warning' }, title + where + lines)
    }),
    formatExpectations(report),
    formatFigures(report),
    ...(report.series === null ? [] : drawRun(report.series, report.marks, place)),
    formatMarks(report),
    formatDetails('Fills', report.fills, report.fillCount),
    formatDetails('Refused actions', report.refusals, report.refusals.length),
    formatDetails('Entries without effect', report.idle, report.idle.length),
    formatDetails('Balances that moved', report.balances, report.balances.length),
  ]
  return { id: `run-${place}`, title: report.name, body: parts.join('') }
}

function summarizeRun(report: RunReport): readonly string[] {
  const verdict = nameVerdict(report)
  if (isOverall(report)) return [verdict, report.file, formatEvidence(report.lookedAt)]
  return [
    verdict,
    report.file,
    `seed “${report.seed}”`,
    `${formatDuration(report.spanMillis)} of virtual time`,
    formatCount(report.sequence, 'command'),
    formatCount(report.fillCount, 'fill'),
    formatEvidence(report.lookedAt),
  ]
}

function formatExpectations({ checks }: RunReport): string {
  if (checks.length === 0) return ''
  const rows = checks.map((check): readonly Cell[] => {
    const { text, message, place, unjudged } = check
    const result = nameResult(check)
    return [
      { text, as: 'code', reason: message },
      result === 'not judged'
        ? { text: result, reason: unjudged }
        : { text: result, as: result === 'held' ? 'pass' : 'fail' },
      formatCounts(check),
      { text: `${place.file}:${place.line}`, as: 'code' },
    ]
  })
  const head = ['Expectation', 'Result', 'Evaluated', 'Place']
  return tableMarkup({ caption: 'Expectations', head, rows, figures: [] })
}

function formatFigures({ figures: rows }: RunReport): string {
  if (rows.length === 0) return ''
  const cells = rows.map(({ account, name, value }) => [
    name,
    account,
    value === null ? 'n/a' : formatFigure(value),
  ])
  return tableMarkup({ caption: 'Figures', head: ['Figure', 'Account', 'Value'], rows: cells, figures: [2] })
}

function formatDetails(title: string, lines: readonly string[], count: number): string {
  if (lines.length === 0) return ''
  const rest = count > lines.length ? `\nand ${count - lines.length} more` : ''
  return detailsMarkup(`${title} (${count})`, codeMarkup(title, lines.join('\n') + rest))
}

/** Lists the events of the script, which charts show as upright lines. */
function formatMarks({ marks }: RunReport): string {
  if (marks.length === 0) return ''
  const rows = marks.map(({ atMillis, isFailure, text }): readonly Cell[] => [
    millisToIso(atMillis),
    isFailure ? { text, as: 'fail' } : text,
  ])
  const table = tableMarkup({
    caption: 'Script events and failures',
    head: ['Time', 'What'],
    rows,
    figures: [],
  })
  return detailsMarkup(`Script events and failures (${marks.length})`, table)
}

function drawRun(series: RunSeries, marks: readonly RunMark[], place: number): readonly string[] {
  const pictures = collectPictures()
  const assets = series.assets.map((asset, index) => drawMarket(series, marks, asset, `${place}-${index}`))
  const equity = drawEquity(series, place)
  return (equity === null ? assets : [...assets, equity]).map((chart) => pictures.chart(chart))
}

/** The most events of a script that a chart shows; a table has all of them. */
const maximumDrawnMarks = 60

function drawMarks(marks: readonly RunMark[]): readonly Layer[] {
  const events = marks.filter(({ isFailure }) => !isFailure).slice(0, maximumDrawnMarks)
  const failures = marks.filter(({ isFailure }) => isFailure)
  return [
    ...events.map(
      ({ atMillis }, place): Layer => ({
        ...{ kind: 'rule', axis: 'x', at: atMillis, color: 8 },
        ...(place === 0 ? { label: 'script event' } : {}),
      }),
    ),
    ...failures.map(
      ({ atMillis }, place): Layer => ({
        ...{ kind: 'rule', axis: 'x', at: atMillis, color: 2 },
        ...(place === 0 ? { label: 'expectation failed' } : {}),
      }),
    ),
  ]
}

function drawMarket(series: RunSeries, marks: readonly RunMark[], asset: AssetSeries, id: string): Chart {
  const left = marks.filter(({ isFailure }) => !isFailure).length - maximumDrawnMarks
  const { mark } = asset
  const extent = findExtent([mark, asset.low, asset.high])
  return {
    id: `market-${id}`,
    title: `${asset.asset}: price, spread, depth and volume`,
    description:
      `The mark of ${asset.asset} goes from ${formatMoney(mark[0])} to ${formatMoney(mark.at(-1))} USD, between ${formatMoney(extent?.least)} and ` +
      `${formatMoney(extent?.greatest)}; ${formatMoney(sum(asset.volumeUsd))} USD were traded.${left > 0 ? ` The last ${left} events of the script are in the table alone.` : ''}`,
    x: { kind: 'time' },
    panels: [
      drawPrices(series, marks, asset),
      drawSpread(series, asset),
      drawDepth(series, asset),
      drawVolume(series, asset),
    ],
  }
}

function drawPrices(
  { atMillis, bucketMillis, fills }: RunSeries,
  marks: readonly RunMark[],
  asset: AssetSeries,
): Panel {
  const layers: Layer[] = [
    ...drawMarks(marks),
    { kind: 'band', label: 'bid to ask', color: 2, xs: atMillis, lows: asset.bid, highs: asset.ask },
    { kind: 'band', label: 'marks between', color: 1, xs: bucketMillis, lows: asset.low, highs: asset.high },
    { kind: 'line', label: 'mark', color: 1, xs: atMillis, ys: asset.mark },
  ]
  for (const isBuy of [true, false]) {
    const own = fills.filter((fill) => fill.asset === asset.asset && fill.isBuy === isBuy)
    if (own.length === 0) continue
    layers.push({
      kind: 'markers',
      label: isBuy ? 'bought' : 'sold',
      color: isBuy ? 3 : 4,
      shape: isBuy ? 'up' : 'down',
      xs: own.map((fill) => fill.atMillis),
      ys: own.map((fill) => fill.price),
      titles: own.map(
        (fill) =>
          `${fill.account} ${isBuy ? 'bought' : 'sold'} ${fill.quantity} at ${formatMoney(fill.price)} USD`,
      ),
    })
  }
  return { title: `${asset.asset}, USD`, layers }
}

function drawSpread({ atMillis }: RunSeries, { bid, ask }: AssetSeries): Panel {
  const ys = bid.map((price, place) => {
    const other = ask[place] ?? Number.NaN
    return ((other - price) / (other + price)) * 20_000
  })
  return {
    title: 'Spread, basis points',
    height: 80,
    includeZero: true,
    layers: [{ kind: 'line', color: 2, xs: atMillis, ys }],
  }
}

function drawDepth({ atMillis }: RunSeries, { bidDepthUsd, askDepthUsd }: AssetSeries): Panel {
  return {
    title: 'Depth within 1 % of the mid, USD',
    height: 80,
    includeZero: true,
    layers: [
      { kind: 'line', label: 'bids', color: 3, xs: atMillis, ys: bidDepthUsd },
      { kind: 'line', label: 'asks', color: 4, xs: atMillis, ys: askDepthUsd, isDashed: true },
    ],
  }
}

function drawVolume({ bucketMillis }: RunSeries, { volumeUsd }: AssetSeries): Panel {
  const bars = { froms: bucketMillis.slice(0, -1), tos: bucketMillis.slice(1), ys: volumeUsd }
  return { title: 'Volume, USD', height: 80, layers: [{ kind: 'bars', color: 1, ...bars }] }
}

/** Draws the equity of each account that had changes; null when no equity changed. */
function drawEquity(series: RunSeries, place: number): Chart | null {
  const moved = series.accounts.filter(({ equity }) => equity.some((value) => value !== equity[0]))
  if (moved.length === 0) return null
  const ends = moved.map(
    ({ account, equity }) => `${account} from ${formatMoney(equity[0])} to ${formatMoney(equity.at(-1))}`,
  )
  return {
    id: `equity-${place}`,
    title: 'Equity',
    description: `What each account is worth at the mark, USD: ${ends.join(', ')}.`,
    x: { kind: 'time' },
    panels: moved.map(({ account, equity: ys }, index) => ({
      title: `Equity of ${account}, USD`,
      height: 80,
      layers: [{ kind: 'line', color: colorOf(index), xs: series.atMillis, ys }],
    })),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
