import { createHash } from 'node:crypto'
import type { Figure } from '../../metrics/figure.ts'
import { studentQuantile975 } from '../../metrics/samples.ts'
import { formatCounted } from '../../numeric/units.ts'
import { countHistogram, makeHistogramBars } from '../../pages/histogram.ts'
import {
  type Cell,
  codeMarkup,
  detailsMarkup,
  factsMarkup,
  paragraph,
  type Section,
  tableMarkup,
} from '../../pages/html.ts'
import { collectPictures, type Pictures } from '../../pages/pictures.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import type { RunResult } from '../result.ts'
import type { SeedDistribution } from '../sweep/among-seeds.ts'
import {
  equitySection,
  exposureSection,
  hourSection,
  inventorySection,
  returnsSection,
  seriesSection,
} from './account-sections.ts'
import { costSection, makerSection } from './cost-section.ts'
import { eventSection } from './event-section.ts'
import {
  count,
  formatFigure,
  formatQuantity,
  instant,
  metricLines,
  percent,
  price,
  type ReportLine,
  ratioText,
  share,
  span,
  usd,
} from './figures.ts'
import { firstPageSection, noteIdleRun } from './first-page.ts'
import { createZoomPage, type PageAssets } from './page-assets.ts'
import { monthSection, rollingSection } from './period-sections.ts'
import type { Assertion, ReportContext } from './report-context.ts'
import { fillSection, priceSection } from './trade-sections.ts'

/**
 * Creates the report of one run as one HTML file that can be read without scripts. The same run gives the same bytes.
 */
export function createRunReport(result: RunResult, context: ReportContext, assets: PageAssets): string {
  const pictures = collectPictures()
  const sections: (Section | null)[] = [
    firstPageSection(result, pictures),
    assertionSection(context.assertions),
    keyFiguresSection(result, context.beside),
    equitySection(result, context.beside, pictures),
    monthSection(result),
    rollingSection(result, pictures),
    priceSection(result, pictures),
    inventorySection(result, pictures),
    seriesSection(result, pictures),
    makerSection(result, pictures),
    costSection(result, pictures),
    exposureSection(result, context.limits, pictures),
    returnsSection(result, pictures),
    hourSection(result, pictures),
    seedSection(result, context, pictures),
    realismSection(context.realism),
    fillSection(result),
    eventSection(result),
  ]
  return createZoomPage(
    {
      title: `${result.strategy}, seed ${result.seed}: otcsim backtest`,
      lead: leadMarkup(result, context),
      sections: sections.filter((section) => section !== null),
      foot: `Made by otcsim ${context.version} from the run alone: the same run gives the same bytes. Times are UTC, money is USD, a year has 365 days.`,
    },
    pictures.zooms,
    assets,
  )
}

