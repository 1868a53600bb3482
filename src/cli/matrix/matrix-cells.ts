import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FaultRule } from '../../api/faults/fault-types.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { reasonAndHint } from '../../api/input-problem.ts'
import { isObject, parseJson } from '../../api/json.ts'
import {
  findPreset,
  listValues,
  presetKey,
  type ReadingKey,
  type Readings,
  readingValues,
  resolveReadings,
} from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import { usageFailure } from '../failure.ts'
import { readTextFile } from '../files.ts'
import type { Terminal } from '../terminal.ts'

export interface MatrixCell {
  readonly name: string
  /** The readings that differ from those of the first run. */
  readonly settings: readonly ReadingSetting[]
  readonly fault: FaultRule | null
}

export interface ReadingSetting {
  readonly key: ReadingKey
  readonly value: string
}

export const baseline: MatrixCell = { name: 'default readings', settings: [], fault: null }

export const formatSetting = ({ key, value }: ReadingSetting): string => `${key}=${value}`

/** Lists a cell for each value that the suite's usual readings do not have. */
export const listSingleCells = (keys: readonly ReadingKey[], usual: Readings): readonly MatrixCell[] =>
  keys
    .flatMap((key) => listOtherValues(key, usual).map((value) => ({ key, value })))
    .map((setting) => ({ name: formatSetting(setting), settings: [setting], fault: null }))

const listOtherValues = (key: ReadingKey, usual: Readings): readonly string[] =>
  listValues(key).filter((value) => value !== usual[key])

/** Lists cells in which every two values of two readings occur together, without values that break the suite alone. */
export function listPairCells(
  keys: readonly ReadingKey[],
  usual: Readings,
  broken: readonly ReadingSetting[],
): readonly MatrixCell[] {
  const isBroken = (key: string, value: string) =>
    broken.some((setting) => setting.key === key && setting.value === value)
  const factors = keys
    .map((key) => ({
      key,
      values: [usual[key], ...listOtherValues(key, usual).filter((value) => !isBroken(key, value))],
    }))
    .filter(({ values }) => values.length > 1)
  const rows = findCoveringRows(factors).map((row) =>
    factors.flatMap(({ key, values }, factor) => {
      const value = row[factor]
      return value === undefined || value === values[0] ? [] : [{ key, value }]
    }),
  )
  // A row with one setting has been run already, as a value alone.
  return rows
    .filter((settings) => settings.length > 1)
    .map((settings, index) => ({ name: `combination ${index + 1}`, settings, fault: null }))
}

/** Faults that occur on any network and at any venue, so that every client must cope with them. */
const faultDefinitions = {
  'fault.lost-answer': {
    type: 'reset_peer',
    phase: 'after',
    count: 1,
    match: { method: 'POST', path: '/api/sdk/orders' },
  },
  'fault.order-not-taken': {
    type: 'http_error',
    count: 1,
    match: { method: 'POST', path: '/api/sdk/orders' },
    attributes: { status: 503 },
  },
  'fault.read-fails': { type: 'http_error', count: 1, match: { method: 'GET' }, attributes: { status: 500 } },
  'fault.read-reset': { type: 'reset_peer', count: 1, match: { method: 'GET' } },
  'fault.read-empty': { type: 'EMPTY_RESPONSE', count: 1, match: { method: 'GET' } },
  'fault.read-html': { type: 'html_502', count: 1, match: { method: 'GET' } },
  'fault.read-truncated': { type: 'truncated_json', count: 1, match: { method: 'GET' } },
  'fault.rate-limit': { type: 'rate_limit', count: 1, match: { method: 'GET' } },
  'fault.slow': { type: 'latency', attributes: { latencyMs: 60 } },
  'fault.sliced': { type: 'slicer', attributes: { averageSize: 40, delayMs: 1 } },
  'fault.late-fills': { type: 'delayed_fill', attributes: { delayMs: 150 } },
} as const

export function listFaultCells(): readonly MatrixCell[] {
  return Object.entries(faultDefinitions).map(([name, form]) => {
    const rule = readFaultRule(form, { assets: [], accounts: [] })
    assert(rule.ok, 'the faults of the matrix are rules')
    return { name, settings: [], fault: rule.value }
  })
}

/** A parameter of a covering array, with the values that it can take. */
export interface Factor {
  readonly values: readonly string[]
}

