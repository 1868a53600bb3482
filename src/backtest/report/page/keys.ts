import type uPlot from 'uplot'
import type { PlotTable } from './plot-table.ts'

/**
 * Lets a plot be read and zoomed by keyboard: arrows move its cursor from one figure to the next (with Shift by a tenth of
 * what is in view), + and - zoom all plots of the chart, Escape shows the whole, Enter does what a click does.
 */
export function steerByKeys(
  plot: uPlot,
  { columns, data }: PlotTable,
  name: string,
  others: {
    readonly point: (left: number) => void
    readonly zoom: (min: number, max: number) => void
    readonly pick: () => void
  },
): void {
  const { root } = plot
  const legend = root.querySelector('.u-legend')
  root.tabIndex = 0
  root.role = 'group'
  root.ariaLabel = `${name} (arrows move through it, plus and minus zoom, Escape shows the whole)`
  root.addEventListener('focus', () => legend?.setAttribute('aria-live', 'polite'))
  root.addEventListener('blur', () => legend?.removeAttribute('aria-live'))
  const [first = 0, last = 0] = [data[0][0], data[0][data[0].length - 1]]
  const step = makeSteps(plot, listStops({ columns, data }), others.point)
  const zoomBy = (factor: number): void => {
    const { max, min } = plot.scales['x'] ?? {}
    const [from, to] = [min ?? first, max ?? last]
    const { left = -1 } = plot.cursor
    const middle = left < 0 ? (from + to) / 2 : plot.posToVal(left, 'x')
    const ends = [middle - (middle - from) * factor, middle + (to - middle) * factor] as const
    others.zoom(Math.max(first, ends[0]), Math.min(last, ends[1]))
  }
  const acts: { readonly [key: string]: ((isFar: boolean) => void) | undefined } = {
    ArrowLeft: (isFar) => step(-1, isFar),
    ArrowRight: (isFar) => step(1, isFar),
    '+': () => zoomBy(0.5),
    '=': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    Escape: () => others.zoom(first, last),
    Enter: others.pick,
  }
  root.addEventListener('keydown', (event) => {
    if (event.target !== root || event.ctrlKey || event.metaKey || event.altKey) return
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    act(event.shiftKey)
  })
}

/** A place that the cursor stops at: along the axis, and the value there. */
interface Stop {
  readonly at: number
  readonly value: number
}

/** Lists the figures of a plot from left to right: the middles of bars and the places of all else. */
function listStops({ columns, data }: PlotTable): readonly Stop[] {
  const stops: Stop[] = []
  for (const [row, from] of data[0].entries()) {
    const column = columns.findIndex((one, place) => one !== null && typeof data[place]?.[row] === 'number')
    const { beside = [], series } = columns[column] ?? {}
    const at = series?.kind === 'bars' ? (from + (beside[row] ?? from)) / 2 : from
    if (series !== undefined) stops.push({ at, value: data[column]?.[row] ?? 0 })
  }
  return stops.toSorted((left, right) => left.at - right.at || left.value - right.value)
}

/** Makes the function that moves a plot's cursor to the next of its figures in view, or by a tenth of the view. */
function makeSteps(
  plot: uPlot,
  stops: readonly Stop[],
  point: (left: number) => void,
): (step: 1 | -1, isFar: boolean) => void {
  let last: Stop | null = null
  return (step, isFar) => {
    const { max = 0, min = 0 } = plot.scales['x'] ?? {}
    const [from, to] = [Number(min), Number(max)]
    const inView = stops.filter(({ at }) => at >= from && at <= to)
    const ordered = step === 1 ? inView : inView.toReversed()
    const { left = -1 } = plot.cursor
    const isThere = last !== null && Math.abs(plot.valToPos(last.at, 'x') - left) < 1
    const at = isThere && last !== null ? last.at : plot.posToVal(left, 'x')
    // Figures at one place follow one another, so the one that the cursor is at is known and not searched for.
    const next =
      left < 0
        ? ordered[0]
        : isThere && last !== null && !isFar
          ? ordered[ordered.indexOf(last) + 1]
          : ordered.find((stop) => (stop.at - at) * step > (isFar ? (to - from) / 10 : 0))
    last = next ?? ordered.at(-1) ?? null
    if (last === null) return
    const there = plot.valToPos(last.at, 'x')
    point(there)
    plot.setCursor({ left: there, top: plot.valToPos(last.value, 'y') })
  }
}
