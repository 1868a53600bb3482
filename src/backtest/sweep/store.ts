import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { isObject, jsonField, parseJson } from '../../api/json.ts'
import { makeFolders } from '../../journal/journal-file.ts'
import { lockByFile } from '../../journal/lock.ts'
import { Hash128 } from '../../numeric/hash.ts'
import {
  type CaseRow,
  decodePlan,
  decodeRow,
  describeUnknown,
  encodePlan,
  formatCell,
  formatRow,
  listCases,
  planDigest,
  type SweepCase,
  type SweepPlan,
} from './plan.ts'

/*
 * The store of a sweep is a file to which whole lines are appended: a header with the plan first, then rows as they come.
 * A process that is killed leaves at most one torn line at the end, which the next one cuts off. Each line has the hash of
 * its row and of the time when it was stored, so that damage elsewhere is found and not taken for a result.
 *
 * The header has a format of its own and the version that wrote it, so that the store of another version is not taken for a
 * damaged one. Stores of format 1 began with the bare plan.
 */

const storeFormat = 2

/** When the first and the last of some rows were stored, as ISO texts. */
export interface StoredTimes {
  readonly from: string
  readonly to: string
}

export interface SweepStore {
  readonly rows: readonly CaseRow[]
  /** When the rows that were found were stored; null where there were none. */
  readonly dates: StoredTimes | null
  append(row: CaseRow): void
  close(): void
}

/** Why a store cannot be used. */
export type StoreProblem =
  | 'in use'
  | 'no store'
  | 'another version'
  | 'another sweep'
  | 'damaged'
  /** Its rows are of a strategy whose inputs are not all known, and nobody has said that they are to be trusted. */
  | 'unknown inputs'

export type OpenResult =
  | { readonly ok: true; readonly store: SweepStore }
  | { readonly ok: false; readonly problem: string; readonly lack: StoreProblem }

export type StoreContents =
  | {
      readonly ok: true
      readonly plan: SweepPlan
      readonly rows: readonly CaseRow[]
      readonly dates: StoredTimes | null
      /** The length in bytes of the file up to its last whole line. */
      readonly wholeBytes: number
    }
  | {
      readonly ok: false
      readonly problem: string
      readonly lack: 'another version' | 'damaged'
      /** Whether not even the plan was written whole, so that nothing is lost when the file starts over. */
      readonly isEmpty: boolean
    }

export interface OpenOptions {
  /** Discards what was there, but never what a living process holds, nor a file that is no store. */
  readonly isFresh?: boolean
  /** Takes rows of a strategy whose inputs are not all known. */
  readonly isTrusted?: boolean
}

/**
 * Opens or creates the store of a plan. Refuses a store of another plan or version, a damaged one, one that another
 * process holds, and rows that are known by less than what decides them.
 */
export function openStore(path: string, plan: SweepPlan, options: OpenOptions = {}): OpenResult {
  const { isFresh = false, isTrusted = false } = options
  makeFolders(dirname(path))
  if (!mayBeStore(path)) return { ok: false, problem: `${path} is not a store of a sweep`, lack: 'no store' }
  const locking = lockByFile(path)
  if (!locking.ok)
    return { ok: false, problem: `${path} is in use by the process ${locking.owner}`, lack: 'in use' }
  const { lock } = locking
  const found = existsSync(path) && !isFresh ? readStore(path) : null
  const refusal = found === null ? null : findRefusal(path, found, plan, isTrusted)
  if (refusal !== null) {
    lock.release()
    return { ok: false, ...refusal }
  }
  const descriptor = openSync(path, found?.ok === true ? 'r+' : 'w')
  if (found?.ok === true) ftruncateSync(descriptor, found.wholeBytes)
  let end = found?.ok === true ? found.wholeBytes : 0
  const write = (line: string) => {
    const bytes = Buffer.from(`${line}\n`)
    for (let sent = 0; sent < bytes.length; ) {
      sent += writeSync(descriptor, bytes, sent, bytes.length - sent, end + sent)
    }
    end += bytes.length
  }
  try {
    if (end === 0) write(formatHeader(plan))
  } catch (error) {
    closeSync(descriptor)
    lock.release()
    throw error
  }
  const close = () => {
    fsyncSync(descriptor)
    closeSync(descriptor)
    lock.release()
  }
  const { dates, rows } = found?.ok === true ? found : { dates: null, rows: [] }
  return { ok: true, store: { rows, dates, append: (row) => write(formatLine(row)), close } }
}

