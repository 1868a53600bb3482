import type { FittedKind, MarketFit } from '../../metrics/realism/fit-market.ts'
import type { Verdict } from '../../metrics/realism/judge.ts'
import type { FittedScenario } from './fit.ts'

/** Describes a fit as a scenario in YAML, whose comments have the judge's figures and the table of facts. */
export function describeFit({ kinds, trials }: MarketFit, scenario: FittedScenario, files: string): string {
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

const formatVerdict = ({ auc, standardError }: Verdict): string =>
  `${auc.toFixed(2)} (± ${standardError.toFixed(2)})`

const formatFigure = (value: number): string => String(Number(value.toPrecision(3)))

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
