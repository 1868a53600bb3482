import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import type { Place } from '../../scenario/file/tree.ts'
import type { RecordedNow } from '../../scenario/run/run-judge.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { writeFile } from '../write-file.ts'
import type { RunReport } from './run-report.ts'

/** A value that is different in the file and in the run. */
export interface ValueChange {
  readonly file: string
  readonly line: number
  readonly from: string
  readonly to: string
}

/** The recorded values and the pinned digest of a run that are no longer as the files have them. */
export function recordedIn(scenario: CompiledScenario, report: RunReport): readonly RecordedNow[] {
  const { pinned } = scenario
  const pin = pinned === null ? [] : [{ place: pinned.place, length: pinned.length, text: report.digest }]
  return [...report.recorded, ...pin]
}

/** A run's report as it is once its recorded values are written: what is about to be mended has not failed. */
export function asRecorded(
  report: RunReport,
  values: readonly RecordedNow[],
  sources: ReadonlyMap<string, string>,
): RunReport {
  const changed = values.filter(({ place, length, text }) => {
    const line = sources.get(place.file)?.split('\n')[place.line - 1] ?? ''
    return line.slice(place.column - 1, place.column - 1 + length) !== text
  })
  const isMended = (bound: Place): boolean =>
    changed.some(
      ({ place: { file, line, column } }) =>
        file === bound.file && line === bound.line && column === bound.column,
    )
  const checks = report.checks.map((check) =>
    check.failure?.places.every(isMended) === true ? { ...check, failure: null } : check,
  )
  return { ...report, checks, ok: checks.every(({ failure }) => failure === null) }
}

/**
 * Writes recorded values into their files, each replacing the old one: comments and layout stay. Errors: a file
 * that has changed since it was read, or cannot be written; two runs that want different values in one place.
 */
export function writeRecorded(
  values: readonly RecordedNow[],
  sources: ReadonlyMap<string, string>,
  cwd: string,
): readonly ValueChange[] {
  const changes: ValueChange[] = []
  for (const [file, source] of sources) {
    const own = inOrder(values.filter(({ place }) => place.file === file))
    if (own.length === 0) continue
    const lines = source.split('\n')
    const path = resolve(cwd, file)
    if (readFileSync(path, 'utf8') !== source)
      throw new CliFailure(exitCode.usage, `${file} has changed since it was read; nothing was written`)
    const before = changes.length
    for (const { place, length, text } of own) {
      const line = lines[place.line - 1] ?? ''
      const start = place.column - 1
      const from = line.slice(start, start + length)
      if (from === text) continue
      lines[place.line - 1] = line.slice(0, start) + text + line.slice(start + length)
      changes.push({ file, line: place.line, from, to: text })
    }
    if (changes.length > before) writeFile(cwd, file, lines.join('\n'))
  }
  return changes
}

/** From the last place to the first, so that no place moves before its turn. */
function inOrder(values: readonly RecordedNow[]): readonly RecordedNow[] {
  const byPlace = new Map<string, RecordedNow>()
  for (const value of values) {
    const { file, line, column } = value.place
    const key = `${file}:${line}:${column}`
    const known = byPlace.get(key)
    if (known !== undefined && known.text !== value.text) {
      const reason = `runs of one matrix differ in what they record (${known.text}, ${value.text})`
      throw new CliFailure(exitCode.usage, `${key}: ${reason}; a pin holds one run: choose it by --only`)
    }
    byPlace.set(key, value)
  }
  return [...byPlace.values()].sort(
    (left, right) => right.place.line - left.place.line || right.place.column - left.place.column,
  )
}
