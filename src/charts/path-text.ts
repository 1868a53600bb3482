import { tenths, tenthsText } from './svg-text.ts'

/** Points of an outline in pixels; a point that is not finite interrupts it. */
export interface Points {
  readonly xs: readonly number[]
  readonly ys: readonly number[]
}

/**
 * An SVG path through the points, in relative steps of tenths of a pixel. Points that fall on the one before are left
 * out.
 */
export function pathText({ xs, ys }: Points): string {
  let text = ''
  let lastX = 0
  let lastY = 0
  let isOpen = false
  for (const [place, exactX] of xs.entries()) {
    const exactY = Number(ys[place])
    if (!Number.isFinite(exactX) || !Number.isFinite(exactY)) {
      isOpen = false
      continue
    }
    const x = tenths(exactX)
    const y = tenths(exactY)
    if (!isOpen) text += `M${tenthsText(x)}${joined(y)}`
    else if (x === lastX && y === lastY) continue
    else if (y === lastY) text += `h${tenthsText(x - lastX)}`
    else if (x === lastX) text += `v${tenthsText(y - lastY)}`
    else text += `l${tenthsText(x - lastX)}${joined(y - lastY)}`
    isOpen = true
    lastX = x
    lastY = y
  }
  return text
}

/** Corners for a line that keeps each value until the next place. */
export function stepPoints({ xs, ys }: Points): Points {
  const stepped: { xs: number[]; ys: number[] } = { xs: [], ys: [] }
  for (const [place, x] of xs.entries()) {
    const y = Number(ys[place])
    if (place > 0) {
      stepped.xs.push(x)
      stepped.ys.push(Number(ys[place - 1]))
    }
    stepped.xs.push(x)
    stepped.ys.push(y)
  }
  return stepped
}

/** A number after another in a path: a minus sign separates them as well as a space does. */
function joined(value: number): string {
  return value < 0 ? tenthsText(value) : ` ${tenthsText(value)}`
}
