import { isObject } from '../api/json.ts'
import { checkOptions, type OptionsOf } from '../api/options.ts'
import { addToHash } from '../engine/snapshot/state-digest.ts'
import { fromJson, NotPlain, toJson } from '../journal/plain-json.ts'
import { readSnapshotDocument, snapshotDocument } from '../journal/snapshot-document.ts'
import { Hash128 } from '../numeric/hash.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { forkWorld } from '../world/world.ts'
import { watchOptions } from './backtest-options.ts'
import { plainResult } from './build-records.ts'
import { type BacktestCapture, pauseFor } from './capture.ts'
import { carryOut } from './carry-out.ts'
import type { BacktestResult } from './result.ts'
import type { Strategy } from './strategy.ts'

/*
 * A captured run as a document that can be kept, sent, and resumed elsewhere: plain JSON, with its world as a
 * snapshot in it.
 */

const format = 'otcsim backtest capture'
/** Goes up whenever an older document could be misread. */
const documentVersion = 4

export interface CaptureDocument {
  readonly format: string
  readonly version: number
  readonly strategy: string
  readonly at: string
  /** Over everything but the world, which has a check of its own. */
  readonly check: string
  readonly world: unknown
  readonly parts: unknown
}

export function captureDocument({ atMillis, strategy, world, ...parts }: BacktestCapture): CaptureDocument {
  return {
    format,
    version: documentVersion,
    strategy,
    at: millisToIso(atMillis),
    check: checkOf(strategy, atMillis, parts),
    world: snapshotDocument(world),
    parts: toJson({ atMillis, ...parts }),
  }
}

/**
 * A captured run from its document. Throws a RangeError that says what is wrong: it is of another kind or version, it
 * was changed or cut, or its world cannot be rebuilt.
 */
export function readCaptureDocument(document: unknown): BacktestCapture {
  if (!isObject(document) || document['format'] !== format)
    throw new RangeError(`format: must be "${format}": this is not a captured run`)
  if (document['version'] !== documentVersion)
    throw new RangeError(
      `version: must be ${documentVersion}: the run was captured by another version of otcsim`,
    )
  const { check, strategy } = document
  if (typeof strategy !== 'string') throw new RangeError('strategy: must be a string')
  const read = readSnapshotDocument(document['world'])
  if (!read.ok) throw new RangeError(`world.${read.field}: ${read.reason}`)
  const whole = partsIn(document['parts'])
  if (!isParts(whole)) throw new RangeError('parts: must be those of a captured run')
  const { atMillis, ...parts } = whole
  if (checkOf(strategy, atMillis, parts) !== check)
    throw new RangeError('check: does not fit the rest: the document was changed')
  return { strategy, world: read.snapshot, ...whole }
}

function partsIn(json: unknown): unknown {
  try {
    return fromJson(json)
  } catch (error) {
    if (error instanceof NotPlain) throw new RangeError(`parts: are damaged: ${error.message}`)
    throw error
  }
}

type Parts = Omit<BacktestCapture, 'strategy' | 'world'>

function checkOf(strategy: string, atMillis: number, parts: Omit<Parts, 'atMillis'>): string {
  const hash = new Hash128()
  addToHash(hash, [strategy, atMillis])
  // As in JSON, undefined values are left out, in the document and in what is read from it.
  addToHash(hash, toJson(parts))
  return hash.digest()
}

/** The parts are there; the check says that their contents are ours. */
function isParts(value: unknown): value is Parts {
  if (!isObject(value)) return false
  return (
    typeof value['atMillis'] === 'number' &&
    isObject(value['setup']) &&
    isObject(value['host']) &&
    isObject(value['run'])
  )
}

export type ResumeOptions = OptionsOf<typeof watchOptions>

/**
 * Continues a captured run with the same strategy, to the same result, byte for byte, as if it had never stopped. What
 * a strategy keeps outside its `state` is not captured.
 *
 * Rejects with a RangeError for another strategy, and otherwise like `backtest`.
 */
export async function resumeBacktest(
  strategy: Strategy,
  capture: BacktestCapture,
  options: ResumeOptions = {},
): Promise<BacktestResult> {
  checkOptions('resumeBacktest', options, watchOptions)
  const { host, run, setup } = capture
  if (strategy.name !== capture.strategy) {
    throw new RangeError(`the capture is of strategy "${capture.strategy}", not of "${strategy.name}"`)
  }
  const world = forkWorld(capture.world)
  options.onWorld?.(world)
  const pause = pauseFor(strategy, world, setup, options)
  const watch = { progress: options.progress, pause }
  return plainResult(await carryOut(strategy, world, setup, watch, { kind: 'resume', host, run }))
}
