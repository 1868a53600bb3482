import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { joinSeries } from '../../pages/hover.ts'
import { type ChartLabel, listAnnotations } from '../model/annotations.ts'
import { buildCandles, chooseInterval, findCandle, formatInterval } from '../model/candles.ts'
import {
  buildChartData,
  buildOverlay,
  type ChartData,
  describeReadEnd,
  type Span,
} from '../model/chart-data.ts'
import type { HistoryPrices } from '../model/documents.ts'
import { formatFixed, formatNumber, formatTime } from '../model/format.ts'
import { listOwnLines } from '../model/ladder.ts'
import type { ConsoleState } from '../model/state.ts'
import { type Column, numberColumn, Table } from '../parts/table.tsx'
import { useSettings, useShown } from '../parts/use-console.ts'
import { type ChartLayer, drawMarks } from './chart-drawing.ts'
import { createPlotOptions, followPointer, type PlotContext } from './chart-plot.ts'
import { ChartTools } from './chart-tools.tsx'
import { useLivePanels } from './later.tsx'

const minimumHeight = 200
/** Without a choice, a time longer than this is shown in candles. */
const linesMillis = 300_000

const nothing: ChartLayer = {
  ...{ placeMillis: null, own: [], hasHandles: false, selectedId: '', lastPrice: null },
  ...{ candles: [], interval: 1000, isCandles: false, annotations: [] },
}

export function Chart({ decimals }: { readonly decimals: number }) {
  const { session, state, view, prices, asset, moment, span, live } = useShown()
  const { style } = useSettings(session)
  const box = useRef<HTMLDivElement>(null)
  const place = useRef<(plot: uPlot) => void>(() => {})
  const [asked, setInterval] = useState<number | null>(null)
  const own = prices?.asset === asset ? prices : null
  const nowMillis = Date.parse(own?.ends?.at ?? live?.at ?? view.now)
  const data = useMemo(() => (own === null ? null : buildChartData(own, nowMillis)), [own, nowMillis])
  const over = useRef<ChartLayer>(nothing)
  const { drawn, otherWorld } = useDrawn(data)
  const shown = data === null ? null : findSpan(data, span)
  const interval = own === null || shown === null ? 1000 : chooseInterval(own, shown, asked)
  const candles = useMemo(
    () => (own === null || shown === null ? [] : buildCandles(own, shown, interval)),
    [own, shown?.from, shown?.to, interval],
  )
  const annotations = useAnnotations()
  const isLong = shown !== null && shown.to - shown.from > linesMillis
  const isCandles = style === null ? isLong : style === 'candles'
  const handles = useLivePanels(moment === null && !state.isRecording)
  over.current = {
    ...{ candles, interval, isCandles, annotations, hasHandles: handles !== null },
    own: listOwnLines(view.asset, view.orders?.orders ?? [], view.quotes),
    placeMillis: moment === null ? null : Date.parse(view.now),
    selectedId: state.selected?.id ?? '',
    lastPrice: own?.isWhole === true ? (candles.at(-1)?.close ?? null) : null,
  }
  const plot = usePlot({ box, place, session, decimals, isCandles, otherWorld, over })

  useEffect(() => {
    if (drawn !== null) plot.current?.setData(drawn)
  }, [drawn, span, isCandles, otherWorld, interval, annotations])
  useEffect(() => {
    if (plot.current === null) return
    drawMarks(plot.current, over.current)
    place.current(plot.current)
  })

  return (
    <figure class="chart" aria-label={formatCaption(state, data, decimals)}>
      <ChartTools
        {...{ prices: own, shown, interval, isCandles, isAsked: asked !== null }}
        chooseInterval={setInterval}
      />
      <p class="muted read-end" role="status">
        {own === null ? '' : describeReadEnd(own)}
      </p>
      <div class="plot">
        {/* An empty plot would show prices of 0 in 1970. */}
        <div ref={box} style={drawn === null ? 'visibility: hidden' : ''} />
        <Readout {...{ over, decimals }} />
        {handles === null ? null : (
          <handles.OrderLines own={over.current.own} {...{ plot, place, decimals }} />
        )}
      </div>
      <ChartTables {...{ rows: own?.rows ?? [], decimals, annotations }} />
    </figure>
  )
}

function useAnnotations(): readonly ChartLabel[] {
  const { items, requests, asset, notes } = useShown()
  return useMemo(() => listAnnotations(items, requests, asset, notes), [items, requests, asset, notes])
}

interface PlotParts extends Omit<PlotContext, 'onPlace'> {
  readonly box: RefObject<HTMLDivElement | null>
  readonly place: RefObject<(plot: uPlot) => void>
}

