import type * as answers from '../../api/admin-answers.ts'
import type * as past from '../../api/admin-past.ts'
import type { AnswerOf } from '../../client/row-types.ts'
import type { RecordOf } from '../../shape/shape.ts'

/*
 * Types of what the console reads from the admin API. It comes from the same package, so it is not validated
 * again.
 */

export type Pair = AnswerOf<'listTradingPairs'>['pairs'][number]
export type ListedOrder = AnswerOf<'listOrders'>['orders'][number]
export type ListedTrade = AnswerOf<'listTrades'>['trades'][number]

export type View = RecordOf<typeof answers.view>
export type WorldRow = RecordOf<typeof answers.worldList>['worlds'][number]
export type ReadingList = RecordOf<typeof answers.readingList>
export type Fault = RecordOf<typeof answers.fault>
export type HistoryPage = RecordOf<typeof past.history>
export type HistoryEntry = RecordOf<typeof past.historyItem>
/** Prices of an asset over a span of time, up to where the server has computed them. */
export type HistoryPrices = RecordOf<typeof past.pastPrices>
export type EquityPage = RecordOf<typeof past.pastEquity>
export type RequestRow = RecordOf<typeof answers.request>
export type Snapshot = RecordOf<typeof answers.snapshot>
export type AccountKeys = RecordOf<typeof answers.account>
/** Progress of a running advance; `to` is null where the end is not known. */
export type Advance = RecordOf<typeof answers.advancing>
/** Moment of a world: after a line of the journal, at an instant; an `at` of '' is the instant of the line. */
export type WorldMoment = RecordOf<typeof past.moment>
