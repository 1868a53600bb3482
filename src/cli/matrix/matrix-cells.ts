import type { FaultRule } from '../../api/faults/fault-rule.ts'
import { readFaultRule } from '../../api/faults/read-fault-rule.ts'
import { type ReadingKey, readingEntries } from '../../api/readings/readings.ts'
import { assert } from '../../numeric/assert.ts'
import { coveringRows } from './covering-rows.ts'

/** A world in which a suite is run. */
export interface Cell {
  readonly name: string
  /** What differs from the defaults, apart from what is pinned. */
  readonly settings: readonly Setting[]
  readonly fault: FaultRule | null
}

export interface Setting {
  readonly key: ReadingKey
  readonly value: string
}

export const baseline: Cell = { name: 'default readings', settings: [], fault: null }

export const settingText = ({ key, value }: Setting): string => `${key}=${value}`

/** Each value that is not the default, by itself. */
export function singleCells(keys: readonly ReadingKey[]): readonly Cell[] {
  return readingEntries
    .filter(({ key }) => keys.includes(key))
    .flatMap(({ key, alternatives }) => alternatives.map((value) => ({ key, value })))
    .map((setting) => ({ name: settingText(setting), settings: [setting], fault: null }))
}

/** Rows in which every two values meet, without those that break something by themselves. */
export function pairCells(keys: readonly ReadingKey[], broken: readonly Setting[]): readonly Cell[] {
  const isBroken = (key: string, value: string) =>
    broken.some((setting) => setting.key === key && setting.value === value)
  const factors = readingEntries
    .filter(({ key }) => keys.includes(key))
    .map((entry) => ({
      key: entry.key,
      values: [entry.default, ...entry.alternatives.filter((value) => !isBroken(entry.key, value))],
    }))
    .filter(({ values }) => values.length > 1)
  return coveringRows(factors).map((row, index) => ({
    name: `combination ${index + 1}`,
    settings: factors.flatMap(({ key, values }, factor) => {
      const value = row[factor]
      return value === undefined || value === values[0] ? [] : [{ key, value }]
    }),
    fault: null,
  }))
}

/** What goes wrong on any network and at any venue, once or all the time, and what every client must cope with. */
const faultForms = {
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

export function faultCells(): readonly Cell[] {
  return Object.entries(faultForms).map(([name, form]) => {
    const rule = readFaultRule(form, { assets: [], accounts: [] })
    assert(rule.ok, 'the faults of the matrix are rules')
    return { name, settings: [], fault: rule.value }
  })
}
