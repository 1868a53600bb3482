import { isObject, parseJson } from '../../api/json.ts'
import { compareMoments } from '../../api/noted-moments.ts'
import type { HistoryEntry, RequestRow, WorldMoment } from './documents.ts'
import { formatNumber } from './format.ts'

/** State of an order or quote from a moment on. */
export interface LifeState extends WorldMoment {
  readonly state: string
  /** What was filled by then, of both sides of a quote. */
  readonly filled: number
}

/** Something that happened to an order or quote. */
export interface LifeMark extends WorldMoment {
  readonly kind: 'fill' | 'amendment' | 'request' | 'fault'
  readonly text: string
  /** Why a recorded book filled the order, with what stood ahead of it; absent for everything else. */
  readonly cause?: string
  /** Number of the request; null for a mark that is no request. */
  readonly request: number | null
}

/** Life of an order or quote, from when it was placed to when it was done. */
export interface LifeLine {
  readonly kind: 'order' | 'quote'
  readonly id: string
  readonly account: string
  readonly asset: string
  /** Side of an order; null for a quote. */
  readonly side: 'buy' | 'sell' | null
  /** What was asked for at first: `0.5 @ 40,000`. */
  readonly terms: string
  readonly placed: WorldMoment
  readonly states: readonly LifeState[]
  readonly marks: readonly LifeMark[]
}

interface GrowingLifeline extends LifeLine {
  readonly states: LifeState[]
  readonly marks: LifeMark[]
}

const endings: ReadonlySet<string> = new Set(['filled', 'cancelled', 'expired', 'rejected'])

/** States by which lifelines are filtered; `pending` is each that is not an end. */
export const lifeStates = ['pending', ...endings]

export const isPending = (state: string): boolean => !endings.has(state)

/** The lifelines of a world. They grow with its history, so that each item is read once. */
export class LifelineIndex {
  private lines = new Map<string, GrowingLifeline>()
  private nextIndex = 0
  /** Command that came last: it says what a quote asked for, which its events do not. */
  private command: HistoryEntry | null = null

  /** Reads the items that have come since; all of them, where the history has started over. */
  grow(items: readonly HistoryEntry[]): void {
    const first = items[0]?.index ?? 0
    const end = (items.at(-1)?.index ?? -1) + 1
    if (end < this.nextIndex || first > this.nextIndex) this.clear()
    for (const item of items.slice(Math.max(0, this.nextIndex - first))) {
      if (item.kind === 'command') this.command = item
      else if (item.kind === 'event') this.addEvent(item)
    }
    this.nextIndex = end
  }

  /** Lists the lifelines of an account in the order in which they were placed. */
  list(account: string): readonly LifeLine[] {
    return [...this.lines.values()].filter((line) => line.account === account)
  }

  find(id: string): LifeLine | undefined {
    return this.lines.get(id)
  }

  private clear(): void {
    this.lines = new Map()
    this.nextIndex = 0
    this.command = null
  }

  private addEvent({ type, fields, account, asset, sequence, at }: HistoryEntry): void {
    const moment = { sequence, at }
    const [noun = '', verb = ''] = type.split('.')
    if (type === 'trade') {
      const text = `${formatField(fields['quantity'])} @ ${formatField(fields['price'])}`
      const { cause } = fields
      for (const name of ['orderId', 'quoteId', 'makerOrderId', 'makerQuoteId'])
        this.lines.get(String(fields[name] ?? ''))?.marks.push({
          ...moment,
          kind: 'fill',
          text,
          ...(name.startsWith('maker') && typeof cause === 'string' ? { cause } : {}),
          request: null,
        })
      return
    }
    if (noun !== 'order' && noun !== 'quote') return
    const id = String(fields[`${noun}Id`] ?? '')
    if (verb === 'accepted') {
      const { side } = fields
      this.lines.set(id, {
        ...{ kind: noun, id, account: account ?? '', asset: asset ?? '', placed: moment, marks: [] },
        side: side === 'buy' || side === 'sell' ? side : null,
        terms: formatTerms(noun === 'order' ? fields : (this.command?.fields ?? {})),
        states: [{ ...moment, state: noun === 'order' ? 'open' : 'active', filled: 0 }],
      })
      return
    }
    const line = this.lines.get(id)
    if (line === undefined) return
    if (verb === 'amended' || verb === 'updated') {
      const terms = noun === 'order' ? fields : this.command?.sequence === sequence ? this.command.fields : {}
      line.marks.push({ ...moment, kind: 'amendment', text: formatTerms(terms), request: null })
      return
    }
    const { filledQuantity, bidFilled, askFilled } = fields
    const filled = Number(filledQuantity ?? 0) + Number(bidFilled ?? 0) + Number(askFilled ?? 0)
    line.states.push({ ...moment, state: verb, filled })
  }
}

