import type { Chart, Layer } from '../../src/pages/chart.ts'

export function chartOf(layers: readonly Layer[], isLog = false): Chart {
  return {
    id: 'c',
    title: 'A chart',
    description: 'Of something',
    x: { kind: 'number', label: 'n' },
    panels: [{ title: 'Value', layers, isLog }],
  }
}

/** The corners of a path as `formatPath` writes it, in pixels. */
export function pointsOf(path: string): readonly (readonly [x: number, y: number])[] {
  const points: [number, number][] = []
  let x = 0
  let y = 0
  let started: [number, number] = [0, 0]
  for (const [, command = '', figures = ''] of path.matchAll(/([Mlhvz])([^Mlhvz]*)/g)) {
    const numbers = (figures.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number)
    const [first = 0, second = 0] = numbers
    if (command === 'M') [x, y] = [first, second]
    if (command === 'l') [x, y] = [x + first, y + second]
    if (command === 'h') x += first
    if (command === 'v') y += first
    if (command === 'M') started = [x, y]
    if (command === 'z') [x, y] = started
    points.push([x, y])
  }
  return points
}
