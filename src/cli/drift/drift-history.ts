import {
  asObject,
  type Exchange,
  type Finding,
  findErrorType,
  isRiskRefusal,
  isSuccess,
  isVenueError,
  type JsonObject,
  listItems,
} from './drift-exchange.ts'

/*
 * What a whole recording shows of one account, for rules that compare exchanges. A fact with an instant is known from
 * then on: the answer that shows it had come. Only a request that was sent later can be compared with it, because of two
 * requests that overlap nobody knows which came first.
 */

/** What is known of one order or quote, in milliseconds of the recorder's clock; infinity where it never shows. */
interface Life {
  readonly endedMillis: number
}

/** The limits of a trading pair, as far as the venue shows them. */
interface PairFacts {
  readonly minimum: number
  readonly maximum: number
  readonly step: number
  readonly minimumNotional: number
}

/** An order that a successful creation answered with. */
interface Creation {
  readonly orderId: string
  readonly createdAt: unknown
  readonly startMillis: number
  readonly endMillis: number
}

export interface AccountHistory {
  /** Orders and quotes that can no longer trade, by `nameRecord`. */
  readonly lives: ReadonlyMap<string, Life>
  /** How many successful requests cancelled an order or a quote, by its id and the instant that they name. */
  readonly cancels: ReadonlyMap<string, number>
  /** The successful creations with a client id, by that id. */
  readonly clientIds: ReadonlyMap<string, readonly Creation[]>
  /** When it was known that an order with this client id has failed a check of risk. */
  readonly refusedClientIds: ReadonlyMap<string, number>
  /**
   * Spans through which the venue has surely kept what it knew: from the first to the last answer about one order or
   * quote. In between it has not been wiped, as test venues are, where what was known before is not found either.
   */
  readonly spans: readonly { readonly fromMillis: number; readonly toMillis: number }[]
  /** The instants at which quotes ended by themselves, as answers stated them, each with when it was known. */
  readonly expiries: ReadonlyMap<string, readonly { readonly millis: number; readonly expiresAt: number }[]>
  /** All assets that the venue trades, and all that it holds; null where the recording has no such list. */
  readonly traded: ReadonlySet<string> | null
  readonly held: ReadonlySet<string> | null
  readonly pairs: ReadonlyMap<string, PairFacts>
  /** Whether some field of an answer was null, so that the venue does not leave such fields out. */
  readonly showsNulls: boolean
  /** Whether the instants in answers are those of the venue's Date header, or earlier: some simulators live ahead of it. */
  readonly isDated: boolean
  /** Whether some error had its type, so that the venue does not leave types out. */
  readonly showsTypes: boolean
}

/**
 * A rule lists what an exchange shows about readings, and nothing when the exchange shows nothing. `facts` is what the
 * whole recording shows of the account and its venue.
 */
export type Rule = (exchange: Exchange, facts: AccountHistory) => readonly Finding[]

const nothing: AccountHistory = {
  lives: new Map(),
  cancels: new Map(),
  clientIds: new Map(),
  refusedClientIds: new Map(),
  spans: [],
  expiries: new Map(),
  traded: null,
  held: null,
  pairs: new Map(),
  showsNulls: false,
  isDated: false,
  showsTypes: false,
}

/**
 * Gathers the facts of the exchanges of one key at one venue. Where the recording does not show the key, they may be of
 * several accounts, and only what is the same for all of them counts. So it does where an id was given twice, because
 * then the venue has started anew in between.
 */
export function gatherHistory(exchanges: readonly Exchange[]): AccountHistory {
  const successes = exchanges.filter((exchange) => isSuccess(exchange) && exchange.raw !== null)
  const venue = {
    traded: gatherSymbols(successes, 'listPrices', 'prices'),
    held: gatherSymbols(successes, 'listBalances', 'balances'),
    pairs: gatherPairs(successes),
    showsNulls: successes.some(({ body }) => hasNull(body)),
    isDated: isDated(successes),
    showsTypes: exchanges.some((exchange) => isVenueError(exchange) && findErrorType(exchange) !== null),
  }
  const isOneAccount = exchanges.every(({ apiKey }) => apiKey !== null) && !isRestarted(successes)
  if (!isOneAccount) return { ...nothing, ...venue }
  return {
    ...venue,
    lives: gatherLives(successes),
    cancels: gatherCancels(successes),
    clientIds: gatherClientIds(successes),
    refusedClientIds: gatherRefusals(exchanges),
    spans: gatherSpans(successes),
    expiries: gatherExpiries(successes),
  }
}