/** Formats the terms of an order or quote, as far as they are known. */
function formatTerms(fields: HistoryEntry['fields']): string {
  const { quantity, price, bidSize, bidPrice, askSize, askPrice } = fields
  const pairs = [
    [quantity, price],
    [bidSize, bidPrice],
    [askSize, askPrice],
  ]
  return pairs
    .filter(([amount, at]) => amount !== undefined || at !== undefined)
    .map(([amount, at]) => `${formatField(amount)} @ ${at === null ? 'market' : formatField(at)}`.trim())
    .join(' / ')
}

const formatField = (value: string | number | null | undefined): string =>
  typeof value === 'number' ? formatNumber(value) : ''

/** Returns the state at a moment, null for the present; undefined where the order or quote was not there yet. */
export const findState = ({ states }: LifeLine, moment: WorldMoment | null): LifeState | undefined =>
  moment === null ? states.at(-1) : states.findLast((state) => compareMoments(state, moment) <= 0)

/** Returns the moment at which it was done; null while it is not. */
export function findEnd({ states }: LifeLine): LifeState | null {
  const last = states.at(-1)
  return last === undefined || isPending(last.state) ? null : last
}

/** Lists the ids of the orders and quotes that a request is about: those in its path, and those in its answer. */
export function listSubjects(request: RequestRow): readonly string[] {
  const known = subjects.get(request)
  if (known !== undefined) return known
  const { method, path, responseBody } = request
  const [, inPath] = /^\/api\/sdk\/(?:orders|quotes)\/([^/]+)/.exec(path) ?? []
  const found = new Set(
    inPath === undefined || inPath === 'batch' || inPath === 'by-client-id' ? [] : [inPath],
  )
  const answer = method === 'GET' ? undefined : parseJson(responseBody)
  const rows = isObject(answer) && Array.isArray(answer['results']) ? answer['results'] : [answer]
  for (const row of rows) {
    const id: unknown = Object(row).orderId ?? Object(row).quoteId
    if (typeof id === 'string') found.add(id)
  }
  const ids = [...found]
  subjects.set(request, ids)
  return ids
}

const subjects = new WeakMap<RequestRow, readonly string[]>()

/** Lists the requests about each order and quote by its id, as marks, with the faults that they met. */
export function markRequests(
  requests: readonly RequestRow[],
  describe: (request: RequestRow) => string,
): ReadonlyMap<string, readonly LifeMark[]> {
  const marks = new Map<string, LifeMark[]>()
  for (const request of requests) {
    for (const id of listSubjects(request)) {
      const { at, worldSequence, fault, sequence } = request
      const mark: LifeMark = {
        ...{ at, sequence: worldSequence, request: sequence, kind: fault === null ? 'request' : 'fault' },
        text: `${describe(request)}${fault === null ? '' : ` under ${fault}`}`,
      }
      const own = marks.get(id)
      if (own === undefined) marks.set(id, [mark])
      else own.push(mark)
    }
  }
  return marks
}
