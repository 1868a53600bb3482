import { readFileSync } from 'node:fs'

/** One timed stretch of work. */
export interface Timing {
  /** Processor time of the main thread, which a busy machine does not distort. */
  readonly cpuMillis: number
  /** Of all threads of the process, with the collector's and the compiler's. */
  readonly processMillis: number
  readonly wallMillis: number
}

/** Runs `work` after a garbage collection, so that one stretch does not pay for another's garbage. */
export function timed(work: () => void): Timing {
  globalThis.gc?.()
  const processStart = process.cpuUsage()
  const cpuStart = threadMillis()
  const wallStart = process.hrtime.bigint()
  work()
  const wallMillis = Number(process.hrtime.bigint() - wallStart) / 1e6
  const cpuMillis = threadMillis() - cpuStart
  const { user, system } = process.cpuUsage(processStart)
  return { cpuMillis, processMillis: (user + system) / 1e3, wallMillis }
}

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))

/**
 * Linux has the main thread's time, exact as of when the thread last gave up its processor, so it sleeps for a moment
 * first. Elsewhere the whole process's time stands in, with the collector's helper threads.
 */
function threadMillis(): number {
  if (process.platform === 'linux') {
    Atomics.wait(nobodyWakes, 0, 0, 0.1)
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
  }
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** Heap and typed arrays that are still in use, in bytes; without large tables, whose buffers are shared ones. */
export function usedBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** What the process holds, large tables included, without the free part of its heap, in bytes. */
export function heldBytes(): number {
  collectGarbage()
  const { heapTotal, heapUsed, rss } = process.memoryUsage()
  return rss - heapTotal + heapUsed
}

/** The first collection finds dead typed arrays, the second has freed them. */
function collectGarbage(): void {
  globalThis.gc?.()
  globalThis.gc?.()
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
    processMillis: median(timings.map((timing) => timing.processMillis)),
    wallMillis: median(timings.map((timing) => timing.wallMillis)),
  }
}
