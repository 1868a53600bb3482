import uPlot from 'uplot'
import { type LiveSeries, makeHover, makePlotOptions } from '../../pages/live-chart.ts'
import type { Span } from '../model/chart-data.ts'
import { formatFixed } from '../model/format.ts'
import type { Session } from '../model/session.ts'
import {
  type ChartLayer,
  drawAnnotations,
  drawCandles,
  drawMarks,
  drawVolumes,
  readColours,
  volumePart,
} from './chart-drawing.ts'

/** What the plot needs of the panel in which it is drawn. */
export interface PlotContext {
  readonly session: Session
  readonly decimals: number
  readonly isCandles: boolean
  /** World that lies over the shown one; '' for none. */
  readonly otherWorld: string
  readonly over: { readonly current: ChartLayer }
  /** Called whenever prices and times have moved on the screen. */
  readonly onPlace: (plot: uPlot) => void
}

/** Creates the options of the plot with the page's present colours. */
export function createPlotOptions(
  element: HTMLElement,
  { session, decimals, isCandles, otherWorld, over, onPlace }: PlotContext,
): Omit<uPlot.Options, 'width' | 'height'> {
  const colour = readColours(element)
  const text = (price: number) => formatFixed(price, decimals)
  const ofLine = (name: string) => (isCandles ? 'transparent' : colour(name))
  const lines: readonly LiveSeries[] = [
    // Prices come after trades, so that they are drawn over them.
    { label: 'Trade', kind: 'dot', color: `${colour('muted')}66`, text },
    { label: 'Mark', kind: 'steps', color: ofLine('mid'), text },
    { label: 'Bid', kind: 'steps', color: ofLine('up'), dash: [3, 3], text },
    { label: 'Ask', kind: 'steps', color: ofLine('down'), dash: [3, 3], text },
    { label: 'Own buy', kind: 'up', color: colour('up'), text },
    { label: 'Own sell', kind: 'down', color: colour('down'), text },
    ...(otherWorld === ''
      ? []
      : [{ label: `Mark in ${otherWorld}`, kind: 'steps', color: colour('lane-quotes'), text } as const]),
  ]
  const plot = makePlotOptions(lines, { axis: colour('muted'), grid: colour('line-faint') }, uPlot)
  const [time, price] = plot.axes
  const font = '11px ui-monospace, monospace'
  let ticks: readonly number[] = []
  return {
    ...plot,
    axes: [
      { ...time, font },
      {
        ...price,
        font,
        side: 1,
        values: (_plot, shown) => {
          ticks = shown
          return shown.map(text)
        },
      },
    ],
    // Above lies what is told of a candle; half of the longest label of a time fits before the first tick.
    padding: [22, 0, 0, 42],
    cursor: {
      dataIdx: makeHover(lines.map(({ kind }) => kind)),
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          session.zoom(null)
          return null
        },
      },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { range: (view) => computeTimeRange(session.store.get().span, view.data[0]) },
      y: { range: (_plot, low, high) => padRange(low, high, over.current.own) },
    },
    hooks: {
      setSelect: [(view) => zoomToSelection(view, session)],
      setCursor: [(view) => publishPointer(view, session), (view) => placeCrossLabels(view, text)],
      init: [(view) => addLayers(view)],
      drawAxes: [(view) => drawVolumes(view, over.current)],
      draw: [
        (view) => drawCandles(view, over.current),
        (view) => drawAnnotations(view, over.current),
        (view) => drawMarks(view, over.current),
        (view) => placeLastLabel(view, over.current.lastPrice, ticks, text),
        onPlace,
      ],
    },
  }
}

/** Adds the canvas of the marks, which change with each step of a scrub, and the labels on the axes. */
function addLayers(view: uPlot): void {
  view.over.prepend(document.createElement('canvas'))
  for (const name of ['last', 'cross-price', 'cross-time']) {
    const label = document.createElement('div')
    label.className = `axis-label ${name}`
    label.hidden = true
    view.over.parentElement?.append(label)
  }
}

const findLabel = (view: uPlot, name: string): HTMLElement | null =>
  view.root.querySelector(`.axis-label.${name}`)

