import { formatDuration } from '../../numeric/time-text.ts'
import type { Chart, Layer, Panel } from '../../pages/chart.ts'
import { drawChart } from '../../pages/draw-chart.ts'
import { chartStyle } from '../../pages/style.ts'
import { colorOf, money } from '../pictures.ts'
import { failureLines, figureText } from './report-pretty.ts'
import { failuresOf, isOverall, type RunReport } from './run-report.ts'
import type { AssetSeries, RunSeries } from './run-series.ts'

/** One file that opens from anywhere: no scripts, no fonts, no address. Equal runs give equal bytes. */
export function htmlReport(reports: readonly RunReport[], sources: ReadonlyMap<string, string>): string {
  const failed = reports.filter(({ ok }) => !ok).length
  const verdict =
    failed === 0 ? `All ${reports.length} runs passed` : `${failed} of ${reports.length} runs failed`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>otcsim: ${escapeHtml(verdict)}</title>
<style>${chartStyle}${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(verdict)}</h1>
${overview(reports)}
${reports.map((report, place) => section(report, place, sources)).join('\n')}
</main>
</body>
</html>
`
}

function overview(reports: readonly RunReport[]): string {
  const rows = reports.map((report, place) => {
    const held = report.checks.length - failuresOf(report).length
    return `<tr><td>${verdictOf(report)}</td><td><a href="#run-${place}">${escapeHtml(report.name)}</a></td><td>${isOverall(report) ? 'all' : escapeHtml(report.seed)}</td><td>${held} of ${report.checks.length}</td><td><code>${report.digest}</code></td></tr>`
  })
  return `<table><thead><tr><th>Result</th><th>Scenario</th><th>Seed</th><th>Expectations held</th><th>Digest</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

const verdictOf = ({ ok }: RunReport): string =>
  ok ? '<span class="ok">✓ passed</span>' : '<span class="bad">✗ failed</span>'

function section(report: RunReport, place: number, sources: ReadonlyMap<string, string>): string {
  const parts = [
    `<section id="run-${place}">`,
    `<h2>${escapeHtml(report.name)}</h2>`,
    `<p>${[verdictOf(report), escapeHtml(report.file), ...courseOf(report)].join(' · ')}</p>`,
    ...failuresOf(report).map((failed) => {
      const { place: at, message } = failed
      const lines = failureLines(failed, report, sources)
      return `<article class="failure"><h3>${escapeHtml(message ?? 'An expectation failed')}</h3><p><code>${escapeHtml(`${at.file}:${at.line}:${at.column}`)}</code></p><pre>${escapeHtml(lines.join('\n'))}</pre></article>`
    }),
    expectations(report),
    figures(report),
    ...(report.series === null ? [] : drawRun(report.series, place).map((svg) => `<figure>${svg}</figure>`)),
    details('Fills', report.fills, report.fillCount),
    details('Refused actions', report.refusals, report.refusals.length),
    details('Balances that moved', report.balances, report.balances.length),
    '</section>',
  ]
  return parts.filter((part) => part !== '').join('\n')
}

function courseOf(report: RunReport): readonly string[] {
  if (isOverall(report)) return []
  return [
    `seed “${escapeHtml(report.seed)}”`,
    `${formatDuration(report.spanMillis)} of virtual time`,
    counted(report.sequence, 'command'),
    counted(report.fillCount, 'fill'),
  ]
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function expectations({ checks }: RunReport): string {
  if (checks.length === 0) return ''
  const rows = checks.map(
    ({ text, message, place, failure }) =>
      `<tr><td>${failure === null ? '<span class="ok">✓ held</span>' : '<span class="bad">✗ failed</span>'}</td><td><code>${escapeHtml(text)}</code>${message === null ? '' : `<br>${escapeHtml(message)}`}</td><td><code>${escapeHtml(`${place.file}:${place.line}`)}</code></td></tr>`,
  )
  return `<h3>Expectations</h3><table><thead><tr><th>Result</th><th>Expectation</th><th>Place</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
}

function figures({ figures: rows }: RunReport): string {
  if (rows.length === 0) return ''
  const cells = rows.map(
    ({ account, name, value }) =>
      `<tr><td>${escapeHtml(account)}</td><td>${escapeHtml(name)}</td><td class="number">${value === null ? 'n/a' : figureText(value)}</td></tr>`,
  )
  return `<h3>Figures</h3><table><thead><tr><th>Account</th><th>Figure</th><th>Value</th></tr></thead><tbody>${cells.join('\n')}</tbody></table>`
}

function details(title: string, lines: readonly string[], count: number): string {
  if (lines.length === 0) return ''
  const rest = count > lines.length ? `\nand ${count - lines.length} more` : ''
  return `<details><summary>${title} (${count})</summary><pre>${escapeHtml(lines.join('\n') + rest)}</pre></details>`
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root { color-scheme: light dark; --ok: #00694d; --bad: #a8321f; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --ok: #4fd1a5; --bad: #ff9d8a; } }
body { background: var(--chart-ground); color: var(--chart-ink); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line); }
td:last-child { min-width: 9rem; }
@media (max-width: 40rem) { table { display: block; overflow-x: auto; } td code { overflow-wrap: normal; } }
.number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid var(--line); }
code { overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figure svg { max-width: 100%; height: auto; }
.ok { color: var(--ok); } .bad { color: var(--bad); }
.failure { border-left: .25rem solid var(--bad); padding-left: 1rem; }
`

/** The pictures of one run, as `<svg>` elements: prices, spread, depth and volume of each asset, then the equities. */
function drawRun(series: RunSeries, place: number): readonly string[] {
  const assets = series.assets.map((asset, index) => drawChart(chartOf(series, asset, `${place}-${index}`)))
  const equity = equityOf(series, place)
  return equity === null ? assets : [...assets, drawChart(equity)]
}

function chartOf(series: RunSeries, asset: AssetSeries, id: string): Chart {
  const { mark } = asset
  const [least, greatest] = extremes([...mark, ...asset.low, ...asset.high])
  return {
    id: `market-${id}`,
    title: `${asset.asset}: price, spread, depth and volume`,
    description:
      `The mark of ${asset.asset} goes from ${money(mark[0])} to ${money(mark.at(-1))} USD, between ${money(least)} and ` +
      `${money(greatest)}; ${money(sum(asset.volumeUsd))} USD were traded.`,
    x: { kind: 'time' },
    panels: [
      pricePanel(series, asset),
      spreadPanel(series, asset),
      depthPanel(series, asset),
      volumePanel(series, asset),
    ],
  }
}

function pricePanel({ atMillis, bucketMillis, fills }: RunSeries, asset: AssetSeries): Panel {
  const layers: Layer[] = [
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
        (fill) => `${fill.account} ${isBuy ? 'bought' : 'sold'} ${fill.quantity} at ${money(fill.price)} USD`,
      ),
    })
  }
  return { title: `${asset.asset}, USD`, layers }
}

