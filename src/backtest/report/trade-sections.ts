import type { FillCause, FillRecord, QuoteRecord } from '../../metrics/records.ts'
import { formatCounted } from '../../numeric/units.ts'
import type { Layer } from '../../pages/chart.ts'
import { at } from '../../pages/decimate.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { BacktestResult, ExitRecord } from '../result.ts'
import { drawPlaces, drawTouch } from './book-layers.ts'
import { describeExit, drawExits } from './exit-layers.ts'
import { count, formatQuantity, instant, price, usd } from './figures.ts'

export function priceSection(result: BacktestResult, pictures: Pictures): Section {
  const traded = result.equity.assets.filter(({ asset }) => isTraded(result, asset))
  const charts = traded.map(({ asset, price }) => {
    const fills = result.fills.filter((fill) => fill.asset === asset)
    const quotes = result.quotes.filter((quote) => quote.asset === asset)
    const book = result.books?.find((one) => one.asset === asset)
    const places = book === undefined ? null : drawPlaces(book)
    const exits = (result.exits ?? []).filter((exit) => exit.asset === asset)
    const reached = exits.filter(({ orderIds }) => orderIds.length > 0).length
    const protectedText =
      exits.length === 0
        ? ''
        : ` Positions were protected ${formatCounted(exits.length, 'time')}, and closed by that ${formatCounted(reached, 'time')}.`
    return pictures.chart({
      id: `price-${asset}`,
      title: `${asset}: price, fills and own quotes`,
      description: `The mark of ${asset}, ${formatCounted(fills.length, 'fill')} at their prices, and ${formatCounted(quotes.length, 'own quote')} from bid to ask ${areSampled(quotes, result.equity.atMillis) ? 'as they stood at the points of the equity' : 'while they stood'}.${protectedText}${book === undefined ? '' : ' The best bid and ask are those of the record; own best orders and what stands ahead of them are as at observations, and in between either may have moved.'}`,
      x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
      panels: [
        {
          title: `${asset}, USD`,
          height: 240,
          layers: [
            ...(book === undefined ? [] : drawTouch(book)),
            ...drawQuotes(quotes, result.equity.atMillis),
            { kind: 'line', label: 'mark', color: 1, ...buildMarkLine(result.equity.atMillis, price, fills) },
            ...drawExits(exits, result.toMillis),
            drawMarkers(fills, 'buy'),
            drawMarkers(fills, 'sell'),
          ],
        },
        ...(places === null ? [] : [places]),
      ],
    })
  })
  const body = charts.length === 0 ? paragraph('Nothing was traded.') : charts.join('')
  return { id: 'price-and-fills', title: 'Price, fills and own quotes', body }
}

/** Returns the marks at the points of the grid and at the fills between them. */
function buildMarkLine(
  atMillis: readonly number[],
  price: readonly number[],
  fills: readonly FillRecord[],
): { readonly xs: readonly number[]; readonly ys: readonly number[] } {
  const marks = new Map<number, number>()
  for (const { atMillis: at, mid } of fills) if (mid !== null) marks.set(at, mid)
  for (const [place, millis] of atMillis.entries()) marks.set(millis, at(price, place))
  const line = [...marks].sort(([left], [right]) => left - right)
  return { xs: line.map(([at]) => at), ys: line.map(([, mark]) => mark) }
}

export function isTraded({ fills, orders, quotes }: BacktestResult, asset: string): boolean {
  return [fills, orders, quotes].some((rows) => rows.some((row) => row.asset === asset))
}

function drawMarkers(fills: readonly FillRecord[], side: 'buy' | 'sell'): Layer {
  const own = fills.filter((fill) => fill.side === side)
  return {
    kind: 'markers',
    shape: side === 'buy' ? 'up' : 'down',
    label: side === 'buy' ? 'bought' : 'sold',
    color: side === 'buy' ? 3 : 2,
    xs: own.map(({ atMillis }) => atMillis),
    ys: own.map(({ price }) => price),
    titles: own.map(
      (fill) => `${side} ${formatQuantity(fill.quantity)} at ${price(fill.price)}, ${instant(fill.atMillis)}`,
    ),
  }
}

/** The most quotes that are drawn one by one; of more, the picture shows which one stood at each point of the grid. */
const maximumQuotes = 400

function drawQuotes(quotes: readonly QuoteRecord[], grid: readonly number[]): readonly Layer[] {
  if (quotes.length === 0) return []
  const rows = areSampled(quotes, grid) ? sampleQuotes(quotes, grid) : listQuoteSpans(quotes)
  return [{ kind: 'band', label: 'own quotes', color: 7, ...rows }]
}