/** Places the label of the last price on the axis, and takes away the labels of ticks that it would half cover. */
function placeLastLabel(
  view: uPlot,
  lastPrice: number | null,
  ticks: readonly number[],
  text: (price: number) => string,
): void {
  const top = lastPrice === null ? null : view.valToPos(lastPrice, 'y')
  placePriceLabel(view, 'last', top, lastPrice, text)
  if (top === null) return
  const { bbox, ctx } = view
  const right = bbox.left + bbox.width + 1
  for (const tick of ticks)
    if (Math.abs(view.valToPos(tick, 'y') - top) < labelPixels)
      ctx.clearRect(right, view.valToPos(tick, 'y', true) - labelPixels, right, 2 * labelPixels)
}

/** Nearer to one another than this, in pixels, two labels of the axis would overlap. */
const labelPixels = 16

function placePriceLabel(
  view: uPlot,
  name: string,
  top: number | null,
  price: number | null,
  text: (price: number) => string,
): void {
  const label = findLabel(view, name)
  const { offsetLeft, offsetTop, clientWidth, clientHeight } = view.over
  if (label === null) return
  label.hidden = top === null || price === null || top < 0 || top > clientHeight
  if (top === null || price === null) return
  label.textContent = text(price)
  label.style.transform = `translate(${offsetLeft + clientWidth}px, ${Math.round(offsetTop + top)}px) translateY(-50%)`
}

/** Places the labels of price and time that the crosshair points to. */
function placeCrossLabels(view: uPlot, text: (price: number) => string): void {
  const { left = -1, top = -1, event } = view.cursor
  const isHere = event !== null && event !== undefined && left >= 0 && top >= 0
  placePriceLabel(view, 'cross-price', isHere ? top : null, isHere ? view.posToVal(top, 'y') : null, text)
  const label = findLabel(view, 'cross-time')
  if (label === null) return
  label.hidden = left < 0
  if (left < 0) return
  const { offsetLeft, offsetTop, clientHeight, clientWidth } = view.over
  label.textContent = new Date(view.posToVal(left, 'x') * 1000).toISOString().slice(5, 19).replace('T', ' ')
  const half = label.offsetWidth / 2
  const place = Math.min(Math.max(left, half), clientWidth - half)
  label.style.transform = `translate(${Math.round(offsetLeft + place - half)}px, ${offsetTop + clientHeight + 2}px)`
}

/**
 * Returns the range of the time axis, with some room around a single instant: a world whose clock has not moved
 * has only one.
 */
function computeTimeRange(span: Span | null, seconds: ArrayLike<number>): [number, number] {
  if (span !== null) return [span.from / 1000, span.to / 1000]
  const [low, high] = [seconds[0] ?? 0, seconds[seconds.length - 1] ?? 0]
  return high > low ? [low, high] : [low - 0.5, low + 0.5]
}

/** An own order no farther from the prices than this many times their range is within the picture. */
const reach = 1.5

/**
 * Pads the price range, even where all prices are equal: for the account's own orders nearby, and for the volumes at the
 * foot.
 */
function padRange(low: number, high: number, own: ChartLayer['own']): [number, number] {
  const room = Math.max(high - low, Math.abs(high) * 0.002)
  const near = own
    .map(({ price }) => price)
    .filter((price) => price > low - reach * room && price < high + reach * room)
  const [least, most] = [Math.min(low, ...near), Math.max(high, ...near)]
  const pad = Math.max((most - least) * 0.08, Math.abs(most) * 0.0002, 1e-8)
  return [least - pad - (most - least) * volumePart, most + pad]
}

function zoomToSelection(view: uPlot, session: Session): void {
  const { left, width } = view.select
  if (width < 3) return
  const millis = (pixels: number) => Math.round(view.posToVal(pixels, 'x') * 1000)
  session.zoom({ from: millis(left), to: millis(left + width) })
  view.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
}

/** Publishes the instant under the pointer to the strip and the history. */
function publishPointer(view: uPlot, session: Session): void {
  const { left, event } = view.cursor
  // Without an event the cursor was set by `followPointer`.
  if (event === null || event === undefined || left === undefined) return
  session.pointer.set({ at: left < 0 ? null : view.posToVal(left, 'x') * 1000 })
}

/** Moves the cursor to the instant that the pointer is at elsewhere on the page. */
export function followPointer(view: uPlot, session: Session): void {
  const { at } = session.pointer.get()
  const { event, left = -10 } = view.cursor
  if (event !== null && event !== undefined && left >= 0 && at !== null) return
  view.setCursor(
    { left: at === null ? -10 : view.valToPos(at / 1000, 'x'), top: at === null ? -10 : 0 },
    false,
  )
}