/** One value for each factor, in the order of the factors. */
type Row = readonly string[]

/**
 * Finds rows in which every two values of two factors occur together at least once, by a greedy search for few rows.
 * Equal factors give equal rows. A single factor gives one row for each value.
 */
export function findCoveringRows(factors: readonly Factor[]): readonly Row[] {
  const open = new OpenPairs(factors)
  const rows: Row[] = []
  for (let seed = open.next(); seed !== null; seed = open.next()) {
    const row = fillRow(factors, open, seed)
    open.close(row)
    rows.push(row.map((value, factor) => factors[factor]?.values[value] ?? ''))
  }
  if (rows.length > 0) return rows
  const [only] = factors
  return only === undefined || factors.length > 1 ? [] : only.values.map((value) => [value])
}

/** Builds a row from an open pair: each other factor gets the value that covers the most open pairs. */
function fillRow(factors: readonly Factor[], open: OpenPairs, [a, va, b, vb]: Pair): readonly number[] {
  const chosen = new Map([
    [a, va],
    [b, vb],
  ])
  for (const [factor, { values }] of factors.entries()) {
    if (chosen.has(factor)) continue
    let best = 0
    let most = -1
    for (let value = 0; value < values.length; value += 1) {
      let gain = 0
      for (const [other, otherValue] of chosen) if (open.has(factor, value, other, otherValue)) gain += 1
      if (gain > most) {
        most = gain
        best = value
      }
    }
    chosen.set(factor, best)
  }
  return factors.map((_, factor) => chosen.get(factor) ?? 0)
}

type Pair = readonly [factor: number, value: number, other: number, otherValue: number]

/** The pairs of values that no row covers yet. */
class OpenPairs {
  private readonly pairs = new Map<string, Pair>()

  constructor(factors: readonly Factor[]) {
    for (const [a, first] of factors.entries()) {
      for (const [offset, second] of factors.slice(a + 1).entries()) {
        const b = a + 1 + offset
        for (let va = 0; va < first.values.length; va += 1)
          for (let vb = 0; vb < second.values.length; vb += 1)
            this.pairs.set(pairKey(a, va, b, vb), [a, va, b, vb])
      }
    }
  }

  next(): Pair | null {
    const { value, done } = this.pairs.values().next()
    return done === true ? null : value
  }

  has(a: number, va: number, b: number, vb: number): boolean {
    return this.pairs.has(a < b ? pairKey(a, va, b, vb) : pairKey(b, vb, a, va))
  }

  close(row: readonly number[]): void {
    for (const [a, va] of row.entries()) {
      for (let b = a + 1; b < row.length; b += 1) this.pairs.delete(pairKey(a, va, b, row[b] ?? 0))
    }
  }
}

const pairKey = (a: number, va: number, b: number, vb: number): string => `${a}=${va},${b}=${vb}`

/** The file in which a team records the readings of the real venue that it knows. */
const defaultPinsFile = 'readings.json'

/** Reads the pinned readings of a file, by key. Without a name it reads `readings.json`, if that exists. */
export function readPins(name: string | undefined, terminal: Terminal): { readonly [key: string]: string } {
  const shown = name ?? defaultPinsFile
  if (name === undefined && !existsSync(resolve(terminal.cwd, shown))) return {}
  const pins = parsePins(readTextFile(terminal.cwd, shown, 1024 * 1024))
  if (pins === null) throw usageFailure(`${shown} must be an object of readings and their values`)
  const resolved = resolveReadings(pins)
  if (!resolved.ok) {
    const { problem: flaw } = resolved
    throw usageFailure(`${shown}: ${flaw.field} ${reasonAndHint(flaw)}`)
  }
  const { [presetKey]: preset, ...singles } = pins
  const found = preset === undefined ? null : findPreset(preset)
  const known = { ...(found?.ok === true ? readingValues(found.value) : {}), ...singles }
  return Object.fromEntries(Object.entries(known).map(([key, value]) => [key, String(value)]))
}

function parsePins(text: string): { readonly [key: string]: string | number } | null {
  const json = parseJson(text)
  if (!isObject(json)) return null
  const pins: Record<string, string | number> = {}
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== 'string' && typeof value !== 'number') return null
    pins[key] = value
  }
  return pins
}
