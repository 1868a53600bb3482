import { parseId } from '../../api/answer.ts'
import { findMadeId } from '../../api/explain/explain-requests.ts'
import { jsonField } from '../../api/json.ts'
import { firstClientAccount } from '../../engine/codes.ts'
import type { Chart, Layer } from '../../pages/chart.ts'
import { drawChart } from '../../pages/draw-chart.ts'
import { chartStyle } from '../../pages/style.ts'
import { queryAsAccount } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { formatMoney } from '../pictures.ts'

/** What the picture of a failed test shows: the market of the order in question until then, or its book. */
export interface FailurePicture {
  readonly asset: string
  /** Instants in milliseconds, with mark, bid and ask; null where a side of the book was empty. */
  readonly prices: readonly (readonly (number | null)[])[]
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  /** The order in question; null when the failure is about none. */
  readonly order: ShownOrder | null
}

interface Level {
  readonly price: number
  readonly quantity: number
}

interface ShownOrder {
  readonly words: string
  readonly price: number | null
  readonly quantity: number
  readonly placedMillis: number
}

const depth = 20
const spans = 200

/** Collects what the picture of a failed test shows; null for a world without a market. */
export function collectPicture(worlds: Worlds, world: World): FailurePicture | null {
  const order = findOrder(world)
  const { state } = world.venue
  const asset = order?.asset ?? state.assets.symbol(1)
  if (asset === undefined) return null
  const history = worlds.findHistory(world)
  if (history === null) return null
  while (!history.follow(1000));
  const end = history.lastMoment
  const about = { around: end, fromMillis: history.firstMoment.atMillis, toMillis: end.atMillis, spans }
  const { rows } = history.index.prices(asset).window(about)
  const prices = rows.map(([at = null, , ...of]) => [at, ...of])
  const book = queryAsAccount(world, firstClientAccount, 'getOrderBook', asset, `depth=${depth}`)
  return { asset, prices, bids: readLevels(book, 'bids'), asks: readLevels(book, 'asks'), order }
}

function readLevels(book: object | null, name: string): readonly Level[] {
  const levels = jsonField(book, name)
  return Array.isArray(levels) ? levels : []
}

/** Returns the id of the order that the failure is about, or that the request in question has made; null for none. */
function findOrderId({ failure, requests }: World): string | null {
  const about = failure?.about ?? null
  if (about === null || about.kind === 'quote') return null
  if (about.kind === 'order') return about.id
  const request = requests.since(0).find(({ sequence }) => String(sequence) === about.id)
  const made = request === undefined ? null : findMadeId(request)
  return made?.kind === 'order' ? made.id : null
}

function findOrder(world: World): (ShownOrder & { readonly asset: string }) | null {
  const id = findOrderId(world)
  if (id === null) return null
  const { accounts, orders } = world.venue.state
  const row = parseId(world.idScheme, 'order', id)
  if (row < 0 || row >= orders.count) return null
  const order = queryAsAccount(world, orders.account.get(row), 'getOrder', id)
  const field = (name: string): unknown => (order === null ? undefined : jsonField(order, name))
  const price = field('price')
  const asset = field('asset')
  if (typeof asset !== 'string') return null
  const at = typeof price === 'number' ? formatMoney(price) : 'the market'
  const words = `${id}: ${accounts.id(orders.account.get(row))}, ${String(field('side'))} ${String(field('quantity'))} @ ${at}`
  const placedMillis = orders.createdAtMillis.get(row)
  return {
    asset,
    words,
    placedMillis,
    price: typeof price === 'number' ? price : null,
    quantity: Number(field('quantity')),
  }
}

/** Returns whether time has passed, so that there is a course of prices to show; else the book is shown. */
const hasCourse = ({ prices }: FailurePicture): boolean => prices[0]?.[0] !== prices.at(-1)?.[0]

/** Draws the picture as a file of its own. */
export function drawFailurePicture(picture: FailurePicture): string {
  const drawn = drawChart(hasCourse(picture) ? drawCourse(picture) : drawBook(picture))
  return `${drawn.replace(/<title/, `<style>${chartStyle.replaceAll(':root', '.chart')}</style><title`)}\n`
}

const describe = (what: string, { order }: FailurePicture): string =>
  order === null ? what : `${what}, and ${order.words}`

