import { assert } from '../numeric/assert.ts'
import { settle } from './accounts/transfers.ts'
import { assetRow, isLiveQuote, quoteExpired, quoteRow } from './codes.ts'
import { resumeAsset } from './house/halts.ts'
import { endConditions } from './house/market-moves.ts'
import { endQuote } from './orders/transitions.ts'
import { type State, stateOf } from './state.ts'

/*
 * What becomes due by itself, and when: the tables decide it, and the timeline only orders it. An item of the
 * timeline whose row has since changed does nothing.
 */

/**
 * Returns the instant of the next item of the timeline that applies; infinity when there is none. Items before it,
 * which would do nothing, are dropped: the timeline of a restored venue has never had them.
 */
export function nextItemMillis(state: State): number {
  const { timeline } = state
  while (timeline.nextAtMillis !== Number.POSITIVE_INFINITY && !nextApplies(state)) timeline.pop()
  return timeline.nextAtMillis
}

/** Carries out what is due now, up to and including a kind. */
export function carryOutDue(state: State, lastKind: number): void {
  const { timeline } = state
  while (timeline.nextAtMillis <= state.nowMillis && timeline.nextKind <= lastKind) {
    const { nextKind, nextRow } = timeline
    const applies = nextApplies(state)
    timeline.pop()
    if (applies) dueRowsOf(nextKind).carryOut(state, nextRow)
  }
}

export function rebuildTimeline(state: State): void {
  for (const [kind, { firstRow, endRow, dueAtMillis: instantOf }] of dueRows.entries()) {
    for (let row = firstRow; row < endRow(state); row += 1) {
      const atMillis = instantOf(state, row)
      if (atMillis > 0) state.timeline.push(atMillis, kind, row)
    }
  }
}

function nextApplies(state: State): boolean {
  const { nextAtMillis, nextKind, nextRow } = state.timeline
  return dueRowsOf(nextKind).dueAtMillis(state, nextRow) === nextAtMillis
}

interface DueRows {
  readonly firstRow: number
  readonly endRow: (state: State) => number
  /** The instant at which a row is due; 0 when it is not. */
  readonly dueAtMillis: (state: State, row: number) => number
  readonly carryOut: (state: State, row: number) => void
}

const quoteExpiries: DueRows = {
  firstRow: 0,
  endRow: ({ quotes }) => quotes.count,
  dueAtMillis: ({ quotes }, row) =>
    isLiveQuote(quotes.status.get(row)) ? quotes.expiresAtMillis.get(row) : 0,
  carryOut: (state, row) => endQuote(state, quoteRow(row), quoteExpired),
}

const pendingTransfers: DueRows = {
  firstRow: 0,
  endRow: ({ transfers }) => transfers.count,
  dueAtMillis: ({ transfers }, row) =>
    transfers.isSettled.get(row) === 0 ? transfers.settlesAtMillis.get(row) : 0,
  carryOut: settle,
}

const timedHalts: DueRows = {
  firstRow: 1,
  endRow: ({ assets }) => assets.count,
  dueAtMillis: (state, row) => stateOf(state, row).haltEndsAtMillis,
  carryOut: (state, row) => resumeAsset(state, assetRow(row)),
}

const timedConditions: DueRows = {
  firstRow: 1,
  endRow: ({ assets }) => assets.count,
  dueAtMillis: (state, row) => stateOf(state, row).conditionsEndAtMillis,
  carryOut: (state, row) => endConditions(state, assetRow(row)),
}

/** The rows of due items, by kind: `dueQuoteExpiry` and so on. */
const dueRows = [quoteExpiries, pendingTransfers, timedHalts, timedConditions]

function dueRowsOf(kind: number): DueRows {
  const rows = dueRows[kind]
  assert(rows !== undefined, 'every kind of due item has its rows')
  return rows
}
