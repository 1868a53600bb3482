import uPlot from 'uplot'
import type { ChartLabel } from '../model/annotations.ts'
import type { DrawnCandle } from '../model/candles.ts'
import { formatNumber } from '../model/format.ts'
import type { OwnLine } from '../model/ladder.ts'
import { clearCanvas } from '../parts/clear-canvas.ts'

/** Part of the height that volumes take at most. */
export const volumePart = 0.16

/** What is drawn over the prices. */
export interface ChartLayer {
  /** Shown moment of the past, in milliseconds; null for the present. */
  readonly placeMillis: number | null
  readonly own: readonly OwnLine[]
  /** Whether the own lines are elements above the chart, which can be dragged, and need not be drawn. */
  readonly hasHandles: boolean
  /** Id of the order or quote that is looked at; '' for none. */
  readonly selectedId: string
  readonly candles: readonly DrawnCandle[]
  readonly interval: number
  readonly isCandles: boolean
  readonly annotations: readonly ChartLabel[]
  readonly lastPrice: number | null
}

/** Returns a function that reads a colour of the page's present theme. */
export const readColours = (element: HTMLElement) => {
  const style = getComputedStyle(element)
  return (name: string) => style.getPropertyValue(`--${name}`).trim()
}

/** Draws within the plotting area only. */
function clipTo({ ctx, bbox }: uPlot, draw: () => void): void {
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  draw()
  ctx.restore()
}

/** Draws the quantity traded in each interval at the foot, behind the prices. */
export function drawVolumes(view: uPlot, { candles, interval }: ChartLayer): void {
  const { ctx, bbox } = view
  const colour = readColours(view.root)
  const { min = 0, max = 0 } = view.scales['x'] ?? {}
  const shown = candles.filter(
    ({ at, volume }) => volume > 0 && at + interval > (min ?? 0) * 1000 && at < (max ?? 0) * 1000,
  )
  const most = shown.reduce((high, { volume }) => Math.max(high, volume), 0)
  if (most === 0) return
  const x = (millis: number) => view.valToPos(millis / 1000, 'x', true)
  clipTo(view, () => {
    ctx.globalAlpha = 0.35
    for (const { at, open, close, volume } of shown) {
      const height = Math.max(uPlot.pxRatio, (volume / most) * bbox.height * volumePart)
      ctx.fillStyle = colour(close < open ? 'down' : 'up')
      const width = Math.max(1, (x(at + interval) - x(at)) * 0.8)
      ctx.fillRect(x(at) + width / 8, bbox.top + bbox.height - height, width, height)
    }
  })
}

export function drawCandles(view: uPlot, { candles, interval, isCandles }: ChartLayer): void {
  if (!isCandles) return
  const { ctx } = view
  const colour = readColours(view.root)
  const [up, down] = [colour('up'), colour('down')]
  const x = (millis: number) => view.valToPos(millis / 1000, 'x', true)
  const y = (price: number) => view.valToPos(price, 'y', true)
  const ratio = uPlot.pxRatio
  clipTo(view, () => {
    for (const { at, open, high, low, close } of candles) {
      const [left, right] = [x(at), x(at + interval)]
      const body = Math.max(ratio, Math.round((right - left) * 0.7))
      const middle = Math.round((left + right) / 2)
      ctx.fillStyle = close < open ? down : up
      ctx.fillRect(middle - ratio / 2, y(high), ratio, Math.max(ratio, y(low) - y(high)))
      const [top, foot] = [y(Math.max(open, close)), y(Math.min(open, close))]
      ctx.fillRect(middle - body / 2, top, body, Math.max(ratio, foot - top))
    }
  })
}

const annotationLetters = { script: 'S', halt: 'H', fault: 'F', note: 'N' } as const
const annotationColours = { script: 'past', halt: 'bad', fault: 'bad', note: 'lane-quotes' } as const

/** Draws script events, halts, faults and notes: a letter at the top, and a line or, for what lasts, a shade. */
export function drawAnnotations(view: uPlot, { annotations }: ChartLayer): void {
  if (annotations.length === 0) return
  const { ctx, bbox } = view
  const colour = readColours(view.root)
  const ratio = uPlot.pxRatio
  const x = (millis: number) => view.valToPos(millis / 1000, 'x', true)
  const right = bbox.left + bbox.width
  clipTo(view, () => {
    ctx.font = `${10 * ratio}px ui-monospace, monospace`
    let free = Number.NEGATIVE_INFINITY
    for (const { kind, atMillis, untilMillis } of annotations) {
      const at = Math.round(x(atMillis))
      const end = untilMillis === Number.POSITIVE_INFINITY ? right : x(untilMillis)
      if (end < bbox.left || at > right) continue
      ctx.fillStyle = colour(annotationColours[kind])
      ctx.globalAlpha = 0.12
      if (end > at) ctx.fillRect(at, bbox.top, end - at, bbox.height)
      ctx.globalAlpha = 0.25
      ctx.fillRect(at, bbox.top, ratio, bbox.height)
      ctx.globalAlpha = 1
      // Letters that would overlap are left out.
      if (at < free) continue
      free = at + 14 * ratio
      ctx.fillRect(at - 6 * ratio, bbox.top, 12 * ratio, 13 * ratio)
      ctx.fillStyle = colour('panel')
      ctx.fillText(annotationLetters[kind], at - 3 * ratio, bbox.top + 10 * ratio)
    }
  })
}

/**
 * Draws the account's own lines and the shown moment, after which everything is dimmed. They have a canvas of
 * their own, because they change with every step of a scrub, and drawing the prices takes half of a frame.
 */
export function drawMarks(view: uPlot, { own, hasHandles, selectedId, placeMillis }: ChartLayer): void {
  const canvas = view.over.querySelector('canvas')
  const context = canvas === null ? null : clearCanvas(canvas)
  if (context === null) return
  const { clientWidth: width, clientHeight: height } = view.over
  const colour = readColours(view.root)
  const x = (millis: number) => view.valToPos(millis / 1000, 'x')
  const end = placeMillis === null ? width : x(placeMillis)
  context.font = '11px ui-monospace, monospace'
  let labelled = Number.NEGATIVE_INFINITY
  for (const { id, side, price, left, createdAt } of own.toSorted((one, other) => one.price - other.price)) {
    const from = Math.max(0, x(Date.parse(createdAt)))
    const y = view.valToPos(price, 'y')
    const text = `${side} ${formatNumber(left)}`
    context.fillStyle = colour(side === 'buy' ? 'up' : 'down')
    const thickness = id === selectedId ? 3 : 1
    context.fillRect(from, y - (thickness - 1) / 2, end - from, thickness)
    // Labels that would overlap are left out.
    if (hasHandles || Math.abs(y - labelled) < 12) continue
    labelled = y
    context.fillText(text, Math.max(from, end - context.measureText(text).width - 4), labelled - 3)
  }
  if (placeMillis === null) return
  context.globalAlpha = 0.6
  context.fillStyle = colour('panel')
  context.fillRect(end, 0, width - end, height)
  context.globalAlpha = 1
  context.fillStyle = colour('past')
  context.fillRect(end - 1, 0, 2, height)
}
