import { buy, isLiveQuote } from '../../engine/codes.ts'
import { feeValueAtoms, isFill, rowOf } from '../../engine/reports/activity.ts'
import { portfolioExposure } from '../../engine/reports/portfolio-exposure.ts'
import { portfolioSummary } from '../../engine/reports/portfolio-summary.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { listAccountQuotes, listActivity } from '../../engine/tables/account-table.ts'

/*
 * Figures of one account's run so far, for `metrics[account]` and reports. They can be read from the venue's own
 * tables at any instant; a backtest has many more. Money is in USD, shares are 0 to 1. Figures that look at the mark
 * after a fill are exact for a day, and exact to the minute for thirty days, because the venue remembers its marks
 * for that long.
 */

interface Figure {
  readonly description: string
  /** Computes the figure; null where it is undefined, such as a share of nothing. */
  readonly compute: (state: State, account: number) => number | null
}

const horizons = [1, 5, 30, 60, 300] as const

export const figures: { readonly [name: string]: Figure } = {
  pnl: {
    description: 'Profit since the start, after fees, without deposits and withdrawals.',
    compute: (state, account) => toUsd(portfolioSummary(state, account).totalPnlAtoms),
  },
  fees: {
    description: 'Fees paid in USD; negative for rebates.',
    compute: (state, account) => sumUsd(listFills(state, account), (row) => feeValueAtoms(state, row)),
  },
  fills: { description: 'Number of fills.', compute: (state, account) => listFills(state, account).length },
  makerFills: {
    description: 'Number of fills as maker.',
    compute: (state, account) => listMakerFills(state, account).length,
  },
  makerFillRatio: {
    description: 'Share of the traded value that was traded as maker.',
    compute: (state, account) =>
      ratio(
        sumTradedUsd(state, listMakerFills(state, account)),
        sumTradedUsd(state, listFills(state, account)),
      ),
  },
  turnoverUsd: {
    description: 'Value of all fills.',
    compute: (state, account) => sumTradedUsd(state, listFills(state, account)),
  },
  inventory: {
    description: 'Value of all positions, long and short, at the mark.',
    compute: (state, account) => toUsd(portfolioExposure(state, account).totalExposureAtoms),
  },
  quoteUptime: {
    description: 'Share of the time with a live quote.',
    compute: computeQuoteUptime,
  },
  spreadCaptureBps: {
    description: 'How much better than the mark of their instant maker fills were, weighted by value.',
    compute: (state, account) => computeMarkout(state, account, 0),
  },
  ...Object.fromEntries(
    horizons.map((seconds): readonly [string, Figure] => [
      `markout${seconds}sBps`,
      {
        description: `What maker fills gained on the mark ${seconds} s later, weighted by value.`,
        compute: (state, account) => computeMarkout(state, account, seconds * 1000),
      },
    ]),
  ),
}

export const figureGroups: ReadonlyMap<string, readonly string[]> = new Map([
  ['markouts', horizons.map((seconds) => `markout${seconds}sBps`)],
])

/** Computes a figure of an account's run so far; null while it is undefined. */
export function computeFigure(state: State, account: number, name: string): number | null {
  return figures[name]?.compute(state, account) ?? null
}

const toUsd = (atoms: number): number => atoms / 1_000_000

function listFills(state: State, account: number): readonly number[] {
  const activity = listActivity(state, account)
  const rows: number[] = []
  for (let place = 0; place < activity.count; place += 1) {
    const entry = activity.at(place)
    if (isFill(entry)) rows.push(rowOf(entry))
  }
  return rows
}

const listMakerFills = (state: State, account: number): readonly number[] =>
  listFills(state, account).filter((row) => state.fills.isMaker.get(row) === 1)

const sumTradedUsd = (state: State, rows: readonly number[]): number =>
  sumUsd(rows, (row) => state.fills.notionalAtoms.get(row))

const rememberedMillis = 30 * 86_400_000

/**
 * Returns the mean of side * (mark then - price) / price over the maker fills that are old enough, weighted by value,
 * in basis points; null when there are none.
 */
function computeMarkout(state: State, account: number, spanMillis: number): number | null {
  const { fills, nowMillis } = state
  let gained = 0
  let value = 0
  for (const row of listMakerFills(state, account)) {
    const at = fills.atMillis.get(row)
    if (at + spanMillis > nowMillis || at < nowMillis - rememberedMillis) continue
    const price = fills.priceTicks.get(row)
    const mark = stateOf(state, fills.asset.get(row)).marks.at(at + spanMillis)
    const weight = toUsd(fills.notionalAtoms.get(row))
    const sign = fills.side.get(row) === buy ? 1 : -1
    gained += (weight * sign * (mark - price)) / price
    value += weight
  }
  return value === 0 ? null : (gained / value) * 10_000
}

/**
 * Returns the share of the run during which a quote was live. Quotes are visited in the order of creation, so time in
 * which several are live counts once.
 */
function computeQuoteUptime(state: State, account: number): number | null {
  const { quotes, config, nowMillis } = state
  const list = listAccountQuotes(state, account)
  let covered = 0
  let until: number = config.startMillis
  for (let place = 0; place < list.count; place += 1) {
    const row = list.at(place)
    const isLive = isLiveQuote(quotes.status.get(row))
    const end = isLive ? nowMillis : quotes.updatedAtMillis.get(row)
    const from = Math.max(until, quotes.createdAtMillis.get(row))
    if (end > from) covered += end - from
    until = Math.max(until, end)
  }
  return ratio(covered, nowMillis - config.startMillis)
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** Converts an exact sum of atoms to USD. Predicates compare the result as the decimal that it is. */
function sumUsd(rows: readonly number[], atomsOf: (row: number) => number): number {
  let atoms = 0n
  for (const row of rows) atoms += BigInt(atomsOf(row))
  return toUsd(Number(atoms))
}
