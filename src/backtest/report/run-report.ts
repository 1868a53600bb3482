import { createHash } from 'node:crypto'
import { element, escapeText } from '../../charts/svg-text.ts'
import type { BacktestResult } from '../result.ts'
import { costSection } from './cost-section.ts'
import { equitySection } from './equity-section.ts'
import { eventSection } from './event-section.ts'
import { exposureSection, inventorySection } from './exposure-section.ts'
import { instant, percent, span } from './figures.ts'
import { codeMarkup, detailsMarkup, factsMarkup, paragraph, type Section, tableMarkup } from './html.ts'
import { keyFiguresSection } from './key-figures.ts'
import { makerSection } from './maker-section.ts'
import { pageText } from './page.ts'
import type { PageAssets } from './page-assets.ts'
import { collectPictures } from './page-pictures.ts'
import { priceSection } from './price-section.ts'
import { realismSection } from './realism-section.ts'
import type { Assertion, ReportContext } from './report-context.ts'
import { hourSection, returnsSection } from './returns-section.ts'
import { seedSection } from './seed-section.ts'
import { seriesSection } from './series-section.ts'
import { verdictOf } from './verdict.ts'

/** The report of one run: one HTML file, the same bytes for the same run, readable without scripts. */
export function runReport(result: BacktestResult, context: ReportContext, assets: PageAssets): string {
  const pictures = collectPictures()
  const sections: (Section | null)[] = [
    assertionSection(context.assertions),
    keyFiguresSection(result),
    equitySection(result, pictures),
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
    eventSection(result),
  ]
  return pageText(
    {
      title: `${result.strategy}, seed ${result.seed}: otcsim backtest`,
      lead: leadMarkup(result, context),
      sections: sections.filter((section) => section !== null),
      zooms: pictures.zooms,
      foot: `Made by otcsim ${context.version} from the run alone: the same run gives the same bytes. Times are UTC, money is USD, a year has 365 days.`,
    },
    assets,
  )
}

/** Strategy, parameters, data and times, without the seed: what two comparable runs have in common. */
function configurationHash(result: BacktestResult): string {
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

function leadMarkup(result: BacktestResult, context: ReportContext): string {
  const { latency, source, metrics } = result
  const failed = context.assertions.filter(({ isMet }) => !isMet).length
  const verdict = verdictOf(result, failed)
  const facts: (readonly [string, string])[] = [
    ['Seed', result.seed],
    ['Configuration', configurationHash(result)],
    ['Digest', result.digest ?? 'n/a (the venue does not tell)'],
    ['Journal', context.journalDigest ?? 'none kept'],
    ['otcsim', context.version],
    ['Data', `${source.kind} ${source.name}`],
    ['Account', result.account],
    ['From', instant(result.fromMillis)],
    ['To', instant(result.toMillis)],
    ...(result.warmUpBars === undefined ? [] : [['Bars before that', String(result.warmUpBars)] as const]),
    ['Length', span(result.toMillis - result.fromMillis)],
    ['Latency', `order ${latency.order}, response ${latency.response}, feed ${latency.feed}`],
    ['Equity', `each ${span(metrics.sampling.gridMillis)}`],
    ['Ratios', `of ${metrics.sampling.returns} returns, of ${span(metrics.sampling.ratioMillis)} each`],
    ['Risk-free rate', `${percent(metrics.sampling.riskFreeRate ?? 0)} a year`],
  ]
  return [
    element('h1', {}, escapeText(`${result.strategy}: ${verdict.title}`)),
    paragraph(verdict.text, failed > 0 ? 'verdict fail' : 'verdict'),
    ...metrics.warnings.map((warning) => paragraph(warning, 'warning')),
    factsMarkup(facts),
    context.parameters.length === 0
      ? ''
      : detailsMarkup(
          'Parameters',
          tableMarkup({ caption: 'Parameters', head: ['Name', 'Value'], rows: context.parameters }),
        ),
    codeMarkup('The command of this run', context.command),
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
