import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { type LiveSeries, makeHover, makePlotOptions } from '../../pages/live-chart.ts'
import {
  buildCandles,
  buildChartData,
  type ChartData,
  type DrawnCandle,
  describeReadEnd,
  type Span,
} from '../model/chart-data.ts'
import type { HistoryPrices } from '../model/documents.ts'
import { formatFixed, formatNumber, formatTime } from '../model/format.ts'
import { listOwnLines, type OwnLine } from '../model/ladder.ts'
import type { Session } from '../model/session.ts'
import type { ConsoleState } from '../model/state.ts'
import { computeStripSpan } from '../model/strip.ts'
import { clearCanvas } from '../parts/clear-canvas.ts'
import { Button } from '../parts/form.tsx'
import { type Column, numberColumn, Table } from '../parts/table.tsx'
import { useShown } from '../parts/use-console.ts'

const minimumHeight = 260

interface Overlay {
  readonly placeMillis: number | null
  readonly own: readonly OwnLine[]
  readonly candles: readonly DrawnCandle[]
}

export function Chart({ decimals }: { readonly decimals: number }) {
  const { session, state, view, prices, asset, moment, span, live } = useShown()
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const over = useRef<Overlay>({ placeMillis: null, own: [], candles: [] })
  const [isCandles, setCandles] = useState(false)
  const own = prices?.asset === asset ? prices : null
  const nowMillis = Date.parse(own?.ends?.at ?? live?.at ?? view.now)
  const data = useMemo(() => (own === null ? null : buildChartData(own, nowMillis)), [own, nowMillis])
  const readEnd = own === null ? '' : describeReadEnd(own, nowMillis)
  over.current = {
    placeMillis: moment === null ? null : Date.parse(view.now),
    own: listOwnLines(view.asset, view.orders?.orders ?? [], view.quotes),
    candles: isCandles && own !== null && data !== null ? buildCandles(own, findSpan(data, span), 120) : [],
  }

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const remake = () => {
      const shown = plot.current?.data
      plot.current?.destroy()
      const options = {
        ...createOptions(element, session, decimals, isCandles, over),
        ...measureSize(element),
      }
      plot.current = new uPlot(options, shown ?? [[], [], [], [], [], [], []], element)
    }
    remake()
    const observer = new ResizeObserver(() => plot.current?.setSize(measureSize(element)))
    observer.observe(element)
    addEventListener('themechange', remake)
    const stop = session.pointer.subscribe(() => plot.current && followPointer(plot.current, session))
    return () => {
      stop()
      observer.disconnect()
      removeEventListener('themechange', remake)
      plot.current?.destroy()
      plot.current = null
    }
  }, [decimals, isCandles])

  useEffect(() => {
    if (data !== null) plot.current?.setData(data)
  }, [data, span, isCandles])
  useEffect(() => {
    if (plot.current !== null) drawMarks(plot.current, over.current)
  })

  return (
    <figure class="chart" aria-label={formatCaption(state, data, decimals)}>
      <SpanButtons>
        <Button aria-pressed={isCandles} onClick={() => setCandles(!isCandles)}>
          Candles
        </Button>
      </SpanButtons>
      <p class="muted" role="status">
        {readEnd}
      </p>
      <div ref={box} />
      <LastRows rows={own?.rows ?? []} decimals={decimals} />
    </figure>
  )
}

function SpanButtons({ children }: { readonly children: ComponentChildren }) {
  const { session, span, view, begins, live } = useShown()
  const whole = computeStripSpan(begins, live)
  if (whole === null) return null
  const { from, to } = span ?? whole
  const here = Date.parse(view.now)
  const middle = span === null ? here : (from + to) / 2
  const zoom = (length: number, around: number) => {
    const start = Math.max(whole.from, Math.min(around - length / 2, whole.to - length))
    session.zoomAround({ from: start, to: start + length })
  }
  const all = whole.to - whole.from
  return (
    <p class="row">
      {spans.map(([name, millis]) => (
        <Button key={name} disabled={all <= millis} onClick={() => zoom(millis, here)}>
          {name}
        </Button>
      ))}
      <Button aria-pressed={span === null} onClick={() => session.zoom(null)}>
        All
      </Button>
      {moves.map(([name, sign, by, towards]) =>
        span === null && name !== 'Zoom in' ? null : (
          <Button
            key={name}
            aria-label={name}
            onClick={() => zoom((to - from) * by, middle + towards * (to - from))}
          >
            {sign}
          </Button>
        ),
      )}
      {children}
    </p>
  )
}

