import type uPlot from 'uplot'
import type { ZoomAxis } from '../../../pages/pictures.ts'
import { type AxisTick, countDecimals, formatPlainValue, makeValueTicks } from '../../../pages/ticks.ts'

/** Makes a horizontal axis of numbers or names, whose labels are those of the drawn chart. */
export function makeHorizontalAxis(
  x: ZoomAxis,
): Pick<uPlot.Axis, 'splits' | 'values' | 'label' | 'labelSize'> {
  let ticks: readonly AxisTick[] = []
  return {
    splits: (view, _axis, from, to) => {
      ticks =
        x.names === undefined
          ? makeValueTicks(from, to, Math.floor(view.width / 84), x.suffix)
          : makeNameTicks(x.names, from, to, view)
      return ticks.map(({ value }) => value)
    },
    values: () => ticks.map(({ label }) => label),
    ...(x.label === '' ? {} : { label: x.label, labelSize: labelHeight }),
  }
}

/** The height of the name of an axis, in pixels. */
export const labelHeight = 24

/**
 * Labels those of the names within the ends that have room beside one another, cut where they would leave the plot;
 * the legend shows them whole.
 */
function makeNameTicks(names: readonly string[], from: number, to: number, view: uPlot): readonly AxisTick[] {
  const longest = Math.max(1, ...names.map(({ length }) => length)) * namePixels
  const every = Math.max(1, Math.ceil(((longest + 12) * (to - from)) / Math.max(1, view.width - 100)))
  return names.flatMap((name, value) => {
    if (value % every !== 0 || value < from || value > to) return []
    const center = view.over.offsetLeft + view.valToPos(value, 'x')
    const most = Math.floor((2 * Math.min(center, view.width - center)) / namePixels)
    const label = name.length <= most ? name : `${name.slice(0, Math.max(0, most - 1))}…`
    return [{ value, label, underLabel: '' }]
  })
}

/** The average width of a character of a name, in pixels. */
const namePixels = 7

/** Describes for the legend where the pointer stands along an axis of numbers or names. */
export function describePlace(view: uPlot, { names, suffix = '' }: ZoomAxis): string {
  const { left = -1 } = view.cursor
  if (left < 0) return '--'
  const at = view.posToVal(left, 'x')
  if (names !== undefined) return names[Math.round(at)] ?? '--'
  return `${formatPlace(at, view)}${suffix}`
}

/** Formats a place along the axis with as many decimals as a pixel of it can distinguish. */
export function formatPlace(at: number, view: uPlot): string {
  const { max = 1, min = 0 } = view.scales['x'] ?? {}
  const perPixel = (Number(max) - Number(min)) / Math.max(1, view.width)
  const [, exponent = '0'] = (perPixel > 0 ? perPixel : 1).toExponential().split('e')
  const step = Number(`1e${exponent}`)
  return formatPlainValue(at, countDecimals(step))
}
