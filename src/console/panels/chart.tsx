import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { type ChartData, chartData } from '../model/chart-data.ts'
import { fixed, timeOf } from '../model/format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { useConsole } from '../parts/use-console.ts'

const leastHeight = 260

/** The prices of the asset until the moment that is looked at. */
export function Chart({ decimals }: { readonly decimals: number }) {
  const { state } = useConsole()
  const { view, prices, samples, asset, place } = state
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const own = prices?.asset === asset ? prices : null
  const data = view === null ? null : chartData(own, samples.get(asset) ?? [], view, place)

  useEffect(() => {
    const element = box.current
    if (element === null) return
    const size = () => ({
      width: Math.max(240, element.clientWidth),
      height: Math.max(leastHeight, element.clientHeight),
    })
    const remake = () => {
      const shown = plot.current?.data
      plot.current?.destroy()
      plot.current = new uPlot(
        { ...size(), ...optionsOf(element, decimals) },
        shown ?? [[], [], [], [], [], [], []],
        element,
      )
    }
    remake()
    const observer = new ResizeObserver(() => plot.current?.setSize(size()))
    observer.observe(element)
    addEventListener('themechange', remake)
    return () => {
      observer.disconnect()
      removeEventListener('themechange', remake)
      plot.current?.destroy()
      plot.current = null
    }
  }, [decimals])

  useEffect(() => {
    if (data !== null) plot.current?.setData(data)
  })

  return (
    <figure class="chart">
      <div ref={box} role="img" aria-label={captionOf(asset, data, decimals)} />
      <details>
        <summary>The same as a table</summary>
        <LastRows data={data} decimals={decimals} />
      </details>
    </figure>
  )
}

function captionOf(asset: string, data: ChartData | null, decimals: number): string {
  const marks = data?.[1].filter((price) => price !== null) ?? []
  if (marks.length === 0) return `Prices of ${asset}: none yet`
  const [low, high] = [Math.min(...marks), Math.max(...marks)]
  return `Prices of ${asset}: mark ${fixed(marks.at(-1), decimals)}, between ${fixed(low, decimals)} and ${fixed(high, decimals)}`
}

const rowsShown = 20

interface Moment {
  readonly seconds: number
  /** As in the columns of the chart. */
  readonly index: number
}

function LastRows({ data, decimals }: { readonly data: ChartData | null; readonly decimals: number }) {
  const [seconds = [], mark = [], bid = [], ask = []] = data ?? []
  const rows = seconds.map((at, index): Moment => ({ seconds: at, index })).slice(-rowsShown)
  const prices = (name: string, of: readonly (number | null | undefined)[]): Column<Moment> => ({
    name,
    isNumber: true,
    cell: ({ index }) => fixed(of[index], decimals),
  })
  const time: Column<Moment> = {
    name: 'Time',
    isNumber: true,
    cell: (row) => timeOf(new Date(row.seconds * 1000).toISOString()),
  }
  const columns = [time, prices('Bid', bid), prices('Mark', mark), prices('Ask', ask)]
  return <Table label="The last prices" columns={columns} rows={rows} keyOf={(row) => String(row.seconds)} />
}

/** Colours are those of the page at this moment. */
function optionsOf(element: HTMLElement, decimals: number): Omit<uPlot.Options, 'width' | 'height'> {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim()
  const grid = { stroke: colour('line-faint'), width: 1 }
  const axis = { stroke: colour('muted'), grid, ticks: grid, font: '11px ui-monospace, monospace' }
  const points = (size: number, shape: 'up' | 'down' | 'dot', fill: string) => ({
    show: true,
    filter: null,
    size,
    paths: marker(shape, size),
    fill,
    stroke: fill,
  })
  const steps = uPlot.paths.stepped?.({ align: 1 })
  const line = (stroke: string, dash?: number[]): uPlot.Series => ({
    stroke,
    width: dash === undefined ? 1.5 : 1,
    points: { show: false },
    ...(steps === undefined ? {} : { paths: steps }),
    ...(dash === undefined ? {} : { dash }),
  })
  const dots = (size: number, shape: 'up' | 'down' | 'dot', fill: string): uPlot.Series => ({
    paths: () => null,
    points: points(size, shape, fill),
  })
  return {
    padding: [8, 0, 0, 30],
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { y: { range: (_plot, low, high) => padded(low, high) } },
    axes: [
      {
        ...axis,
        space: 84,
        values: (_plot, ticks) => ticks.map(timeLabel),
      },
      { ...axis, side: 1, size: 78, values: (_plot, ticks) => ticks.map((price) => fixed(price, decimals)) },
    ],
    series: [
      {},
      line(colour('mid')),
      line(colour('up'), [3, 3]),
      line(colour('down'), [3, 3]),
      dots(4, 'dot', colour('muted')),
      dots(11, 'up', colour('up')),
      dots(11, 'down', colour('down')),
    ],
  }
}

/** Between seconds there is no label. */
function timeLabel(at: number): string {
  return Number.isInteger(at) ? timeOf(new Date(at * 1000).toISOString()).slice(0, 8) : ''
}

/** Room above and below, even for prices that stand still. */
function padded(low: number, high: number): [number, number] {
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 0.0002, 1e-8)
  return [low - room, high + room]
}

/** Draws a series as shapes at its points: what is bought points up, what is sold down. */
function marker(shape: 'up' | 'down' | 'dot', size: number): uPlot.Series.Points.PathBuilder {
  return (plot, series, first, last) => {
    const path = new Path2D()
    const half = (size / 2) * uPlot.pxRatio
    const [seconds] = plot.data
    const values = plot.data[series]
    for (let index = first; index <= last; index += 1) {
      const value = values?.[index]
      const at = seconds[index]
      if (value === null || value === undefined || at === undefined) continue
      const x = plot.valToPos(at, 'x', true)
      const y = plot.valToPos(value, 'y', true)
      if (shape === 'dot') path.rect(x - half / 2, y - half / 2, half, half)
      else addTriangle(path, x, y, shape === 'up' ? half : -half)
    }
    return { fill: path, stroke: path, flags: 3 }
  }
}

function addTriangle(path: Path2D, x: number, y: number, half: number): void {
  path.moveTo(x, y - half)
  path.lineTo(x + half, y + half)
  path.lineTo(x - half, y + half)
  path.closePath()
}
