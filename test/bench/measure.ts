import { depthChecksum, sweepChecksum } from './checksum.ts'
import type { Contender, Session } from './contenders/contender.ts'
import type { Timing } from './stopwatch.ts'
import { heldBytes, medianTiming, timed } from './stopwatch.ts'
import type { Workload } from './workload.ts'

export interface Measurement extends Timing {
  readonly passes: number
  /** What the instance holds after the last command: ids, books and history included. */
  readonly instanceBytes: number
  /** Resident memory of the process then, the workload included. */
  readonly residentBytes: number
}

const warmUpMillis = 1_500
const warmUpCommands = 5_000
const maximumPasses = 40

/**
 * Plays the whole workload on fresh instances until `millis` of work are timed (at least once), after warming up on
 * other instances. Each pass must end as the reference book did. Instances are kept until the end: when one is
 * collected, V8 drops code that it optimised for it, and a pass would time the compiler.
 */
export function measurePlay(contender: Contender, workload: Workload, millis: number): Measurement {
  const sessions = warmUp(contender, workload)
  const { instanceBytes, residentBytes, ...first } = playOnce(contender, workload, sessions)
  const timings: Timing[] = [first]
  let spent = first.cpuMillis
  while (spent < millis && timings.length < maximumPasses) {
    const timing = playOnce(contender, workload, sessions)
    timings.push(timing)
    spent += timing.cpuMillis
  }
  return { ...medianTiming(timings), passes: timings.length, instanceBytes, residentBytes }
}

/** Plays the workload once on the only instance of a fresh process; returns the memory that it holds at the end. */
export function measureWeight(contender: Contender, workload: Workload): Measurement {
  return { ...playOnce(contender, workload, []), passes: 1 }
}

/** Plays the workload, then times snapshots of the final state. */
export function measureSnapshot(contender: Contender, workload: Workload): Measurement {
  const before = heldBytes()
  const session = contender.open(workload)
  session.play(0, workload.count)
  const instanceBytes = heldBytes() - before
  const timings = Array.from({ length: 7 }, () => timed(() => session.snapshot?.()))
  const residentBytes = process.memoryUsage().rss
  return { ...medianTiming(timings), passes: timings.length, instanceBytes, residentBytes }
}

function warmUp(contender: Contender, workload: Workload): Session[] {
  const sessions: Session[] = []
  const { count } = workload
  let spent = 0
  for (let from = count; spent < warmUpMillis; from += warmUpCommands) {
    if (from >= count) {
      from = 0
      sessions.push(contender.open(workload))
    }
    const session = sessions.at(-1)
    const start = process.hrtime.bigint()
    session?.play(from, Math.min(from + warmUpCommands, count))
    spent += Number(process.hrtime.bigint() - start) / 1e6
  }
  return sessions
}

function playOnce(contender: Contender, workload: Workload, kept: Session[]): Omit<Measurement, 'passes'> {
  const { firstTimed, count } = workload
  const before = heldBytes()
  const session = contender.open(workload)
  kept.push(session)
  session.play(0, firstTimed)
  const timing = timed(() => session.play(firstTimed, count))
  const instanceBytes = heldBytes() - before
  const residentBytes = process.memoryUsage().rss
  checkEnd(contender.name, session, workload)
  return { ...timing, instanceBytes, residentBytes }
}

/** Throws unless the session's depth, and then the makers that a sweep meets, are the reference's. */
function checkEnd(name: string, session: Session, workload: Workload): void {
  const { assets, expected } = workload
  const depth = depthChecksum(assets, (asset, side) => session.levels(asset, side))
  if (depth !== expected.depthChecksum) throw new Error(`${name} ends ${workload.name} with another depth`)
  const sweep = sweepChecksum(assets, expected.sweepSteps, (asset, side, steps) =>
    session.sweep(asset, side, steps),
  )
  if (sweep !== expected.sweepChecksum) throw new Error(`${name} ends ${workload.name} with another priority`)
}
