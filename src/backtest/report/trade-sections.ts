import type { FillRecord, QuoteRecord } from '../../metrics/records.ts'
import { formatCounted } from '../../numeric/units.ts'
import type { Layer } from '../../pages/chart.ts'
import { at } from '../../pages/decimate.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { RunResult } from '../result.ts'
import { drawPlaces, drawTouch } from './book-layers.ts'
import { drawExits } from './exit-layers.ts'
import { count, formatQuantity, instant, price, usd } from './figures.ts'

export function priceSection(result: RunResult, pictures: Pictures): Section {
  const traded = result.equity.assets.filter(({ asset }) => isTraded(result, asset))
  const charts = traded.map(({ asset, price }) => {
    const fills = result.fills.filter((fill) => fill.asset === asset)
    const quotes = listQuoteLives(result, asset)
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

/** The assets of results that were asked for. Records are made as they are read, so they are read once. */
const tradedAssets = new WeakMap<RunResult, ReadonlySet<string>>()

/** Tells whether the account had a fill, an order or a quote of an asset. */
export function isTraded(result: RunResult, asset: string): boolean {
  const known = tradedAssets.get(result) ?? listTradedAssets(result)
  tradedAssets.set(result, known)
  return known.has(asset)
}

function listTradedAssets({ equity, fills, orders, quotes }: RunResult): ReadonlySet<string> {
  const traded = new Set<string>()
  const others = new Set(equity.assets.map(({ asset }) => asset))
  for (const rows of [fills, quotes, orders])
    for (const { asset } of rows) {
      traded.add(asset)
      if (others.delete(asset) && others.size === 0) return traded
    }
  return traded
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

/** What a picture needs of a quote. */
type QuoteLife = Pick<QuoteRecord, 'createdAtMillis' | 'updatedAtMillis' | 'bidPrice' | 'askPrice'>

function listQuoteLives({ quotes }: RunResult, asset: string): readonly QuoteLife[] {
  const lives: QuoteLife[] = []
  for (const quote of quotes) {
    if (quote.asset !== asset) continue
    const { askPrice, bidPrice, createdAtMillis, updatedAtMillis } = quote
    lives.push({ createdAtMillis, updatedAtMillis, bidPrice, askPrice })
  }
  return lives
}

function drawQuotes(quotes: readonly QuoteLife[], grid: readonly number[]): readonly Layer[] {
  if (quotes.length === 0) return []
  const rows = areSampled(quotes, grid) ? sampleQuotes(quotes, grid) : listQuoteSpans(quotes)
  return [{ kind: 'band', label: 'own quotes', color: 7, ...rows }]
}

/** Returns whether quotes are drawn at points only: between two of them a quote may follow a price that the picture lacks. */
const areSampled = (quotes: readonly QuoteLife[], grid: readonly number[]): boolean =>
  quotes.length > maximumQuotes || quotes.length > grid.length / 4

interface Band {
  readonly xs: number[]
  readonly lows: number[]
  readonly highs: number[]
}

function listQuoteSpans(quotes: readonly QuoteLife[]): Band {
  const band: Band = { xs: [], lows: [], highs: [] }
  for (const { createdAtMillis, updatedAtMillis, bidPrice, askPrice } of quotes) {
    band.xs.push(createdAtMillis, updatedAtMillis, updatedAtMillis)
    band.lows.push(bidPrice, bidPrice, Number.NaN)
    band.highs.push(askPrice, askPrice, Number.NaN)
  }
  return band
}

/** Returns, for each point of the grid, the newest quote that stands, or a gap. */
function sampleQuotes(quotes: readonly QuoteLife[], grid: readonly number[]): Band {
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
export function fillSection({ fills }: RunResult): Section | null {
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