/** Computes a hash of strategy, parameters, data and times, but not the seed: two comparable runs have the same one. */
function hashConfiguration(result: RunResult): string {
  const { strategy, parameters, source, account, fromMillis, toMillis, tickMillis, latency } = result
  const names = Object.keys(parameters).sort()
  const settings = names.map((name) => [name, parameters[name]])
  const text = JSON.stringify([
    strategy,
    settings,
    source,
    account,
    fromMillis,
    toMillis,
    tickMillis,
    latency,
  ])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function leadMarkup(result: RunResult, context: ReportContext): string {
  const { latency, source, metrics } = result
  const failed = context.assertions.filter(({ isMet }) => !isMet).length
  const verdict = describeVerdict(result, failed)
  const facts: (readonly [string, string])[] = [
    ['Seed', result.seed],
    ['Configuration', hashConfiguration(result)],
    ['Digest', result.digest ?? 'n/a (the venue does not tell)'],
    ['Journal', context.journalDigest ?? 'none kept'],
    ['otcsim', context.version],
    ['Data', `${source.kind} ${source.name}`],
    ['Account', result.account],
    ['From', instant(result.fromMillis)],
    ['To', instant(result.toMillis)],
    ...(result.warmUpBars === undefined ? [] : [['Bars before that', String(result.warmUpBars)] as const]),
    ['Length', span(result.toMillis - result.fromMillis)],
    ['Latency', formatLatency(latency)],
    ['Equity', `each ${span(metrics.sampling.gridMillis)}`],
    ['Ratios', `of ${metrics.sampling.returns} returns, of ${span(metrics.sampling.ratioMillis)} each`],
    ['Risk-free rate', `${percent(metrics.sampling.riskFreeRate ?? 0)} a year`],
  ]
  return [
    element('h1', {}, escapeText(`${result.strategy}: ${verdict.title}`)),
    paragraph(verdict.text, failed > 0 ? 'verdict fail' : 'verdict'),
    noteIdleRun(result),
    ...metrics.warnings.map((warning) => paragraph(warning, 'warning')),
    detailsMarkup(
      `How it was run: seed ${result.seed}, ${source.kind} ${source.name}, ${instant(result.fromMillis)} to ${instant(result.toMillis)}`,
      factsMarkup(facts) +
        (context.parameters.length === 0
          ? ''
          : tableMarkup({ caption: 'Parameters', head: ['Name', 'Value'], rows: context.parameters })) +
        codeMarkup('The command of this run', context.command),
    ),
  ].join('\n')
}

function assertionSection(assertions: readonly Assertion[]): Section | null {
  if (assertions.length === 0) return null
  const items = assertions.map(
    ({ text, isMet, got }) =>
      `<li class="${isMet ? 'pass' : 'fail'}">${escapeText(`${text} (is ${got})`)}</li>`,
  )
  return { id: 'assertions', title: 'Assertions', body: `<ul>${items.join('')}</ul>` }
}

interface Verdict {
  readonly title: string
  readonly text: string
}

/** Describes a run in a few sentences: what trading earned, what holding did, and whether luck could explain it. */
function describeVerdict(result: RunResult, failedAssertions: number): Verdict {
  const { benchmark, drawdown, sampling, activity } = result.metrics
  const { profit, total } = result.metrics.returns
  const title = isHolding(result)
    ? `trading ${describeGain(benchmark.tradingProfit)}, holding ${describeGain(benchmark.heldProfit)}`
    : profit === 0
      ? 'neither earned nor lost'
      : `${profit > 0 ? 'earned' : 'lost'} ${usd(Math.abs(profit))}`
  const share = total.value === null ? '' : `${percent(total.value)} in `
  const length = span(sampling.toMillis - sampling.fromMillis)
  const fall =
    drawdown.maximum.value === null
      ? ''
      : `, with a fall of ${percent(Math.abs(drawdown.maximum.value))} at worst`
  const fills = `${count(activity.fills)} ${activity.fills === 1 ? 'fill' : 'fills'}`
  const together = isHolding(result) ? `, together ${usd(profit)}` : ''
  const what = `${title.charAt(0).toUpperCase()}${title.slice(1)}${together}: ${share}${length} and ${fills}${fall}.`
  const failed = failedAssertions === 0 ? '' : ` ${failedAssertions} of the assertions failed.`
  return { title, text: `${what} ${describeLuck(result)}${failed}` }
}

const describeGain = (profit: number): string => `${profit < 0 ? 'lost' : 'made'} ${usd(Math.abs(profit))}`

/** Returns whether at least a cent of the profit comes from what was held from the start. */
const isHolding = ({ metrics }: RunResult): boolean => Math.abs(metrics.benchmark.heldProfit) >= 0.005

function describeLuck({ metrics: { returns, sampling } }: RunResult): string {
  const { sharpe, sharpeError, tStatistic } = returns
  if (tStatistic.value === null) return `Skill cannot be told from luck: ${tStatistic.reason}.`
  const range =
    sharpe.value === null || sharpeError.value === null
      ? `The mean return is ${ratioText(tStatistic.value)} standard errors from 0`
      : `The Sharpe ratio is ${ratioText(sharpe.value)} ± ${ratioText(sharpeError.value)} a year`
  return isBeyondLuck(tStatistic.value, sampling.returns)
    ? `${range}: more than chance gives in 19 of 20 runs without skill; one seed is still one path.`
    : `${range}: at most what chance gives in 19 of 20 runs without skill.`
}

/** Returns whether a t-statistic is farther from 0 than 95 % of those of as many returns without skill. */
export const isBeyondLuck = (tStatistic: number, returns: number): boolean =>
  Math.abs(tStatistic) > studentQuantile975(returns - 1)

function keyFiguresSection(result: RunResult, beside: RunResult | null): Section {
  const runs = beside === null ? [result] : [result, beside]
  const groups: readonly (readonly [string, (run: RunResult) => readonly ReportLine[]])[] = [
    ['Returns', listReturnLines],
    // The market is equal parts of what was held or traded, bought at the start and held.
    ['Against the market', ({ metrics }) => metricLines('benchmark', metrics.benchmark)],
    ['Falls and tails', listRiskLines],
    [
      'Trading',
      ({ metrics: { activity, costs } }) => [
        ...metricLines('activity', activity),
        ...metricLines('costs', costs),
      ],
    ],
    ['Round trips, before fees but where it says net', listTripLines],
  ]
  const head = ['Figure', ...(beside === null ? ['Value'] : ['This run', 'The other'])]
  const tables = groups.map(([caption, linesOf]) => {
    const [own = [], other] = runs.map(linesOf)
    const rows = own.map((line, place): readonly Cell[] => [...line, ...(other?.[place]?.slice(1) ?? [])])
    return tableMarkup({ caption, head, rows })
  })
  const settings = beside === null ? '' : differenceMarkup(result, beside)
  const body = `${settings}<div class="tables">${tables.join('')}</div>`
  return { id: 'figures', title: 'Key figures', body }
}

function differenceMarkup(result: RunResult, beside: RunResult): string {
  const [own = [], other = []] = [result, beside].map(listSettings)
  const names = [...new Set([...own, ...other].map(([name]) => name))]
  const [ownValues, otherValues] = [new Map(own), new Map(other)]
  const rows = names
    .map((name) => [name, ownValues.get(name) ?? 'none', otherValues.get(name) ?? 'none'])
    .filter(([, left, right]) => left !== right)
  if (rows.length === 0) return paragraph('The other run had the same settings.')
  const head = ['Setting', 'This run', 'The other']
  return tableMarkup({ caption: 'How the two runs differ', head, rows, figures: [] })
}

function listSettings({ latency, parameters, source, ...run }: RunResult): [string, string][] {
  return [
    ['Strategy', run.strategy],
    ['Seed', run.seed],
    ['Data', `${source.kind} ${source.name}`],
    ['Account', run.account],
    ['From', instant(run.fromMillis)],
    ['To', instant(run.toMillis)],
    ['Latency', formatLatency(latency)],
    ...Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ]
}

const formatLatency = ({ order, response, feed }: RunResult['latency']): string =>
  `order ${order}, response ${response}, feed ${feed}`

function listReturnLines({ metrics: { returns } }: RunResult): readonly ReportLine[] {
  return metricLines('returns', returns).map(([title, value]) =>
    title === 'Sharpe' ? [title, formatWithError(returns.sharpe, returns.sharpeError)] : [title, value],
  )
}

function listRiskLines({ metrics: { drawdown, tail } }: RunResult): readonly ReportLine[] {
  return [
    ...metricLines('drawdown', drawdown).map(
      ([title, value]): ReportLine =>
        title === 'Longest fall' && drawdown.isLongestOpen ? [title, `${value} (not over)`] : [title, value],
    ),
    ...metricLines('tail.grid', tail.grid),
    ...metricLines('tail.day', tail.day).slice(0, 2),
  ]
}

function listTripLines({ metrics: { trips } }: RunResult): readonly ReportLine[] {
  const [number, ...rest] = metricLines('trips', trips)
  const ends: ReportLine = [
    'Won, lost, neither',
    `${count(trips.wins)}, ${count(trips.losses)}, ${count(trips.zeros)}`,
  ]
  const open = trips.open.map(
    ({ asset, averageCost, netUnrealized, quantity, unrealized }): ReportLine => [
      `Open at the end: ${asset}`,
      `${formatQuantity(quantity)} at ${price(averageCost)}: ${usd(unrealized)}, net ${usd(netUnrealized)}`,
    ],
  )
  return [...(number === undefined ? [] : [number]), ends, ...rest, ...open]
}

function formatWithError(figure: Figure, error: Figure): Cell {
  if (figure.value === null || error.value === null) return formatFigure(figure, ratioText)
  return `${ratioText(figure.value)} ± ${ratioText(error.value)}`
}

function seedSection(result: RunResult, { seeds }: ReportContext, pictures: Pictures): Section {
  const title = 'Other seeds'
  const drawn = seeds === null ? null : countHistogram(seeds.profits)
  if (seeds === null || drawn === null) {
    const text =
      'This is one path of many. A sweep over seeds shows how much of the result is luck: otcsim sweep takes the same arguments with --seeds 1..200 instead of --seed.'
    return { id: 'seeds', title, body: paragraph(text) }
  }
  const own = result.metrics.returns.profit
  const below = seeds.profits.filter((profit) => profit < own).length / Math.max(1, seeds.profits.length)
  const body = pictures.chart({
    id: 'seed-profits',
    title: 'Profit over seeds',
    description: `Profits of ${countSeeds(seeds)} in USD; the dashed line is this run, ${usd(own)}, which ${share(below)} of them lie below.`,
    x: { kind: 'number', label: 'profit, USD' },
    panels: [
      {
        title: 'Seeds',
        height: 160,
        layers: [
          makeHistogramBars(drawn, 'seeds'),
          { kind: 'rule', axis: 'x', at: own, label: 'this run', color: 2 },
        ],
      },
    ],
  })
  return { id: 'seeds', title, body }
}

/** Says how many seeds have a profit, and of how many: those that failed may have been the worst. */
function countSeeds({ failed, plannedSeeds, profits, seeds }: SeedDistribution): string {
  if (profits.length === plannedSeeds) return formatCounted(plannedSeeds, 'seed')
  const missing = plannedSeeds - seeds
  const parts = [
    ...(failed === 0 ? [] : [`${count(failed)} failed`]),
    ...(missing === 0 ? [] : [`${count(missing)} are not done`]),
  ]
  return `${count(profits.length)} of ${count(plannedSeeds)} seeds (${parts.join(', ')})`
}

function realismSection(report: ReportContext['realism']): Section {
  const title = 'Realism of the path'
  if (report === null || report.checks.length === 0) {
    const text = 'There was no self-check: the path is recorded or scripted, or too short to be judged.'
    return { id: 'realism', title, body: paragraph(text) }
  }
  const { checkedMillis, checks, isCut, likeness } = report
  const passed = checks.filter(({ isPassed }) => isPassed).length
  const where = isCut
    ? `on the first ${span(checkedMillis)} of this path, the rest was not looked at`
    : 'on this very path'
  const summary = `${passed} of ${checks.length} tests of the stylized facts hold ${where}.`
  const rows = checks.map(({ asset, name, isPassed, measured, expected }) => [
    asset,
    name,
    isPassed ? 'holds' : 'does not hold',
    measured,
    expected,
  ])
  const head = ['Asset', 'Test', 'Result', 'Measured', 'Expected']
  const table = tableMarkup({ caption: 'Stylized facts on this path', head, rows, figures: [] })
  const lead = `<p class="${passed === checks.length ? 'pass' : 'fail'}">${escapeText(summary)}</p>`
  const judged = likeness.map(({ asset, sentences }) => paragraph(`${asset}: ${sentences.join(' ')}`))
  return { id: 'realism', title, body: lead + judged.join('') + table }
}
