import { element, escapeText } from '../../charts/svg-text.ts'
import type { CaseRow } from '../sweep/case-row.ts'
import { onePathWarning } from '../sweep/one-path.ts'
import { outOfSample } from '../sweep/out-of-sample.ts'
import { outOfSampleSentences } from '../sweep/out-of-sample-text.ts'
import { medianOf } from '../sweep/paired.ts'
import type { WalkForward } from '../sweep/plan.ts'
import { cellName, cellsOf, planDigest, type SweepPlan } from '../sweep/plan.ts'
import { resultDigest } from '../sweep/result-file.ts'
import { bestCell, byCell, valuesOf } from '../sweep/summary.ts'
import { skillOf } from '../sweep/sweep-skill.ts'
import { count, ratioText, share } from './figures.ts'
import { factsMarkup, paragraph, type Section } from './html.ts'
import { metricText } from './metric-text.ts'
import { pageText } from './page.ts'
import type { PageAssets } from './page-assets.ts'
import { collectPictures } from './page-pictures.ts'
import { cellSection, heatSection } from './sweep-cells.ts'
import { distributionSection, fanSection } from './sweep-distributions.ts'
import { convergenceSection, extremeSection, failureSection, pairSection } from './sweep-evidence.ts'
import type { SweepContext, SweepView } from './sweep-view.ts'
import { cellsSection, foldSection, worstTestSection } from './walk-forward-sections.ts'

/** The report of a sweep: distributions, not one lucky seed. One HTML file, the same bytes for the same rows. */
export function sweepReport(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  context: SweepContext,
  assets: PageAssets,
): string {
  if (plan.walkForward !== undefined) return walkForwardReport(plan, plan.walkForward, rows, context, assets)
  const cells = byCell(plan, rows)
  const { objective } = context
  const view: SweepView = { plan, rows, objective, cells, best: bestCell(cells, objective) }
  const pictures = collectPictures()
  const sections: (Section | null)[] = [
    cellSection(view, pictures),
    heatSection(view, pictures),
    distributionSection(view, pictures),
    fanSection(view, pictures),
    pairSection(view),
    convergenceSection(view, pictures),
    extremeSection(view),
    failureSection(view),
  ]
  return pageText(
    {
      title: `${strategyName(plan)}: otcsim sweep`,
      lead: leadMarkup(plan, rows, context, [
        paragraph(verdictText(view), 'verdict'),
        paragraph(skillText(plan, rows)),
      ]),
      sections: sections.filter((section) => section !== null),
      zooms: [],
      foot: footOf(context),
    },
    assets,
  )
}

/** Of a walk forward: what training chose, and what it was worth afterwards. */
function walkForwardReport(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  context: SweepContext,
  assets: PageAssets,
): string {
  const result = outOfSample(plan, walkForward, rows, context.objective)
  const pictures = collectPictures()
  const [verdict = '', ...more] = outOfSampleSentences(result, metricText)
  const sections: (Section | null)[] = [
    foldSection(result, pictures),
    cellsSection(result),
    worstTestSection(plan, result),
    failureSection({ plan, rows }),
  ]
  return pageText(
    {
      title: `${strategyName(plan)}: otcsim walk forward`,
      lead: leadMarkup(plan, rows, context, [
        paragraph(verdict, 'verdict'),
        ...more.map((text) => paragraph(text)),
      ]),
      sections: sections.filter((section) => section !== null),
      zooms: [],
      foot: footOf(context),
    },
    assets,
  )
}

const footOf = ({ version }: SweepContext): string =>
  `Made by otcsim ${version} from the cases only: the same cases give the same bytes, whoever ran them. Money is USD, a year has 365 days.`

function leadMarkup(
  plan: SweepPlan,
  rows: readonly CaseRow[],
  context: SweepContext,
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
    ['Cells', count(cellsOf(plan.grid).length)],
    ...(plan.walkForward === undefined ? [] : [['Folds', count(plan.walkForward.folds.length)] as const]),
    ['Scenario', work.scenario.name],
    ['Digest', resultDigest(plan, rows)],
    ['Plan', planDigest(plan)],
    ['Strategy', work.strategy.file],
    ['Its text', work.strategy.digest],
    ['otcsim', work.version],
    ...Object.entries(work.options)
      .filter(([name]) => name !== 'scenario')
      .map(([name, value]) => [name, value === '' ? 'yes' : value.replaceAll('\n', ' ')] as const),
  ]
  const warning = onePathWarning(plan)
  return [
    element(
      'h1',
      {},
      escapeText(
        `${strategyName(plan)} over ${count(plan.seeds.length)} ${plan.seeds.length === 1 ? 'seed' : 'seeds'}`,
      ),
    ),
    ...verdict,
    warning === null ? '' : paragraph(warning, 'warning'),
    factsMarkup(facts),
  ].join('\n')
}

/** The file's name, without its folder on the user's machine. */
const strategyName = ({ work }: SweepPlan): string =>
  work.strategy.file.replace(/^.*[\\/]/, '').replace(/\.[cm]?[jt]s$/, '')

function verdictText({ best, objective, cells }: SweepView): string {
  if (best === null) return 'No case has the figure that was asked for.'
  const values = valuesOf(best.rows, objective)
  const below = values.filter((value) => value < 0).length / Math.max(1, values.length)
  const where =
    cells.length > 1 ? `The best of ${cells.length} cells, ${cellName(best.parameters)}, has` : 'There is'
  return `${where} a median of ${metricText(objective, medianOf(values) ?? 0)} for ${objective}; ${share(below)} of its seeds are below 0.`
}

function skillText(plan: SweepPlan, rows: readonly CaseRow[]): string {
  const skill = skillOf({ plan, rows })
  if (skill === null) return 'There are too few Sharpe ratios to tell skill from the luck of many tries.'
  const { deflated, luckySharpe, parameters, probabilistic, seeds, sharpe, trials } = skill
  const over = seeds === 1 ? '' : `, on average over ${count(seeds)} seeds`
  if (trials === 1)
    return `The Sharpe ratio is ${ratioText(sharpe)}${over}; the probability that the true one is above 0 is ${share(probabilistic)}.`
  return `The highest Sharpe ratio is ${ratioText(sharpe)} (${cellName(parameters)}${over}). The best of ${count(trials)} cells without skill would have had ${ratioText(luckySharpe)}; the deflated Sharpe ratio, the probability that this one is better than that, is ${share(deflated)}.`
}
