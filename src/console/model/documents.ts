import type * as answers from '../../api/admin-answers.ts'
import type { AnswerOf } from '../../client/row-types.ts'
import type { RecordOf } from '../../shape/shape.ts'

/* What the console reads of the admin API. It comes from the same package, so it is not validated again. */

export type Pair = AnswerOf<'listTradingPairs'>['pairs'][number]
export type ListedOrder = AnswerOf<'listOrders'>['orders'][number]
export type ListedTrade = AnswerOf<'listTrades'>['trades'][number]

export type View = RecordOf<typeof answers.view>
export type WorldRow = RecordOf<typeof answers.worldList>['worlds'][number]
export type ReadingList = RecordOf<typeof answers.readingList>
export type Fault = RecordOf<typeof answers.fault>
export type HistoryPage = RecordOf<typeof answers.history>
export type HistoryEntry = RecordOf<typeof answers.historyItem>
/** What is read has been waited for. */
export type HistoryPrices = Omit<RecordOf<typeof answers.pastPrices>, 'isWhole'>
export type RequestRow = RecordOf<typeof answers.request>
export type Snapshot = RecordOf<typeof answers.snapshot>
export type AccountKeys = RecordOf<typeof answers.account>
/** How far a running advance has come; `to` is null where the end is not known. */
export type Advance = RecordOf<typeof answers.advancing>
/** After a line of the journal, at an instant; '' is the instant of the line. */
export type WorldMoment = RecordOf<typeof answers.moment>