/** Instants of what has happened. Those at which something will end are ahead of every clock. */
const pastInstants: readonly string[] = ['createdAt', 'updatedAt', 'cancelledAt', 'executedAt', 'timestamp']

function isDated(successes: readonly Exchange[]): boolean {
  const aheads = successes.flatMap(({ headers, body }) => {
    const answeredMillis = Date.parse(headers.get('date') ?? '') + 999
    const fields = asObject(body)
    return pastInstants
      .map((name) => Date.parse(String(fields[name])) - answeredMillis)
      .filter((aheadMillis) => !Number.isNaN(aheadMillis))
  })
  return aheads.length > 0 && aheads.every((aheadMillis) => aheadMillis <= 1000)
}

/** Returns whether a fact was known before a request was sent. It is not where one of the instants is unknown. */
export const isKnownBefore = (knownMillis: number | undefined, { startMillis }: Exchange): boolean =>
  knownMillis !== undefined && knownMillis <= startMillis

/** Returns whether the venue has surely kept what it knew from one instant to another. */
export const hasKept = (
  { spans }: AccountHistory,
  fromMillis: number | undefined,
  toMillis: number,
): boolean =>
  fromMillis !== undefined && spans.some((span) => span.fromMillis <= fromMillis && toMillis <= span.toMillis)

/** Names an order or a quote: an id of the one says nothing of the other. */
export const nameRecord = (kind: 'order' | 'quote', id: unknown): string => JSON.stringify([kind, id])

/** Returns a text that one cancel of an order or a quote has and no other. */
export const nameCancel = ({ operation, parameter, body }: Exchange): string =>
  JSON.stringify([operation, parameter, asObject(body)['cancelledAt']])

/** Lists an answer's orders and quotes, itself among them. */
const listRecords = ({ body }: Exchange): readonly JsonObject[] => [
  asObject(body),
  ...listItems(asObject(body)['orders'], ''),
  ...listItems(asObject(body)['quotes'], ''),
]

function isRestarted(successes: readonly Exchange[]): boolean {
  const created = new Map<string, unknown>()
  return successes.flatMap(listRecords).some(({ orderId, quoteId, createdAt }) => {
    const id = orderId ?? quoteId
    if (typeof id !== 'string' || createdAt === undefined) return false
    const before = created.get(id) ?? createdAt
    created.set(id, createdAt)
    return before !== createdAt
  })
}

const terminalStatuses: readonly unknown[] = ['filled', 'cancelled', 'expired', 'rejected']

export const isTerminal = (status: unknown): boolean => terminalStatuses.includes(status)

function gatherLives(successes: readonly Exchange[]): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>()
  for (const exchange of successes) {
    if (Number.isNaN(exchange.endMillis)) continue
    const ended = listRecords(exchange).filter(({ status }) => isTerminal(status))
    const { cancelledOrders, cancelledQuotes } = asObject(exchange.body)
    const names = [
      ...ended.map(({ orderId, quoteId }) =>
        orderId === undefined ? nameRecord('quote', quoteId) : nameRecord('order', orderId),
      ),
      ...(Array.isArray(cancelledOrders) ? cancelledOrders.map((id) => nameRecord('order', id)) : []),
      ...(Array.isArray(cancelledQuotes) ? cancelledQuotes.map((id) => nameRecord('quote', id)) : []),
    ]
    for (const name of names) {
      const known = lives.get(name)?.endedMillis ?? Number.POSITIVE_INFINITY
      lives.set(name, { endedMillis: Math.min(exchange.endMillis, known) })
    }
  }
  return lives
}

