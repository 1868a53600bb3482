import { median } from '../stopwatch.ts'
import { defaultCommandAt, type Name } from './contenders.ts'
import { bareStartMillis, type Served, serve } from './serving.ts'

/** The names of what is started besides the contenders. */
export const bareNode = 'node -e 0'
export const defaultScenario = 'otcsim, its default scenario'

/** From spawn to first answer in milliseconds, a figure a round, by name. */
export type Starts = ReadonlyMap<string, readonly number[]>

/**
 * Starts everything anew in each round. Ratios are taken within a round, because the machine's other load changes from one
 * to the next. The first start is not counted: it keeps what V8 compiled, where Node does that, and fills the disk's cache.
 */
export async function measureStarts(
  rounds: number,
  names: readonly Name[],
  start: (name: Name) => Promise<Served | null>,
): Promise<Starts> {
  const starts = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    const figures = new Map([
      [bareNode, bareStartMillis()],
      [defaultScenario, await startOfDefault()],
    ])
    for (const name of names) {
      await using served = await start(name)
      if (served !== null) figures.set(name, served.startMillis)
    }
    if (round === 0) continue
    for (const [name, millis] of figures) starts.set(name, [...(starts.get(name) ?? []), millis])
  }
  return starts
}

/** How long the one takes, in times of the other; NaN for one that is left out. */
export function startRatio(starts: Starts, name: string, other: string): number {
  const others = starts.get(other) ?? []
  return median((starts.get(name) ?? []).map((millis, round) => millis / (others[round] ?? Number.NaN)))
}

async function startOfDefault(): Promise<number> {
  const desk = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }
  const call = { method: 'GET', path: '/api/sdk/orders', body: '' } as const
  await using served = await serve(defaultCommandAt, call, desk)
  return served.startMillis
}
