/*
 * The venue's ladder, written again from market.md section 3: plain arithmetic, whole sides at once, and none of the
 * market's code. For power ladders without flicker.
 */

export interface NaiveLadderInputs {
  readonly midTicks: number
  readonly tickUsd: number
  readonly stepUnits: number
  readonly minQuantitySteps: number
  readonly spreadBps: number
  readonly depth10bpUsd: number
  readonly spreadMultiplier: number
  readonly depthMultiplier: number
  readonly farDepthMultiplier: number
  readonly skew: number
  readonly consumedUsd: readonly number[]
  readonly fairTicks: number
  readonly budgetUsd: number | null
}

type Level = readonly [ticks: number, steps: number]

/** Builds one side of a ladder; `direction` is -1 for bids, 1 for asks. */
export function naiveSide(of: NaiveLadderInputs, direction: -1 | 1): readonly Level[] {
  const half = (of.spreadBps / 2) * of.spreadMultiplier
  const gap = 0.6 * Math.max(of.spreadBps / 2, 0.05)
  const depth = (bps: number): number => (bps > 0 ? of.depth10bpUsd * (bps / 10) ** 0.67 : 0)
  const offsets = Array.from({ length: 50 }, (_, level) => half + gap * ((1 + level) ** 1.35 - 1))
  const targets = offsets.map((offset, level) => {
    const size = (depth(offset) - (level === 0 ? 0 : depth(offsets[level - 1] ?? 0))) * of.depthMultiplier
    return offset > 10 ? size * of.farDepthMultiplier : size
  })
  // What was taken beyond a level's size is missing from the next one.
  let missing = 0
  const shown = targets.map((target, level) => {
    const left = target - (of.consumedUsd[level] ?? 0) - missing
    missing = Math.max(0, -left)
    return Math.max(0, left)
  })
  const byTick = new Map<number, number>()
  const isBounded = of.budgetUsd !== null && Math.sign(of.budgetUsd) * direction <= 0
  let budget = Math.abs(of.budgetUsd ?? 0)
  let centre = of.midTicks
  for (const [level, offset] of offsets.entries()) {
    const bps = offset + direction * of.skew * half
    let ticks = tickAt(centre, bps, direction)
    const gain = (at: number): number => direction * (1 - at / of.fairTicks)
    if (isBounded && budget < 0.01 && gain(ticks) > 0) {
      centre = of.fairTicks
      ticks = tickAt(centre, bps, direction)
    }
    let usd = shown[level] ?? 0
    if (isBounded && gain(ticks) > 0) {
      usd = Math.min(usd, budget / gain(ticks))
      budget = Math.max(0, budget - usd * gain(ticks))
    }
    byTick.set(ticks, (byTick.get(ticks) ?? 0) + usd)
  }
  return [...byTick]
    .filter(([ticks]) => ticks >= 1)
    .map(([ticks, usd]): Level => [ticks, Math.floor(usd / (ticks * of.tickUsd * of.stepUnits) + 1e-6)])
    .filter(([, steps]) => steps >= Math.max(1, of.minQuantitySteps))
}

function tickAt(centre: number, bps: number, direction: -1 | 1): number {
  const price = centre + (direction * centre * bps) / 10_000
  return direction === 1
    ? Math.max(Math.ceil(price - 1e-6), Math.floor(centre) + 1)
    : Math.min(Math.floor(price + 1e-6), Math.ceil(centre) - 1)
}