const moves = [
  ['Zoom in', '+', 0.5, 0],
  ['Zoom out', '−', 2, 0],
  ['Earlier', '◂', 1, -0.5],
  ['Later', '▸', 1, 0.5],
] as const

const spans = [
  ['1 m', 60_000],
  ['10 m', 600_000],
  ['1 h', 3_600_000],
] as const

function findSpan([seconds]: ChartData, span: Span | null): Span {
  return span ?? { from: (seconds[0] ?? 0) * 1000, to: (seconds.at(-1) ?? 0) * 1000 }
}

function formatCaption({ asset, prices }: ConsoleState, data: ChartData | null, decimals: number): string {
  const marks = data?.[2]?.filter((price) => price !== null) ?? []
  if (marks.length === 0) return `Prices of ${asset}: none yet`
  const low = marks.reduce((left, right) => Math.min(left, right))
  const high = marks.reduce((left, right) => Math.max(left, right))
  const last = marks.at(-1)
  return `Prices of ${asset}: mark ${formatFixed(last, decimals)}, between ${formatFixed(low, decimals)} and ${formatFixed(high, decimals)}, own fills: ${prices?.fills.length ?? 0}`
}

const rowsShown = 20

function LastRows({ rows, decimals }: { readonly rows: HistoryPrices['rows']; readonly decimals: number }) {
  const price = (name: string, place: number): Column<HistoryPrices['rows'][number]> => ({
    ...{ name, isNumber: true },
    cell: (row) => formatFixed(row[place], decimals),
  })
  const time = (row: HistoryPrices['rows'][number]) => formatTime(new Date(row[0] ?? 0).toISOString())
  const columns = [numberColumn('Time', time), ...[price('Bid', 3), price('Mark', 2), price('Ask', 4)]]
  const last = rows.slice(-rowsShown)
  const what =
    rows.length > last.length
      ? `The last ${last.length} of ${formatNumber(rows.length)} prices`
      : 'The prices'
  return (
    <details>
      <summary>{what} as a table</summary>
      <Table label="The last prices" columns={columns} rows={last} keyOf={(row) => row.join()} />
    </details>
  )
}

const legendHeight = 46

const measureSize = (element: HTMLElement) => ({
  width: Math.max(240, element.clientWidth),
  height: Math.max(minimumHeight, element.clientHeight) - legendHeight,
})

/** Creates the options of the plot with the page's present colours. */
function createOptions(
  element: HTMLElement,
  session: Session,
  decimals: number,
  isCandles: boolean,
  over: { readonly current: Overlay },
): Omit<uPlot.Options, 'width' | 'height'> {
  const colour = readColours(element)
  const text = (price: number) => formatFixed(price, decimals)
  const lines: readonly LiveSeries[] = [
    // Prices come after trades, so that they are drawn over them.
    { label: 'Trade', kind: 'dot', color: `${colour('muted')}66`, text },
    { label: 'Mark', kind: 'steps', color: isCandles ? 'transparent' : colour('mid'), text },
    { label: 'Bid', kind: 'steps', color: colour('up'), dash: [3, 3], text },
    { label: 'Ask', kind: 'steps', color: colour('down'), dash: [3, 3], text },
    { label: 'Own buy', kind: 'up', color: colour('up'), text },
    { label: 'Own sell', kind: 'down', color: colour('down'), text },
  ]
  const plot = makePlotOptions(lines, { axis: colour('muted'), grid: colour('line-faint') }, uPlot)
  const [time, price] = plot.axes
  const font = '11px ui-monospace, monospace'
  return {
    ...plot,
    axes: [
      { ...time, font },
      { ...price, font, side: 1, values: (_plot, ticks) => ticks.map(text) },
    ],
    padding: [8, 0, 0, 38],
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
      x: { range: (view) => timeRange(session.store.get().span, view.data[0]) },
      y: { range: (_plot, low, high) => padRange(low, high) },
    },
    hooks: {
      setSelect: [(view) => zoomToSelection(view, session)],
      setCursor: [(view) => publishPointer(view, session)],
      init: [(view) => view.over.prepend(document.createElement('canvas'))],
      draw: [(view) => drawCandles(view, over.current.candles), (view) => drawMarks(view, over.current)],
    },
  }
}

