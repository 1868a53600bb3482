import { oneOfWords, type RecordOf } from '../../shape/shape.ts'
import { text } from '../operations/common.ts'
import { findRefusalReason, isFailedRequest } from '../request-words.ts'
import { describe, object } from '../wire-shapes.ts'
import type { SeenMarket } from './describe-wait.ts'
import {
  describeOrder,
  type ExplainedOrder,
  type ExplainedQuote,
  explainOrder,
  explainQuote,
} from './explain-orders.ts'
import { type ExplainedRequest, explainRequest } from './explain-requests.ts'

/** What is known of a world in which a test has failed. Lists are in the order in which things came to be. */
export interface FailureEvidence {
  /** What the test's assertion said. */
  readonly message: string
  readonly requests: readonly ExplainedRequest[]
  readonly orders: readonly ExplainedOrder[]
  readonly quotes: readonly ExplainedQuote[]
  /** Whether there are further orders or quotes, which are not in these lists. */
  readonly isCut: boolean
  /** The market of each asset of the orders and quotes. */
  readonly markets: ReadonlyMap<string, SeenMarket>
  readonly nowMillis: number
  readonly hasTimePassed: boolean
  /** The limits in words, such as `20 in 1,000 ms`; null where there are none. */
  readonly limits: string | null
  /** Faults that have struck no request, in words. */
  readonly idleFaults: readonly string[]
}

export const failureTarget = object({
  kind: describe(oneOfWords('order', 'quote', 'request'), 'what it is'),
  id: describe(text, 'its id; the number of a request'),
})
/** What an explanation is about, and the console selects. */
export type FailureTarget = RecordOf<typeof failureTarget>

export interface FailureAnswer {
  /** What the venue knows of why the test failed, the likeliest first, each a sentence of its own. */
  readonly sentences: readonly string[]
  /** What the first sentence is about; null when it is about nothing that can be selected. */
  readonly about: FailureTarget | null
  /** The account that it belongs to; null when it belongs to none. */
  readonly account: string | null
}

/**
 * Explains why a test may have failed: the orders and quotes that are not as it expected, the requests that were refused
 * or whose answers were lost, limits, faults that struck nothing; or that nothing was asked at all. What the message of
 * the test names comes first, then what has failed, then what is not done. What is left out is counted.
 */
export function explainFailure(facts: FailureEvidence): FailureAnswer {
  const candidates = [...listOrders(facts), ...listQuotes(facts), ...listRequests(facts)].sort(
    (left, right) => right.rank - left.rank || right.place - left.place,
  )
  const told = candidates.slice(0, maximumSentences)
  return {
    sentences: [
      ...explainSilence(facts, candidates.length),
      ...told.map(({ sentence }) => sentence),
      ...countLeftOut(candidates.slice(maximumSentences), facts.isCut),
      ...explainLimits(facts),
      ...facts.idleFaults,
    ],
    about: told[0]?.about ?? null,
    account: told[0]?.account ?? null,
  }
}

const maximumSentences = 4

interface Candidate {
  readonly sentence: string
  readonly about: FailureTarget
  readonly account: string | null
  readonly rank: number
  /** The order within a rank: of equal ranks the latest comes first. */
  readonly place: number
}

/* How much speaks for it that the test has failed about something. */
const namedRank = 16
const lostRank = 8
const refusedRank = 6
const stateRank = 3
const unfinishedRank = 2

function listOrders(facts: FailureEvidence): readonly Candidate[] {
  return facts.orders.map((order, place) => {
    const alike = findTwin(facts.orders, order, place)
    const twin = alike === null ? '' : `; it is the same order as ${alike}, a second time`
    return {
      sentence: `${explainOrder(order, surround(facts, order.asset))}${twin}`,
      about: { kind: 'order', id: order.orderId },
      account: order.account,
      rank:
        rankByMessage(facts.message, [order.orderId, order.clientOrderId], order.status) +
        (alike === null ? 0 : 1),
      place,
    }
  })
}

function listQuotes(facts: FailureEvidence): readonly Candidate[] {
  return facts.quotes.map((quote, place) => ({
    sentence: explainQuote(quote, surround(facts, quote.asset)),
    about: { kind: 'quote', id: quote.quoteId },
    account: quote.account,
    rank: rankByMessage(facts.message, [quote.quoteId, quote.clientQuoteId], quote.status),
    place,
  }))
}

function surround({ markets, nowMillis, hasTimePassed }: FailureEvidence, asset: string) {
  return { market: markets.get(asset) ?? null, nowMillis, hasTimePassed }
}

/** Finds an earlier order without a name of its own that is the same; null when there is none. */
function findTwin(orders: readonly ExplainedOrder[], order: ExplainedOrder, place: number): string | null {
  if (order.clientOrderId !== null) return null
  const words = describeOrder(order)
  return orders.slice(0, place).find((other) => describeOrder(other) === words)?.orderId ?? null
}

const doneStates: readonly string[] = ['filled', 'cancelled', 'rejected', 'expired']

function rankByMessage(message: string, ids: readonly (string | null)[], status: string): number {
  const named = ids.some((id) => id !== null && hasWord(message, id)) ? namedRank : 0
  return (
    named + (hasWord(message, status) ? stateRank : 0) + (doneStates.includes(status) ? 0 : unfinishedRank)
  )
}

/** Returns whether a text has a word that is not part of a longer one. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); word !== '' && at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`
    if (!/\w/.test(around)) return true
  }
  return false
}

function listRequests({ message, requests }: FailureEvidence): readonly Candidate[] {
  const failed = requests.filter(isFailedRequest)
  const last = failed.findLast(({ lost = null }) => lost === null)
  return failed.map((request) => {
    const { lost = null, responseBody, sequence } = request
    const reason = findRefusalReason(responseBody)
    const verb = request === last ? 'last refused' : 'refused'
    const sentence = explainRequest(request)
    return {
      sentence: lost === null ? `${verb}: ${sentence}` : sentence,
      about: { kind: 'request', id: String(sequence) },
      account: request.account,
      rank:
        (reason !== '' && message.includes(reason) ? namedRank : 0) +
        (lost === null ? refusedRank : lostRank),
      place: sequence,
    }
  })
}

/** Says that nothing was asked, or nothing that could have placed an order. */
function explainSilence({ requests, orders, quotes }: FailureEvidence, told: number): readonly string[] {
  const hasAny = orders.length + quotes.length > 0
  if (requests.length === 0) return hasAny ? [] : ['nothing was asked: no request has reached this world']
  if (told > 0) return []
  return [
    `${requests.length} ${requests.length === 1 ? 'request was' : 'requests were'} answered, and none of them placed an order or a quote`,
  ]
}

function countLeftOut(left: readonly Candidate[], isCut: boolean): readonly string[] {
  const counts = (['order', 'quote', 'request'] as const).flatMap((kind) => {
    const count = left.filter(({ about }) => about.kind === kind).length
    const noun = kind === 'request' ? 'failed request' : kind
    return count === 0 ? [] : [`${count} more ${noun}${count === 1 ? '' : 's'}`]
  })
  return counts.length === 0 ? [] : [`and ${isCut ? 'at least ' : ''}${counts.join(', ')}`]
}

/** Says how often accounts were kept out by the rate limit, and what it is. */
function explainLimits({ requests, limits }: FailureEvidence): readonly string[] {
  const limited = requests.filter(({ status, fault }) => status === 429 && fault === null)
  if (limited.length === 0 || limits === null) return []
  return [`${limited.length} of ${requests.length} requests came too fast (429): ${limits} are allowed`]
}
