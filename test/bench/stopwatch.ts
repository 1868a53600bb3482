/** One timed stretch of work. */
export interface Timing {
  /** User and system time of the whole process, so a busy machine does not distort it. */
  readonly cpuMillis: number
  readonly wallMillis: number
}

/** Runs `work` after a collection, so that one stretch does not pay for another's garbage. */
export function timed(work: () => void): Timing {
  globalThis.gc?.()
  const cpuStart = process.cpuUsage()
  const wallStart = process.hrtime.bigint()
  work()
  const wallMillis = Number(process.hrtime.bigint() - wallStart) / 1e6
  const { user, system } = process.cpuUsage(cpuStart)
  return { cpuMillis: (user + system) / 1e3, wallMillis }
}

/** Heap and typed arrays that are still in use, in bytes. */
export function usedBytes(): number {
  // The first collection finds dead typed arrays, the second has freed them.
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >>> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

export function medianTiming(timings: readonly Timing[]): Timing {
  return {
    cpuMillis: median(timings.map((timing) => timing.cpuMillis)),
    wallMillis: median(timings.map((timing) => timing.wallMillis)),
  }
}
