import type { BarsLayer } from '../../pages/chart.ts'
import { detailsMarkup, factsMarkup, paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import { collectPictures, type Pictures } from '../../pages/pictures.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { computeOutOfSample, describeOutOfSample, type OutOfSample } from '../sweep/out-of-sample.ts'
import {
  type CaseRow,
  formatCell,
  type GridAxis,
  listCells,
  listWarnings,
  planDigest,
  type SweepPlan,
  type WalkForward,
} from '../sweep/plan.ts'
import {
  computeMedian,
  computeMedianInterval,
  computeSpread,
  findBestCell,
  groupByCell,
  hasTraded,
  listValues,
} from '../sweep/summary.ts'

import { computeResultDigest, describeUnread, measureSkill, type OtherTrials } from '../sweep/sweep-result.ts'
import {
  axisScale,
  count,
  metricText,
  percent,
  rangeText,
  ratioText,
  share,
  sharpeText,
  span,
} from './figures.ts'

import { createZoomPage, type PageAssets } from './page-assets.ts'
import {
  convergenceSection,
  distributionSection,
  extremeSection,
  failureSection,
  fanSection,
  formatShortCell,
  pairSection,
  type SweepContext,
  type SweepView,
} from './sweep-sections.ts'
import { cellsSection, foldSection, joinedSection, worstTestSection } from './walk-forward-sections.ts'

/**
 * Creates the report of a sweep as one HTML file: distributions over seeds, not one lucky run. The same rows give the
 * same bytes.
 */
export function createSweepReport(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  context: SweepContext,
  assets: PageAssets,
): string {
  const pictures = collectPictures()
  const of = plan.walkForward === undefined ? 'sweep' : 'walk forward'
  const { headline, sections, verdict } =
    plan.walkForward === undefined
      ? buildSweepParts(plan, rows, context, pictures)
      : buildWalkForwardParts(plan, plan.walkForward, rows, context, pictures)
  const page = {
    title: `${findStrategyName(plan)}: otcsim ${of}`,
    lead: leadMarkup(plan, rows, context, headline, verdict),
    sections: sections.filter((section) => section !== null),
    foot: `Made by otcsim ${context.version} from the cases only: the same cases give the same bytes, whoever ran them. Money is USD, a year has 365 days.`,
  }
  return createZoomPage(page, pictures.zooms, assets)
}

interface Parts {
  /** What was found, as the rest of the page's heading. */
  readonly headline: string
  /** The sentences below the heading, as markup. */
  readonly verdict: readonly string[]
  readonly sections: readonly (Section | null)[]
}

function buildSweepParts(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  { objective, others }: SweepContext,
  pictures: Pictures,
): Parts {
  const cells = groupByCell(plan, rows)
  const view: SweepView = { plan, rows, objective, cells, best: findBestCell(cells, objective) }
  return {
    headline: describeHeadline(view, others),
    verdict: [paragraph(describeVerdict(view), 'verdict'), paragraph(describeSkill(plan, rows, others))],
    sections: [
      cellSection(view, pictures),
      heatSection(view, pictures),
      distributionSection(view, pictures),
      fanSection(view, pictures),
      pairSection(view),
      convergenceSection(view, pictures),
      extremeSection(view, pictures),
      failureSection(view),
    ],
  }
}

/** Builds the verdict and sections of a walk forward: what training chose, and what that was worth afterwards. */
function buildWalkForwardParts(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  { objective }: SweepContext,
  pictures: Pictures,
): Parts {
  const result = computeOutOfSample(plan, walkForward, rows, objective)
  const sentences = describeOutOfSample(result, metricText)
  return {
    headline: describeWalkHeadline(result),
    verdict: sentences.map((text, place) => paragraph(text, place === 0 ? 'verdict' : '')),
    sections: [
      joinedSection(result, pictures),
      foldSection(result, pictures),
      cellsSection(result),
      worstTestSection(plan, result, pictures),
      failureSection({ plan, rows }),
    ],
  }
}

function leadMarkup(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  context: SweepContext,
  headline: string,
  verdict: readonly string[],
): string {
  const { work } = plan
  const failed = rows.filter(({ failure }) => failure !== null).length
  const facts: (readonly [string, string])[] = [
    [
      'Cases',
      `${count(rows.length)} of ${count(context.cases)}${failed === 0 ? '' : `, ${count(failed)} failed`}`,
    ],
    ['Seeds', count(plan.seeds.length)],
    ['Cells', count(listCells(plan.grid).length)],
    ...(plan.walkForward === undefined ? [] : [['Folds', count(plan.walkForward.folds.length)] as const]),
    ['Scenario', work.scenario.name],
    ['Digest', computeResultDigest(plan, rows)],
    ['Plan', planDigest(plan)],
    ['Strategy', work.strategy.file],
    ['Its text', work.strategy.digest],
    ['otcsim', work.version],
    ...Object.entries(work.options)
      .filter(([name]) => name !== 'scenario')
      .map(([name, value]) => [name, value === '' ? 'yes' : value.replaceAll('\n', ' ')] as const),
  ]
  const seeds = `${count(plan.seeds.length)} ${plan.seeds.length === 1 ? 'seed' : 'seeds'}`
  return [
    element('h1', {}, escapeText(`${findStrategyName(plan)}: ${headline}`)),
    ...verdict,
    ...[...listWarnings(plan, rows.length), ...describeUnread(context.others ?? {})].map((warning) =>
      paragraph(warning, 'warning'),
    ),
    detailsMarkup(`How it was run: ${seeds}, ${work.scenario.name}`, factsMarkup(facts)),
  ].join('\n')
}

/** Returns the name of the strategy's file, without its folder on the user's machine and its ending. */
const findStrategyName = ({ work }: SweepPlan): string =>
  work.strategy.file.replace(/^.*[\\/]/, '').replace(/\.[cm]?[jt]s$/, '')

/** Describes in a few words what was chosen from how many, and whether luck explains it. */
function describeHeadline({ best, cells, objective, plan, rows }: SweepView, others?: OtherTrials): string {
  if (!rows.some(hasTraded)) return 'no case traded, so there is nothing to compare'
  if (best === null) return `no case has ${objective}`
  const median = metricText(objective, computeMedian(listValues(best.rows, objective)) ?? 0)
  if (cells.length === 1) return `a median of ${median} over ${count(plan.seeds.length)} seeds`
  const skill = measureSkill({ plan, rows }, others)
  const luck =
    skill === null
      ? 'too little to tell skill from luck'
      : skill.deflated >= believed
        ? 'more than the luck of the choice explains'
        : 'the luck of the choice explains it'
  return `${formatShortCell(plan, best.parameters)}, the best of ${count(cells.length)} cells, has a median of ${median}: ${luck}`
}

/** The deflated Sharpe ratio from which on luck does not explain a choice. */
const believed = 0.95

function describeWalkHeadline({
  chainedReturn,
  complete,
  folds,
  inSample,
  isPerDay,
  objective,
  outOfSample,
}: OutOfSample): string {
  if (complete === 0 || inSample === null || outOfSample === null) return 'nothing was judged out of sample'
  const by = isPerDay ? ' a day' : ''
  const made = chainedReturn === null ? '' : `${percent(chainedReturn)} out of sample; `
  return `${made}${count(folds.length)} ${folds.length === 1 ? 'test' : 'tests'} made ${metricText(objective, outOfSample)}${by} where training had ${metricText(objective, inSample)}`
}

function describeVerdict({ best, objective, cells }: SweepView): string {
  if (best === null) return 'No case has the figure that was asked for.'
  const values = listValues(best.rows, objective)
  const below = values.filter((value) => value < 0).length / Math.max(1, values.length)
  const medians = new Set(cells.map((cell) => computeMedian(listValues(cell.rows, objective))))
  const tie =
    cells.length > 1 && medians.size === 1 ? ' All cells have the same median, so none is better.' : ''
  const where =
    cells.length > 1 ? `The best of ${cells.length} cells, ${formatCell(best.parameters)}, has` : 'There is'
  return `${where} a median of ${metricText(objective, computeMedian(values) ?? 0)} for ${objective}; ${share(below)} of its seeds are below 0.${tie}`
}

function describeSkill(plan: SweepPlan, rows: readonly CaseRow[], others?: OtherTrials): string {
  const skill = measureSkill({ plan, rows }, others)
  if (skill === null) return 'There are too few Sharpe ratios to tell skill from the luck of many tries.'
  const { deflated, earlierTrials, luckySharpe, ofMillis, parameters, probabilistic, seeds, sharpe, trials } =
    skill
  const of = ofMillis === null ? '' : ` of returns of ${span(ofMillis)}`
  const over = seeds === 1 ? '' : `, on average over ${count(seeds)} seeds`
  if (trials === 1)
    return `The Sharpe ratio${of} is ${sharpeText(sharpe)}${over}; the probability that the true one is above 0 is ${share(probabilistic)}.`
  return `The highest Sharpe ratio${of} is ${sharpeText(sharpe)} (${formatCell(parameters)}${over}). The best of ${count(trials)} cells${earlierTrials === 0 ? '' : `, ${count(earlierTrials)} of them tried before,`} without skill would have had ${sharpeText(luckySharpe)}; the deflated Sharpe ratio, the probability that this one is better than that, is ${share(deflated)}.`
}

const maximumDrawn = 60

function cellSection(view: SweepView, pictures: Pictures): Section {
  const { cells, objective, plan } = view
  const rows = cells.map((cell) => {
    const values = listValues(cell.rows, objective)
    const spread = computeSpread(values)
    const interval = computeMedianInterval(values)
    const show = (value: number | undefined): string =>
      value === undefined ? 'n/a' : metricText(objective, value)
    const losses = listValues(cell.rows, 'returns.profit')
    const sharpe = computeMedian(listValues(cell.rows, 'returns.sharpe'))
    const fall = computeMedian(listValues(cell.rows, 'drawdown.maximum'))
    return [
      cell.name === '' ? 'all' : formatShortCell(plan, cell.parameters),
      count(cell.rows.length),
      show(spread?.p5),
      show(spread?.median),
      interval === null ? 'n/a' : rangeText(show(interval.low), show(interval.high)),
      show(spread?.p95),
      losses.length === 0 ? 'n/a' : share(losses.filter((value) => value < 0).length / losses.length),
      sharpe === null ? 'n/a' : ratioText(sharpe),
      fall === null ? 'n/a' : metricText('drawdown.maximum', fall),
    ]
  })
  const head = [
    'Cell',
    'Seeds',
    '5 %',
    'Median',
    '95 % interval of it',
    '95 %',
    'P(loss)',
    'Median Sharpe',
    'Median fall',
  ]
  const table = tableMarkup({ caption: `${objective} by cell`, head, rows, isWrapped: true })
  const isDrawn = cells.length > 1 && cells.length <= maximumDrawn
  const hint =
    cells.length > maximumDrawn
      ? paragraph(
          `A picture has room for ${maximumDrawn} cells; these ${count(cells.length)} are in the table.`,
          'soft',
        )
      : ''
  return { id: 'cells', title: 'Cells', body: (isDrawn ? drawSpreads(view, pictures) : hint) + table }
}

function drawSpreads({ cells, objective, plan }: SweepView, pictures: Pictures): string {
  const { factor, suffix } = axisScale(objective)
  const spreads = cells.map((cell) => computeSpread(listValues(cell.rows, objective)))
  const bars = (
    label: string,
    half: number,
    low: 'p5' | 'p25',
    high: 'p95' | 'p75',
    color: 1 | 8,
  ): BarsLayer => ({
    kind: 'bars',
    label,
    color,
    froms: spreads.map((_, place) => place - half),
    tos: spreads.map((_, place) => place + half),
    bases: spreads.map((spread) => (spread?.[low] ?? Number.NaN) * factor),
    ys: spreads.map((spread) => (spread?.[high] ?? Number.NaN) * factor),
  })
  return pictures.chart({
    id: 'cell-spreads',
    title: `${objective} by cell`,
    description:
      'For each cell the span from the 5th to the 95th and from the 25th to the 75th per cent of seeds, and the median.',
    x: { kind: 'names', label: '', names: cells.map(({ parameters }) => formatShortCell(plan, parameters)) },
    panels: [
      {
        title: objective,
        height: 220,
        suffix,
        layers: [
          bars('5 to 95 %', 0.02, 'p5', 'p95', 8),
          bars('25 to 75 %', 0.35, 'p25', 'p75', 1),
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          {
            kind: 'markers',
            shape: 'dot',
            label: 'median',
            color: 0,
            xs: spreads.map((_, place) => place),
            ys: spreads.map((spread) => (spread?.median ?? Number.NaN) * factor),
          },
        ],
      },
    ],
  })
}

function heatSection(view: SweepView, pictures: Pictures): Section | null {
  const all = view.plan.grid.filter(({ values }) => values.length > 1)
  const axes = all.slice(0, 3)
  const pairs = axes.flatMap((first, place) =>
    axes.slice(place + 1).map((second) => [first, second] as const),
  )
  if (pairs.length === 0) return null
  const maps = pairs.map(([first, second], place) => drawHeatMap(view, first, second, place, pictures))
  const hint =
    axes.length > 2
      ? paragraph(
          `Parameters that a map does not show are taken together.${all.length > axes.length ? ` There are maps of the first ${axes.length} of ${all.length} parameters.` : ''}`,
          'soft',
        )
      : ''
  return { id: 'heat', title: 'Two parameters at a time', body: hint + maps.join('') }
}

function drawHeatMap(
  { rows, objective }: SweepView,
  down: GridAxis,
  across: GridAxis,
  place: number,
  pictures: Pictures,
): string {
  const values = down.values.map((downValue) =>
    across.values.map((acrossValue) => {
      const own = rows.filter(
        ({ parameters }) => parameters[down.name] === downValue && parameters[across.name] === acrossValue,
      )
      return computeMedian(listValues(own, objective)) ?? Number.NaN
    }),
  )
  return pictures.heatMap({
    id: `heat-${place}`,
    title: `Median ${objective} by ${down.name} and ${across.name}`,
    description: `${down.name} from top to bottom, ${across.name} from left to right: blue is above 0, orange below.`,
    rowNames: down.values.map((value) => `${down.name} ${value}`),
    columnNames: across.values.map((value) => `${across.name} ${value}`),
    values,
    show: (value) => metricText(objective, value),
  })
}