/** Makes the plot in its box, and again when it is to look different. */
function usePlot({ box, place, ...context }: PlotParts): RefObject<uPlot | null> {
  const plot = useRef<uPlot | null>(null)
  const { session, decimals, isCandles, otherWorld } = context
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const remake = () => {
      const before = plot.current?.data ?? []
      plot.current?.destroy()
      const options = {
        ...createPlotOptions(element, {
          ...context,
          onPlace: (made) => place.current?.(made),
        }),
        ...measureSize(element),
      }
      const empty: uPlot.AlignedData = [[], ...options.series.slice(1).map(() => [])]
      plot.current = new uPlot(options, before.length === empty.length ? before : empty, element)
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
  }, [decimals, isCandles, otherWorld])
  return plot
}

/** Returns what is drawn: the shown world, and over it the marks of another one from the fork on. */
function useDrawn(data: ChartData | null): {
  readonly drawn: uPlot.AlignedData | null
  readonly otherWorld: string
} {
  const { asset, others } = useShown()
  const prices = others?.prices?.asset === asset ? others.prices : null
  const fork = others?.fork ?? null
  const forkMillis = fork === null ? Number.NEGATIVE_INFINITY : Date.parse(fork.at)
  const drawn = useMemo(
    () => (data === null || prices === null ? data : joinSeries([data, buildOverlay(prices, forkMillis)])),
    [data, prices, forkMillis],
  )
  return { drawn, otherWorld: prices === null ? '' : (others?.world ?? '') }
}

interface ReadoutProps {
  readonly over: { readonly current: ChartLayer }
  readonly decimals: number
}

/**
 * Says of the candle under the pointer, or of the last one, how it opened, and so on, and what the script, a halt or a
 * fault did there. It follows the pointer by itself, because the page is not rendered again for that.
 */
function Readout({ over, decimals }: ReadoutProps) {
  const { session } = useShown()
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const write = () => {
      const { candles, interval, annotations } = over.current
      const { at } = session.pointer.get()
      const candle = findCandle(candles, interval, at)
      const price = (value: number) => formatFixed(value, decimals)
      const words =
        candle === undefined
          ? []
          : [
              formatInterval(interval),
              ...[`O ${price(candle.open)}`, `H ${price(candle.high)}`],
              ...[
                `L ${price(candle.low)}`,
                `C ${price(candle.close)}`,
                `V ${formatNumber(candle.volume, 4)}`,
              ],
            ]
      const there = at === null ? [] : findAnnotations(annotations, at, interval)
      if (line.current !== null) line.current.textContent = [...words, ...there].join('  ')
    }
    write()
    return session.pointer.subscribe(write)
  })
  return <p class="readout" ref={line} />
}

const annotationsTold = 3

/** Lists what happened within an interval around an instant. */
function findAnnotations(
  annotations: readonly ChartLabel[],
  at: number,
  interval: number,
): readonly string[] {
  const near = annotations.filter(
    ({ atMillis, untilMillis }) => atMillis - interval / 2 <= at && at <= untilMillis + interval / 2,
  )
  const told = near.slice(0, annotationsTold).map(({ text }) => `· ${text}`)
  return near.length > told.length ? [...told, `· and ${near.length - told.length} more`] : told
}

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

interface ChartTablesProps {
  readonly rows: HistoryPrices['rows']
  readonly decimals: number
  readonly annotations: readonly ChartLabel[]
}

/** What the chart shows as tables, for readers of text. */
function ChartTables({ rows, decimals, annotations }: ChartTablesProps) {
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
  const noted = annotations.slice(-rowsShown)
  return (
    <details>
      <summary>
        {what}
        {noted.length === 0 ? '' : `, and ${noted.length} of ${annotations.length} annotations,`} as a table
      </summary>
      <Table label="The last prices" columns={columns} rows={last} keyOf={(row) => row.join()} />
      {noted.length === 0 ? null : (
        <Table
          label="Annotations"
          columns={annotationColumns}
          rows={noted}
          keyOf={({ at, text }) => `${at} ${text}`}
        />
      )}
    </details>
  )
}

const annotationColumns: readonly Column<ChartLabel>[] = [
  numberColumn('Time', ({ at }) => formatTime(at)),
  { name: 'Kind', cell: ({ kind }) => kind },
  { name: 'What', cell: ({ text }) => text },
]

const legendHeight = 20

const measureSize = (element: HTMLElement) => ({
  width: Math.max(240, element.clientWidth),
  height: Math.max(minimumHeight, element.clientHeight) - legendHeight,
})