/**
 * Returns the range of the time axis, with some room around a single instant: a world whose clock has not moved
 * has only one.
 */
function timeRange(span: Span | null, seconds: ArrayLike<number>): [number, number] {
  if (span !== null) return [span.from / 1000, span.to / 1000]
  const [low, high] = [seconds[0] ?? 0, seconds[seconds.length - 1] ?? 0]
  return high > low ? [low, high] : [low - 0.5, low + 0.5]
}

/** Pads the price range, even where all prices are equal. */
function padRange(low: number, high: number): [number, number] {
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 0.0002, 1e-8)
  return [low - room, high + room]
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

function followPointer(view: uPlot, session: Session): void {
  const { at } = session.pointer.get()
  const { event, left = -10 } = view.cursor
  if (event !== null && event !== undefined && left >= 0 && at !== null) return
  view.setCursor(
    { left: at === null ? -10 : view.valToPos(at / 1000, 'x'), top: at === null ? -10 : 0 },
    false,
  )
}

/** Returns a function that reads a colour of the page's present theme. */
const readColours = (element: HTMLElement) => {
  const style = getComputedStyle(element)
  return (name: string) => style.getPropertyValue(`--${name}`).trim()
}

function drawCandles(view: uPlot, candles: readonly DrawnCandle[]): void {
  const { ctx, bbox } = view
  const colour = readColours(view.root)
  const x = (millis: number) => view.valToPos(millis / 1000, 'x', true)
  const y = (price: number) => view.valToPos(price, 'y', true)
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  const [first, second] = candles
  const body =
    first === undefined || second === undefined ? 6 : Math.max(2, (x(second.at) - x(first.at)) * 0.6)
  for (const { at, open, high, low, close } of candles) {
    ctx.fillStyle = colour(close < open ? 'down' : 'up')
    ctx.fillRect(x(at) + body / 2, y(high), ratio, Math.max(ratio, y(low) - y(high)))
    ctx.fillRect(x(at), y(Math.max(open, close)), body, Math.max(ratio, Math.abs(y(open) - y(close))))
  }
  ctx.restore()
}

/**
 * Draws the account's own lines and the shown moment, after which everything is dimmed. They have a canvas of
 * their own, because they change with every step of a scrub, and drawing the prices takes half of a frame.
 */
function drawMarks(view: uPlot, { own, placeMillis }: Overlay): void {
  const canvas = view.over.querySelector('canvas')
  const context = canvas === null ? null : clearCanvas(canvas)
  if (context === null) return
  const { clientWidth: width, clientHeight: height } = view.over
  const colour = readColours(view.root)
  const x = (millis: number) => view.valToPos(millis / 1000, 'x')
  const end = placeMillis === null ? width : x(placeMillis)
  context.font = '11px ui-monospace, monospace'
  let labelled = Number.NEGATIVE_INFINITY
  for (const { side, price, left, createdAt } of own.toSorted((one, other) => one.price - other.price)) {
    const from = Math.max(0, x(Date.parse(createdAt)))
    const y = view.valToPos(price, 'y')
    const text = `${side} ${formatNumber(left)}`
    context.fillStyle = colour(side === 'buy' ? 'up' : 'down')
    context.fillRect(from, y, end - from, 1)
    // Labels that would overlap are left out.
    if (Math.abs(y - labelled) < 12) continue
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