/** Returns whether quotes are drawn at points only: between two of them a quote may follow a price that the picture lacks. */
const areSampled = (quotes: readonly QuoteRecord[], grid: readonly number[]): boolean =>
  quotes.length > maximumQuotes || quotes.length > grid.length / 4

interface Band {
  readonly xs: number[]
  readonly lows: number[]
  readonly highs: number[]
}

function listQuoteSpans(quotes: readonly QuoteRecord[]): Band {
  const band: Band = { xs: [], lows: [], highs: [] }
  for (const { createdAtMillis, updatedAtMillis, bidPrice, askPrice } of quotes) {
    band.xs.push(createdAtMillis, updatedAtMillis, updatedAtMillis)
    band.lows.push(bidPrice, bidPrice, Number.NaN)
    band.highs.push(askPrice, askPrice, Number.NaN)
  }
  return band
}

/** Returns, for each point of the grid, the newest quote that stands, or a gap. */
function sampleQuotes(quotes: readonly QuoteRecord[], grid: readonly number[]): Band {
  const byTime = quotes.toSorted((left, right) => left.createdAtMillis - right.createdAtMillis)
  const band: Band = { xs: [], lows: [], highs: [] }
  let next = 0
  for (const at of grid) {
    while ((byTime[next]?.createdAtMillis ?? Number.POSITIVE_INFINITY) <= at) next += 1
    const standing = byTime[next - 1]
    const stands = standing !== undefined && standing.updatedAtMillis >= at
    band.xs.push(at)
    band.lows.push(stands ? standing.bidPrice : Number.NaN)
    band.highs.push(stands ? standing.askPrice : Number.NaN)
  }
  return band
}

/** The list shows only this many of the newest fills; the result's JSON has all of them. */
const maximumFills = 2_000

/**
 * Builds the list of fills, which the page's script can sort by any column and save as CSV; returns null without fills.
 */
export function fillSection({ fills }: BacktestResult): Section | null {
  if (fills.length === 0) return null
  const shownFills = fills.slice(-maximumFills)
  const rows = shownFills.map((fill) => [
    instant(fill.atMillis),
    fill.asset,
    fill.side,
    formatQuantity(fill.quantity),
    price(fill.price),
    usd(fill.value),
    usd(fill.feeUsd),
    usd(fill.realized),
    fill.isMaker === null ? '' : fill.isMaker ? 'maker' : 'taker',
    fill.orderId ?? fill.quoteId ?? '',
  ])
  const head = ['Time', 'Asset', 'Side', 'Quantity', 'Price', 'Value', 'Fee', 'Realised', 'As', 'Of']
  const cut = shownFills.length === fills.length ? '' : `, the newest of ${count(fills.length)}`
  const caption = `${count(shownFills.length)} ${fills.length === 1 ? 'fill' : 'fills'}${cut}`
  const table = tableMarkup({ caption, head, rows, figures: [3, 4, 5, 6, 7], isList: true })
  return { id: 'fills', title: 'Fills', body: detailsMarkup(caption, table) }
}

interface Entry {
  readonly atMillis: number
  readonly what: string
  readonly text: string
}

/** The log shows only this many of the first and of the last entries; the result's JSON has all of them. */
const maximumEntries = 600

export function eventSection(result: BacktestResult): Section {
  const entries = listEntries(result)
  const isCut = entries.length > maximumEntries * 2
  const kept = isCut ? [...entries.slice(0, maximumEntries), ...entries.slice(-maximumEntries)] : entries
  const rows = kept.map(({ atMillis, what, text }) => [instant(atMillis), what, text])
  const log = tableMarkup({ caption: 'Event log', head: ['Time', 'Event', 'What'], rows, figures: [] })
  const cut = isCut
    ? paragraph(
        `Of ${count(entries.length)} entries the first and the last ${maximumEntries} are shown; the result has all of them.`,
      )
    : ''
  const body =
    rejectTable(result) +
    cut +
    detailsMarkup(`${count(kept.length)} ${kept.length === 1 ? 'entry' : 'entries'}`, log)
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

function listEntries(result: BacktestResult): readonly Entry[] {
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
    const text = `${fill.side} ${fill.quantity} ${fill.asset} at ${price(fill.price)}${role}${describeCause(fill.cause)}`
    entries.push({ atMillis: fill.atMillis, what: `fill ${fill.fillId}`, text })
  }
  for (const exit of result.exits ?? [])
    entries.push({
      atMillis: exit.toMillis ?? result.toMillis,
      what: 'protection',
      text: describeProtection(exit),
    })
  for (const { atMillis, text } of result.notes) entries.push({ atMillis, what: 'note', text })
  return entries.sort((left, right) => left.atMillis - right.atMillis)
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