/** Reads all rows of a store. Only its last line may be torn, and is left out. */
export function readStore(path: string): StoreContents {
  const bytes = readFileSync(path)
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1
  if (wholeBytes === 0)
    return { ok: false, problem: `${path} holds no sweep`, lack: 'damaged', isEmpty: true }
  const [head = '', ...lines] = bytes.toString('utf8', 0, wholeBytes - 1).split('\n')
  const header = parseHeader(head)
  if (header.format !== null && header.format !== storeFormat)
    return { ok: false, problem: describeOtherVersion(path, header), lack: 'another version', isEmpty: false }
  const { plan } = header
  if (plan === null) return createDamageProblem(`${path} is not a store of a sweep in this format`)
  const rows: CaseRow[] = []
  const dates: string[] = []
  for (const [place, line] of lines.entries()) {
    const found = parseLine(line)
    if (found === null) return createDamageProblem(`${path}:${place + 2} is damaged`)
    rows.push(found.row)
    dates.push(found.at)
  }
  return { ok: true, plan, rows, dates: spanDates(dates), wholeBytes }
}

/** Returns whether the file is absent, empty, or begins as stores do; any other file must not be overwritten. */
export function mayBeStore(path: string): boolean {
  if (!existsSync(path)) return true
  const descriptor = openSync(path, 'r')
  try {
    const head = Buffer.alloc(storeStart.length)
    const read = readSync(descriptor, head, 0, head.length, 0)
    return storeStarts.some((start) =>
      start.startsWith(head.toString('latin1', 0, Math.min(read, start.length))),
    )
  } finally {
    closeSync(descriptor)
  }
}

const storeStart = '{"format":"otcsim sweep store '
const storeStarts = [storeStart, '{"format":"otcsim sweep plan ']

const formatHeader = (plan: SweepPlan): string =>
  `${storeStart}${storeFormat}","version":${JSON.stringify(plan.work.version)},"plan":${JSON.stringify(encodePlan(plan))}}`

interface StoreHeader {
  /** The number of the store's format; null where the line is no header. */
  readonly format: number | null
  /** The version of otcsim that wrote it; null where that is not said. */
  readonly version: string | null
  readonly plan: SweepPlan | null
}

function parseHeader(line: string): StoreHeader {
  const value = parseJson(line)
  const [, kind = '', digits = ''] =
    /^otcsim sweep (store|plan) (\d{1,9})$/.exec(readText(value, 'format')) ?? []
  if (kind === '') return { format: null, version: null, plan: null }
  const version = readText(kind === 'plan' ? jsonField(value, 'work') : value, 'version')
  // Format 1 had the plan as its header, whose own number says nothing of the rows below it.
  const format = kind === 'plan' ? 1 : Number(digits)
  return { format, version: version === '' ? null : version, plan: decodePlan(jsonField(value, 'plan')) }
}

function readText(value: unknown, name: string): string {
  const text = jsonField(value, name)
  return typeof text === 'string' ? text : ''
}

const describeOtherVersion = (path: string, { format, version }: StoreHeader): string =>
  `${path} was made by otcsim ${version ?? 'of an unknown version'} (store format ${format}), and this is ${manifest.version} (store format ${storeFormat})`

const createDamageProblem = (problem: string): StoreContents => ({
  ok: false,
  problem,
  lack: 'damaged',
  isEmpty: false,
})

interface Refusal {
  readonly problem: string
  readonly lack: StoreProblem
}

function findRefusal(
  path: string,
  found: StoreContents,
  wanted: SweepPlan,
  isTrusted: boolean,
): Refusal | null {
  if (!found.ok) return found.isEmpty ? null : found
  const [there, here] = [found.plan.work.version, wanted.work.version]
  if (there !== here)
    return { problem: `${path} was made by otcsim ${there}, and this is ${here}`, lack: 'another version' }
  if (planDigest(found.plan) !== planDigest(wanted))
    return { problem: `${path} is the store of another sweep`, lack: 'another sweep' }
  const unknown = describeUnknown(wanted)
  if (unknown === null || isTrusted || found.rows.length === 0) return null
  const { from } = found.dates ?? { from: '' }
  return {
    problem: `${path} has ${found.rows.length} cases, the first of ${from}, that may have had other inputs. ${unknown}`,
    lack: 'unknown inputs',
  }
}

/** Returns the first and the last of some dates as ISO texts, which sort as text. */
function spanDates(dates: readonly string[]): StoredTimes | null {
  const sorted = dates.toSorted()
  const [from] = sorted
  const to = sorted.at(-1)
  return from === undefined || to === undefined ? null : { from, to }
}

function formatLine(row: CaseRow): string {
  const text = `"at":"${new Date().toISOString()}","row":${formatRow(row)}`
  return `{"sum":"${computeChecksum(text)}",${text}}`
}

