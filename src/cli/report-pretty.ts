import { balanceOf } from '../engine/balances.ts'
import { firstClientAccount, sideNames } from '../engine/codes.ts'
import type { State } from '../engine/state.ts'
import { scaledToText } from '../numeric/decimal.ts'
import { formatDuration, millisToIso } from '../numeric/time-text.ts'
import type { ExpectationFailure } from '../scenario/expectation-run.ts'
import type { FinishedScenario } from './run-report.ts'
import type { Style } from './terminal.ts'

type Paint = (style: Style, text: string) => string

/** Most fills written out; a run may have millions. */
const fillsShown = 50

/** One scenario for people: what was filled, what is left, what failed, and the digest to compare by. */
export function prettyReport(finished: FinishedScenario, paint: Paint): string {
  const { file, scenario, run, ok, sourceLines } = finished
  const { state } = run.venue
  const span = formatDuration(state.nowMillis - scenario.venue.startMillis)
  const mark = ok ? paint('green', '✓') : paint('red', '✗')
  const lines = [
    `${mark} ${paint('bold', scenario.name)}  ${file}  seed "${scenario.venue.seed}"  ${span} of virtual time`,
  ]
  lines.push(...fillLines(state, finished))
  lines.push(...refusalLines(finished))
  lines.push(...balanceLines(state))
  for (const failure of run.failures) lines.push(...failureLines(failure, sourceLines, paint))
  const held = scenario.expectations.length - run.failures.length
  lines.push(`  expectations  ${held} of ${scenario.expectations.length} held`)
  lines.push(`  digest        ${run.digest}`)
  if (!ok) lines.push(`  replay        otcsim run ${file} --seed ${JSON.stringify(scenario.venue.seed)}`)
  return `${lines.join('\n')}\n`
}

function fillLines(state: State, { run, scenario }: FinishedScenario): readonly string[] {
  const { fills, assets } = state
  if (fills.count === 0) return []
  const labels = new Map<number, string>()
  for (const { action } of scenario.timeline) {
    const label = action.kind === 'order' ? action.label : null
    const row = label === null ? null : run.script.named.orderRow(label)
    if (label !== null && row !== null) labels.set(row, label)
  }
  const lines = [`  fills         ${fills.count}`]
  for (let row = 0; row < Math.min(fills.count, fillsShown); row += 1) {
    const asset = fills.asset.get(row)
    const { pair } = assets.traded(asset)
    const order = fills.order.get(row)
    const quantity = stepText(fills.quantitySteps.get(row), pair.quantityStep)
    const price = stepText(fills.priceTicks.get(row), pair.priceStep)
    const feeAsset = fills.feeAsset.get(row)
    const fee = scaledToText(fills.feeAtoms.get(row), assets.config(feeAsset).scale)
    const parts = [
      millisToIso(fills.atMillis.get(row)),
      state.accounts.id(fills.account.get(row)),
      sideNames[fills.side.get(row)] ?? '',
      `${quantity} ${assets.symbol(asset)} @ ${price}`,
      `fee ${fee} ${assets.symbol(feeAsset)}`,
      labels.get(order) ?? '',
    ]
    lines.push(`    ${parts.join('  ').trimEnd()}`)
  }
  if (fills.count > fillsShown) lines.push(`    and ${fills.count - fillsShown} more`)
  return lines
}

function refusalLines({ run }: FinishedScenario): readonly string[] {
  return run.refusals.slice(0, fillsShown).map(({ entry, problem }) => {
    const label = 'label' in entry.action && entry.action.label !== null ? ` ${entry.action.label}` : ''
    return `  refused       ${millisToIso(entry.at)}  ${entry.action.kind}${label}: ${problem} (line ${entry.place.line})`
  })
}

/** What each client holds, but for those whose balances nothing has changed or locked. */
function balanceLines(state: State): readonly string[] {
  const lines: string[] = []
  const { accounts, assets, config } = state
  for (const [index, account] of config.accounts.entries()) {
    const row = firstClientAccount + index
    const parts: string[] = []
    let hasMoved = false
    for (let asset = 0; asset < assets.count; asset += 1) {
      const balance = balanceOf(state, row, asset)
      const { scale, symbol } = assets.config(asset)
      const opening = account.balances.get(symbol) ?? 0
      if (balance.totalAtoms !== opening || balance.lockedAtoms !== 0) hasMoved = true
      if (balance.totalAtoms === 0 && opening === 0) continue
      const locked = balance.lockedAtoms === 0 ? '' : ` (${scaledToText(balance.lockedAtoms, scale)} locked)`
      parts.push(`${scaledToText(balance.totalAtoms, scale)} ${symbol}${locked}`)
    }
    if (hasMoved)
      lines.push(`  balances      ${accounts.id(row)}  ${parts.join('  ')}  worth ${worth(state, row)} USD`)
  }
  return lines
}

function worth(state: State, account: number): string {
  let atoms = 0
  for (let asset = 0; asset < state.assets.count; asset += 1)
    atoms += balanceOf(state, account, asset).usdValueAtoms
  return scaledToText(atoms, 6)
}

function failureLines(
  failure: ExpectationFailure,
  source: readonly string[],
  paint: Paint,
): readonly string[] {
  const { expectation, expected, got } = failure
  const { file, line, column } = expectation.place
  const lead = expectation.message === null ? '' : `${expectation.message}\n      `
  const lines = [
    `  ${paint('red', '✗')} ${file}:${line}:${column}  ${lead}expected ${expected}`,
    `      got      ${got}`,
  ]
  const first = Math.max(1, line - 1)
  for (let shown = first; shown <= Math.min(source.length, line + 1); shown += 1) {
    const marker = shown === line ? paint('red', '>') : ' '
    lines.push(`      ${marker} ${String(shown).padStart(4)} ${paint('dim', '|')} ${source[shown - 1] ?? ''}`)
  }
  return lines
}

const stepText = (count: number, step: { readonly units: number; readonly scale: number }): string =>
  scaledToText(count * step.units, step.scale)