function spreadPanel({ atMillis }: RunSeries, { bid, ask }: AssetSeries): Panel {
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

function depthPanel({ atMillis }: RunSeries, { bidDepthUsd, askDepthUsd }: AssetSeries): Panel {
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

function volumePanel({ bucketMillis }: RunSeries, { volumeUsd }: AssetSeries): Panel {
  const bars = { froms: bucketMillis.slice(0, -1), tos: bucketMillis.slice(1), ys: volumeUsd }
  return { title: 'Volume, USD', height: 80, layers: [{ kind: 'bars', color: 1, ...bars }] }
}

/** Null when nobody's equity has moved. */
function equityOf(series: RunSeries, place: number): Chart | null {
  const moved = series.accounts.filter(({ equity }) => equity.some((value) => value !== equity[0]))
  if (moved.length === 0) return null
  const ends = moved.map(
    ({ account, equity }) => `${account} from ${money(equity[0])} to ${money(equity.at(-1))}`,
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

function extremes(values: readonly number[]): readonly [least: number, greatest: number] {
  let least = Number.NaN
  let greatest = Number.NaN
  for (const value of values) {
    if (value < least || !(value >= least || Number.isNaN(value))) least = value
    if (value > greatest || !(value <= greatest || Number.isNaN(value))) greatest = value
  }
  return [least, greatest]
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
