import type { Chart, Layer } from './chart.ts'
import { maximumTitled } from './draw-layer.ts'
import { formatValue } from './ticks.ts'

/**
 * Says in sentences what a drawn chart leaves out of its figures: tooltips where there are too many markers, and the points
 * between the lowest and highest of each pixel of long lines. Empty where everything is drawn.
 */
export function describeCuts(chart: Chart): string {
  const layers = chart.panels.flatMap((panel) => panel.layers)
  return [...layers.flatMap(describeTooltips), ...describeLines(layers, chart.width ?? 860)].join(' ')
}

function describeTooltips(layer: Layer): readonly string[] {
  if (layer.kind !== 'markers' || layer.titles === undefined || layer.xs.length <= maximumTitled) return []
  const name = layer.label === undefined ? 'markers' : `marks "${layer.label}"`
  return [`The ${formatValue(layer.xs.length, 0)} ${name} have no tooltips: ${maximumTitled} is the most.`]
}

function describeLines(layers: readonly Layer[], width: number): readonly string[] {
  const longest = layers.reduce((most, layer) => Math.max(most, countPoints(layer)), 0)
  // A line of up to two points a pixel is drawn whole.
  if (longest <= 2 * width) return []
  return [`Of up to ${formatValue(longest, 0)} points, lines show the lowest and the highest in each pixel.`]
}

function countPoints(layer: Layer): number {
  switch (layer.kind) {
    case 'line':
    case 'steps':
    case 'area':
    case 'band':
      return layer.xs.length
    default:
      return 0
  }
}