function drawCourse(picture: FailurePicture): Chart {
  const { asset, order, prices } = picture
  const column = (index: number): number[] => prices.map((row) => row[index] ?? Number.NaN)
  const [xs, marks, bids, asks] = [column(0), column(1), column(2), column(3)]
  const layers: Layer[] = [
    { kind: 'band', label: 'bid to ask', color: 2, xs, lows: bids, highs: asks },
    { kind: 'steps', label: 'mark', color: 1, xs, ys: marks },
  ]
  if (order !== null && order.price !== null)
    layers.push({
      ...{ kind: 'line', label: order.words, color: 3, isDashed: true },
      xs: [order.placedMillis, xs.at(-1) ?? order.placedMillis],
      ys: [order.price, order.price],
    })
  return {
    id: 'failure',
    title: `${asset} until the test failed`,
    description: describe(`The mark of ${asset}, its bid and its ask until the test failed`, picture),
    x: { kind: 'time' },
    panels: [{ title: `${asset}, USD`, layers }],
  }
}

function drawBook(picture: FailurePicture): Chart {
  const { asks, asset, bids, order } = picture
  const side = (levels: readonly Level[], label: string, color: 3 | 4): Layer => ({
    ...{ kind: 'markers', label, color, shape: 'dot' },
    xs: levels.map(({ price }) => price),
    ys: addUp(levels),
  })
  const layers: Layer[] = [side(bids, 'bids', 3), side(asks, 'asks', 4)]
  if (order !== null && order.price !== null)
    layers.push({ kind: 'rule', axis: 'x', at: order.price, label: order.words, color: 1 })
  return {
    id: 'failure',
    title: `The book of ${asset} when the test failed`,
    description: describe(
      `The quantity of ${asset} up to each price of its book when the test failed`,
      picture,
    ),
    x: { kind: 'number', label: `${asset}, USD` },
    panels: [{ title: `Quantity up to a price, ${asset}`, layers, includeZero: true }],
  }
}

const addUp = (levels: readonly Level[]): number[] => {
  let total = 0
  return levels.map(({ quantity }) => {
    total += quantity
    return total
  })
}

/** The points of a line in the summary of a job, whose service draws it. */
const points = 40

/**
 * Formats the picture as a diagram of Mermaid, which services of CI draw in Markdown: they show no picture that is only a
 * file of the job.
 */
export function formatFailureDiagram(picture: FailurePicture): string {
  const lines = hasCourse(picture) ? diagramCourse(picture) : diagramBook(picture)
  return ['```mermaid', 'xychart-beta', ...lines.map((line) => `    ${line}`), '```'].join('\n')
}

function diagramCourse({ asset, order, prices }: FailurePicture): readonly string[] {
  const first = prices[0]?.[0] ?? 0
  const last = prices.at(-1)?.[0] ?? 0
  const instants = Array.from(
    { length: points },
    (_, place) => first + ((last - first) * place) / (points - 1),
  )
  const marks = instants.map((at) => prices.findLast(([since = null]) => since !== null && since <= at)?.[1])
  const own = order?.price ?? null
  return [
    `title "${asset}: the mark until the test failed${own === null ? '' : `, and ${order?.words}`}"`,
    `x-axis "seconds before" ${-(last - first) / 1000} --> 0`,
    'y-axis "USD"',
    `line [${marks.join(', ')}]`,
    ...(own === null ? [] : [`line [${marks.map(() => own).join(', ')}]`]),
  ]
}

function diagramBook({ asks, asset, bids, order }: FailurePicture): readonly string[] {
  const own = order?.price ?? null
  const prices = [...bids, ...asks].map(({ price }) => price)
  const all = own === null ? prices : [...prices, own]
  const [least, greatest] = [Math.min(...all), Math.max(...all)]
  const step = (greatest - least) / (points - 1)
  const places = Array.from({ length: points }, (_, place) => least + place * step)
  const upTo = (levels: readonly Level[], isIn: (price: number) => boolean): number =>
    Number(
      levels.reduce((total, { price, quantity }) => total + (isIn(price) ? quantity : 0), 0).toPrecision(6),
    )
  const ownAt = own === null ? -1 : Math.round((own - least) / step)
  return [
    `title "${asset}: the book when the test failed${own === null ? '' : `, and ${order?.words}`}"`,
    `x-axis "USD" ${least} --> ${greatest}`,
    `y-axis "quantity up to a price"`,
    ...(own === null
      ? []
      : [`bar [${places.map((_, place) => (place === ownAt ? order?.quantity : 0)).join(', ')}]`]),
    `line [${places.map((at) => upTo(bids, (price) => price >= at)).join(', ')}]`,
    `line [${places.map((at) => upTo(asks, (price) => price <= at)).join(', ')}]`,
  ]
}
