import type { FillCause } from '../../metrics/records.ts'
import type { BacktestResult } from '../result.ts'
import { count, instant, price } from './figures.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from './html.ts'

interface Entry {
  readonly atMillis: number
  readonly what: string
  readonly text: string
}

/** The log shows this many of the first and last entries; the result's JSON has all of them. */
const maximumEntries = 600

/** Rejects by reason, then orders, quotes, fills with their causes and notes by time. */
export function eventSection(result: BacktestResult): Section {
  const entries = entriesOf(result)
  const isCut = entries.length > maximumEntries * 2
  const kept = isCut ? [...entries.slice(0, maximumEntries), ...entries.slice(-maximumEntries)] : entries
  const rows = kept.map(({ atMillis, what, text }) => [instant(atMillis), what, text])
  const log = tableMarkup({ caption: 'Event log', head: ['Time', 'Event', 'What'], rows, figures: [] })
  const cut = isCut
    ? paragraph(
        `Of ${count(entries.length)} entries the first and the last ${maximumEntries} are shown; the result has all of them.`,
      )
    : ''
  const body = rejectTable(result) + cut + detailsMarkup(`${count(kept.length)} entries`, log)
  return { id: 'events', title: 'Event log', body }
}

function rejectTable({ rejects }: BacktestResult): string {
  if (rejects.length === 0) return paragraph('Nothing was refused.')
  const rows = rejects.map(({ reason, statusCode, message, count: times }) => [
    reason,
    String(statusCode),
    message,
    count(times),
  ])
  const head = ['Reason', 'Status', 'First message', 'Times']
  return tableMarkup({ caption: 'Refused requests', head, rows, figures: [1, 3] })
}

function entriesOf(result: BacktestResult): readonly Entry[] {
  const entries: Entry[] = []
  for (const order of result.orders) {
    const limit = order.price === null ? 'at the market' : `at ${price(order.price)}`
    const text = `${order.side} ${order.quantity} ${order.asset} ${limit}, ${order.timeInForce}; filled ${order.filledQuantity}, ${order.status}`
    entries.push({ atMillis: order.createdAtMillis, what: `order ${order.orderId}`, text })
  }
  for (const quote of result.quotes) {
    const text = `${quote.asset} ${quote.bidSize} at ${price(quote.bidPrice)} / ${quote.askSize} at ${price(quote.askPrice)}; ${quote.status}`
    entries.push({ atMillis: quote.createdAtMillis, what: `quote ${quote.quoteId}`, text })
  }
  for (const fill of result.fills) {
    const role = fill.isMaker === null ? '' : fill.isMaker ? ', maker' : ', taker'
    const text = `${fill.side} ${fill.quantity} ${fill.asset} at ${price(fill.price)}${role}${causeText(fill.cause)}`
    entries.push({ atMillis: fill.atMillis, what: `fill ${fill.fillId}`, text })
  }
  for (const { atMillis, text } of result.notes) entries.push({ atMillis, what: 'note', text })
  return entries.sort((left, right) => left.atMillis - right.atMillis)
}

function causeText(cause: FillCause | null): string {
  if (cause === null) return ''
  const by = `; command ${cause.sequence} (${cause.command})`
  switch (cause.kind) {
    case 'level':
      return `: took the venue's level at ${price(cause.price)}${by}`
    case 'order':
      return `: against ${cause.account ?? 'another account'}'s order at ${price(cause.price)}${by}`
    case 'informed':
      return `: hit by a synthetic taker who knew the coming price${by}`
    case 'sniper':
      return `: hit by a sniper of old prices${by}`
    case 'flow':
      return `: hit by a synthetic taker${by}`
    case 'ladder':
      return `: the venue's ladder moved through the price${by}`
    case 'forced':
      return `: forced by the admin API${by}`
  }
}
