import type { Layer } from '../../pages/chart.ts'
import type { ExitRecord } from '../result.ts'
import { instant, price } from './figures.ts'

/** Draws where the stops, take-profits and trailing stops of an asset stood, and marks those that were reached. */
export function drawExits(exits: readonly ExitRecord[], toMillis: number): readonly Layer[] {
  const lines = [
    drawLevels('stop', 2, exits, toMillis, ({ stop }) => stop),
    drawLevels('take-profit', 3, exits, toMillis, ({ takeProfit }) => takeProfit),
    drawTrails(exits, toMillis),
    drawReached(exits),
  ]
  return lines.filter((layer) => layer.xs.length > 0)
}

/** Describes why a protection ended, such as `closed by its stop at 95,000.00 USD`. */
export function describeExit(exit: ExitRecord): string {
  const { end } = exit
  if (end === null) return 'stood at the end'
  const level = reachedLevel(exit)
  return level === null
    ? ({ flat: 'ended with the position', replaced: 'replaced', cleared: 'ended by the strategy' }[
        String(end)
      ] ?? end)
    : `closed by its ${levelNames[String(end)] ?? end} at ${price(level)}`
}

const levelNames: Readonly<Record<string, string>> = {
  stop: 'stop',
  takeProfit: 'take-profit',
  trail: 'trailing stop',
}

/** Returns the level that was reached, in USD; null where none was. */
function reachedLevel({ end, stop, takeProfit, trail }: ExitRecord): number | null {
  if (end === 'stop') return stop
  if (end === 'takeProfit') return takeProfit
  return end === 'trail' ? (trail?.levels.at(-1) ?? null) : null
}

type ShownLayer = Extract<Layer, { readonly kind: 'line' | 'steps' | 'area' } | { readonly kind: 'markers' }>

function drawLevels(
  label: string,
  color: 2 | 3,
  exits: readonly ExitRecord[],
  endMillis: number,
  levelOf: (exit: ExitRecord) => number | null,
): ShownLayer {
  const xs: number[] = []
  const ys: number[] = []
  for (const exit of exits) {
    const level = levelOf(exit)
    if (level === null) continue
    const toMillis = exit.toMillis ?? endMillis
    xs.push(exit.fromMillis, toMillis, toMillis)
    ys.push(level, level, Number.NaN)
  }
  return { kind: 'line', label, color, isDashed: true, xs, ys }
}

function drawTrails(exits: readonly ExitRecord[], endMillis: number): ShownLayer {
  const xs: number[] = []
  const ys: number[] = []
  for (const { toMillis, trail } of exits) {
    if (trail === null) continue
    xs.push(...trail.atMillis, toMillis ?? endMillis, toMillis ?? endMillis)
    ys.push(...trail.levels, trail.levels.at(-1) ?? Number.NaN, Number.NaN)
  }
  return { kind: 'steps', label: 'trailing stop', color: 6, xs, ys }
}

function drawReached(exits: readonly ExitRecord[]): ShownLayer {
  const reached = exits.flatMap((exit) => {
    const level = reachedLevel(exit)
    return level === null || exit.toMillis === null ? [] : [{ exit, level, atMillis: exit.toMillis }]
  })
  return {
    kind: 'markers',
    shape: 'cross',
    label: 'exit',
    color: 0,
    xs: reached.map(({ atMillis }) => atMillis),
    ys: reached.map(({ level }) => level),
    titles: reached.map(({ atMillis, exit }) => `${exit.asset}: ${describeExit(exit)}, ${instant(atMillis)}`),
  }
}
