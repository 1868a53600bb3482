import type { FillCause } from '../../metrics/records.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { ExitRecord, RunResult } from '../result.ts'
import { describeExit } from './exit-layers.ts'
import { count, instant, price } from './figures.ts'

/* What happened, in the order of time. Of many entries only both ends are kept, and only their texts are made. */

interface Entry {
  readonly atMillis: number
  /** Makes its event and its text. */
  readonly describe: () => readonly [what: string, text: string]
}

/** The log shows only this many of the first and of the last entries; the result's JSON has all of them. */
const maximumEntries = 600

export function eventSection(result: RunResult): Section {
  const { count: total, kept } = selectEnds(eachEntry(result), maximumEntries)
  const rows = kept.map(({ atMillis, describe }) => [instant(atMillis), ...describe()])
  const log = tableMarkup({ caption: 'Event log', head: ['Time', 'Event', 'What'], rows, figures: [] })
  const cut =
    total > kept.length
      ? paragraph(
          `Of ${count(total)} entries the first and the last ${maximumEntries} are shown; the result has all of them.`,
        )
      : ''
  const body =
    rejectTable(result) +
    cut +
    detailsMarkup(`${count(kept.length)} ${kept.length === 1 ? 'entry' : 'entries'}`, log)
  return { id: 'events', title: 'Event log', body }
}

/**
 * Selects the earliest and the latest of entries, `most` of each, in the order of time, those of one instant as they come.
 * It holds a few times that many, however many come.
 */
export function selectEnds<Timed extends { readonly atMillis: number }>(
  entries: Iterable<Timed>,
  most: number,
): { readonly kept: readonly Timed[]; readonly count: number } {
  let first: Timed[] = []
  let last: Timed[] = []
  let firstBound = Number.POSITIVE_INFINITY
  let lastBound = Number.NEGATIVE_INFINITY
  let count = 0
  for (const entry of entries) {
    count += 1
    // What comes later stands behind all of its instant, so it is not among the first, but among the last.
    if (entry.atMillis < firstBound) first.push(entry)
    if (entry.atMillis >= lastBound) last.push(entry)
    if (first.length === most * 2) {
      first = first.sort(byTime).slice(0, most)
      firstBound = first.at(-1)?.atMillis ?? firstBound
    }
    if (last.length === most * 2) {
      last = last.sort(byTime).slice(-most)
      lastBound = last[0]?.atMillis ?? lastBound
    }
  }
  first = first.sort(byTime).slice(0, most)
  const behind = Math.min(most, count - first.length)
  return { kept: [...first, ...(behind === 0 ? [] : last.sort(byTime).slice(-behind))], count }
}

const byTime = (left: { readonly atMillis: number }, right: { readonly atMillis: number }): number =>
  left.atMillis - right.atMillis

function rejectTable({ rejects }: RunResult): string {
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

function* eachEntry(result: RunResult): Generator<Entry> {
  for (const order of result.orders) {
    const describe: Entry['describe'] = () => {
      const limit = order.price === null ? 'at the market' : `at ${price(order.price)}`
      const text = `${order.side} ${order.quantity} ${order.asset} ${limit}, ${order.timeInForce}; filled ${order.filledQuantity}, ${order.status}`
      return [`order ${order.orderId}`, text]
    }
    yield { atMillis: order.createdAtMillis, describe }
  }
  for (const quote of result.quotes) {
    const describe: Entry['describe'] = () => [
      `quote ${quote.quoteId}`,
      `${quote.asset} ${quote.bidSize} at ${price(quote.bidPrice)} / ${quote.askSize} at ${price(quote.askPrice)}; ${quote.status}`,
    ]
    yield { atMillis: quote.createdAtMillis, describe }
  }
  for (const fill of result.fills) {
    const describe: Entry['describe'] = () => {
      const role = fill.isMaker === null ? '' : fill.isMaker ? ', maker' : ', taker'
      const text = `${fill.side} ${fill.quantity} ${fill.asset} at ${price(fill.price)}${role}${describeCause(fill.cause)}`
      return [`fill ${fill.fillId}`, text]
    }
    yield { atMillis: fill.atMillis, describe }
  }
  for (const exit of result.exits ?? [])
    yield {
      atMillis: exit.toMillis ?? result.toMillis,
      describe: () => ['protection', describeProtection(exit)],
    }
  for (const { atMillis, text } of result.notes) yield { atMillis, describe: () => ['note', text] }
}

function describeProtection(exit: ExitRecord): string {
  const { asset, fromMillis, orderIds } = exit
  const orders = orderIds.length === 0 ? '' : `, order ${orderIds.join(', ')}`
  return `${asset}, set ${instant(fromMillis)}: ${describeExit(exit)}${orders}`
}

function describeCause(cause: FillCause | null): string {
  if (cause === null) return ''
  const by = `; command ${cause.sequence} (${cause.command})`
  if (cause.book !== undefined) return `: ${cause.book.text}${by}`
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