function gatherCancels(successes: readonly Exchange[]): ReadonlyMap<string, number> {
  const cancels = new Map<string, number>()
  for (const exchange of successes) {
    if (exchange.operation !== 'cancelOrder' && exchange.operation !== 'cancelQuote') continue
    const name = nameCancel(exchange)
    cancels.set(name, (cancels.get(name) ?? 0) + 1)
  }
  return cancels
}

function gatherClientIds(successes: readonly Exchange[]): AccountHistory['clientIds'] {
  const found = new Map<string, Creation[]>()
  for (const { operation, requestBody, body, startMillis, endMillis } of successes) {
    const { clientOrderId } = asObject(requestBody)
    const { orderId, createdAt } = asObject(body)
    if (operation !== 'createOrder' || typeof clientOrderId !== 'string' || typeof orderId !== 'string')
      continue
    const known = found.get(clientOrderId) ?? []
    known.push({ orderId, createdAt, startMillis, endMillis })
    found.set(clientOrderId, known)
  }
  return found
}

function gatherSpans(successes: readonly Exchange[]): AccountHistory['spans'] {
  const spans = new Map<unknown, { fromMillis: number; toMillis: number }>()
  for (const exchange of successes)
    for (const { orderId, quoteId, createdAt } of listRecords(exchange)) {
      const id = orderId ?? quoteId
      if (typeof id !== 'string' || createdAt === undefined || Number.isNaN(exchange.endMillis)) continue
      const { fromMillis = Infinity, toMillis = -Infinity } = spans.get(id) ?? {}
      spans.set(id, {
        fromMillis: Math.min(fromMillis, exchange.endMillis),
        toMillis: Math.max(toMillis, exchange.startMillis),
      })
    }
  return [...spans.values()]
}

function gatherRefusals(exchanges: readonly Exchange[]): ReadonlyMap<string, number> {
  const refused = new Map<string, number>()
  for (const exchange of exchanges) {
    const { clientOrderId } = asObject(exchange.requestBody)
    if (exchange.operation !== 'createOrder' || typeof clientOrderId !== 'string') continue
    if (!isRiskRefusal(exchange) || Number.isNaN(exchange.endMillis)) continue
    refused.set(clientOrderId, Math.min(exchange.endMillis, refused.get(clientOrderId) ?? Infinity))
  }
  return refused
}

function gatherExpiries(successes: readonly Exchange[]): AccountHistory['expiries'] {
  const expiries = new Map<string, { millis: number; expiresAt: number }[]>()
  for (const exchange of successes)
    for (const { quoteId, expiresAt } of listRecords(exchange)) {
      const at = Date.parse(String(expiresAt))
      if (typeof quoteId !== 'string' || Number.isNaN(at)) continue
      const known = expiries.get(quoteId) ?? []
      known.push({ millis: exchange.endMillis, expiresAt: at })
      expiries.set(quoteId, known)
    }
  return expiries
}

function gatherSymbols(
  successes: readonly Exchange[],
  operation: 'listPrices' | 'listBalances',
  list: string,
): ReadonlySet<string> | null {
  const whole = successes.filter((exchange) => exchange.operation === operation && exchange.search === '')
  if (whole.length === 0) return null
  return new Set(whole.flatMap(({ body }) => listItems(body, list).map(({ asset }) => String(asset))))
}

function gatherPairs(successes: readonly Exchange[]): ReadonlyMap<string, PairFacts> {
  const pairs = new Map<string, PairFacts>()
  for (const { operation, body } of successes)
    if (operation === 'listTradingPairs')
      for (const pair of listItems(body, 'pairs'))
        pairs.set(String(pair['base']), {
          minimum: readNumber(pair['minQuantity']),
          maximum: readNumber(pair['maxQuantity']),
          step: readNumber(pair['quantityStep']),
          minimumNotional: readNumber(pair['minNotional']),
        })
  return pairs
}

const readNumber = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** Returns whether a field of an answer, or of an item of its lists, is null. Metadata is the caller's. */
function hasNull(value: unknown): boolean {
  if (value === null) return true
  if (Array.isArray(value)) return value.some(hasNull)
  if (typeof value !== 'object') return false
  return Object.entries(value).some(([name, field]) => name !== 'metadata' && hasNull(field))
}