const lineStart = '{"sum":"'.length + 16 + '",'.length

function parseLine(line: string): { readonly row: CaseRow; readonly at: string } | null {
  const value = parseJson(line)
  if (!isObject(value) || value['sum'] !== computeChecksum(line.slice(lineStart, -1))) return null
  const row = decodeRow(value['row'])
  const at = value['at']
  return row === null || typeof at !== 'string' ? null : { row, at }
}

function computeChecksum(text: string): string {
  const hash = new Hash128()
  hash.addText(text)
  return hash.digest().slice(0, 16)
}

type MergeResult =
  | {
      readonly ok: true
      readonly plan: SweepPlan
      readonly rows: readonly CaseRow[]
      readonly dates: StoredTimes | null
    }
  | {
      readonly ok: false
      readonly problems: readonly string[]
      /** Whether two machines got different results for the same case. */
      readonly isDeterminismBroken: boolean
    }

/**
 * Merges the stores of a plan's shards. They must belong to one plan, and together have every case once. Missing and
 * repeated cases, and stores of another version or plan, are reported, each as one problem.
 */
export function mergeStores(paths: readonly string[]): MergeResult {
  const contents = paths.map((path) => ({ path, found: readStore(path) }))
  const unreadable = contents.flatMap(({ found }) => (found.ok ? [] : [found.problem]))
  if (unreadable.length > 0) return refuseMerge(unreadable)
  const stores = contents.flatMap(({ path, found }) =>
    found.ok ? [{ path, plan: found.plan, rows: found.rows, dates: found.dates }] : [],
  )
  const [first] = stores
  if (first === undefined) return refuseMerge(['there is nothing to merge'])
  const mixed = stores.flatMap(({ path, plan }) => findDifferences(path, plan, first))
  if (mixed.length > 0) return refuseMerge(mixed)
  return mergeRows(first.plan, stores)
}

interface Shard {
  readonly path: string
  readonly plan: SweepPlan
  readonly rows: readonly CaseRow[]
  readonly dates: StoredTimes | null
}

const refuseMerge = (problems: readonly string[], isDeterminismBroken = false): MergeResult => ({
  ok: false,
  problems,
  isDeterminismBroken,
})

function findDifferences(path: string, { work, ...plan }: SweepPlan, first: Shard): readonly string[] {
  const wanted = first.plan.work
  const differs = (what: string, here: string, there: string) =>
    here === there ? [] : [`${path} has ${what} ${here}, ${first.path} ${there}`]
  const problems = [
    ...differs('version', work.version, wanted.version),
    ...differs('the strategy', work.strategy.digest, wanted.strategy.digest),
    ...differs(
      'the scenario',
      JSON.stringify(work.scenario.digests),
      JSON.stringify(wanted.scenario.digests),
    ),
  ]
  if (problems.length > 0) return problems
  return differs('the plan', planDigest({ work, ...plan }), planDigest(first.plan))
}

function mergeRows(plan: SweepPlan, stores: readonly Shard[]): MergeResult {
  const seen = new Map<string, { readonly row: CaseRow; readonly path: string }>()
  const problems: string[] = []
  let isDeterminismBroken = false
  for (const { path, rows } of stores) {
    for (const row of rows) {
      const earlier = seen.get(row.id)
      if (earlier === undefined) {
        seen.set(row.id, { row, path })
        continue
      }
      const isEqual = formatRow(earlier.row) === formatRow(row)
      isDeterminismBroken ||= !isEqual
      const what = isEqual ? 'is there twice' : 'has two different results'
      problems.push(`${describeCase(row)} ${what}: in ${earlier.path} and ${path}`)
    }
  }
  const cases = listCases(plan)
  const known = new Set(cases.map(({ id }) => id))
  for (const { row, path } of seen.values()) {
    if (!known.has(row.id)) problems.push(`${describeCase(row)} in ${path} is not a case of the plan`)
  }
  const rows: CaseRow[] = []
  for (const each of cases) {
    const found = seen.get(each.id)
    if (found === undefined) problems.push(`${describeCase(each)} is missing`)
    else rows.push(found.row)
  }
  const dates = spanDates(stores.flatMap(({ dates: own }) => (own === null ? [] : [own.from, own.to])))
  return problems.length > 0 ? refuseMerge(problems, isDeterminismBroken) : { ok: true, plan, rows, dates }
}

function describeCase({ id, seed, parameters, window }: SweepCase): string {
  const cell = formatCell(parameters)
  const from = window === undefined ? '' : ` from ${window.from}`
  return `case ${id} (seed ${JSON.stringify(seed)}${cell === '' ? '' : ` ${cell}`}${from})`
}
