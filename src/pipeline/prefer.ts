import type { Problem } from '../api/errors.ts'
import type { AttributeName } from '../api/faults/fault-rule.ts'
import { type FaultRule, faultKind } from '../api/faults/fault-types.ts'
import { readFaultRule } from '../api/faults/read-fault-rule.ts'
import { type InputResult, refuseField } from '../api/input-problem.ts'
import { type Readings, readingEntries, resolveReadings } from '../api/readings/readings.ts'
import { parseDecimal } from '../numeric/units.ts'

/** What the Prefer header of one request asks for. */
export interface Preference {
  readonly readings: Readings
  /** The readings that were asked for, as they are listed in the Preference-Applied header. */
  readonly applied: readonly string[]
  /** The faults that were asked for. Each may have no effect beside another one. */
  readonly faults: readonly PreferredFault[]
  /** What is wrong with the header; null for nothing. */
  readonly problem: Problem | null
}

/** A fault that a Prefer header asks for. */
export interface PreferredFault {
  readonly rule: FaultRule
  /** The text of the fault in the Preference-Applied header. */
  readonly applied: string
}

export const noPreference = { applied: [], faults: [], problem: null }

/**
 * Reads `Prefer: reading.envelope=wrapped, reading.nulls=omitted` and `Prefer: fault=reset_peer;phase=after` (RFC
 * 7240). Other preferences are ignored, as the RFC asks; a reading or fault that does not exist is refused, because
 * silence would hide the mistake. Choice: readings may also be separated by semicolons.
 */
export function readPreference(header: string, base: Readings): Preference {
  if (!/reading\.|fault|code|delay/i.test(header)) return { readings: base, ...noPreference }
  const faults = readPreferredFaults(header)
  if (!faults.ok) return refusePreference(base, faults.problem)
  const wanted = new Map<string, string>()
  for (const [name, value] of parsePreferences(header).flatMap(({ pairs }) => pairs)) {
    const key = /^reading\./i.test(name) ? name.slice('reading.'.length) : ''
    if (key === '') continue
    if (processWide.has(key))
      return refusePreference(base, { field: key, reason: 'cannot be set for one request' })
    // Source: RFC 7240, section 2: of a preference that is given twice, the first counts.
    if (!wanted.has(key)) wanted.set(key, value)
  }
  const resolved = resolveReadings(Object.fromEntries(wanted), base)
  if (!resolved.ok) return refusePreference(base, resolved.problem)
  const applied = [...wanted].map(([key, value]) => `reading.${key}=${value}`)
  return { readings: resolved.value, applied, faults: faults.value, problem: null }
}

const processWide = new Set<string>(
  readingEntries.filter((entry) => !entry.perRequest).map((entry) => entry.key),
)

function refusePreference(
  base: Readings,
  mistake: { field: string; reason: string; hint?: string },
): Preference {
  const { field, reason, hint } = mistake
  const problem: Problem = { code: 'invalid-parameter', field: 'Prefer', reason: `${field} ${reason}` }
  return { readings: base, ...noPreference, problem: hint === undefined ? problem : { ...problem, hint } }
}

/**
 * Reads the faults in a Prefer header: `fault=TYPE;phase=after;attribute=value`, and the short forms `code=503` (an
 * answer with that status) and `delay=500` (milliseconds), which may be parameters of one another. Of each, the first
 * counts. A parameter that a short form does not know is ignored, as RFC 7240 asks.
 */
export function readPreferredFaults(header: string): InputResult<readonly PreferredFault[]> {
  const faults = new Map<string, PreferredFault>()
  for (const { text, pairs } of parsePreferences(header)) {
    const [[first = '', type = ''] = [], ...parameters] = pairs
    const name = first.toLowerCase()
    const read =
      name === 'fault'
        ? [[name, readFaultParameters(type, parameters, `fault=${type}`, text)] as const]
        : shortForms.has(name)
          ? readShortForms(pairs)
          : []
    for (const [word, fault] of read) {
      if (!fault.ok) return fault
      if (!faults.has(word)) faults.set(word, fault.value)
    }
  }
  return { ok: true, value: [...faults.values()] }
}

/** The short forms of faults, with the form of the whole fault. */
const shortForms = new Map<string, (value: string | number) => object>([
  ['code', (status) => ({ type: 'http_error', attributes: { status } })],
  ['delay', (latencyMs) => ({ type: 'latency', attributes: { latencyMs } })],
])

function readShortForms(pairs: readonly Pair[]) {
  const [, phase = null] = pairs.find(([name]) => name.toLowerCase() === 'phase') ?? []
  return pairs.flatMap(([name, value]) => {
    const word = name.toLowerCase()
    const form = shortForms.get(word)
    if (form === undefined) return []
    const whole = { ...form(parseNumber(value)), ...(phase === null ? {} : { phase }) }
    const applied = `${word}=${value}${phase === null ? '' : `;phase=${phase}`}`
    return [[word, readFaultForm(whole, applied, word)] as const]
  })
}

function readFaultParameters(
  type: string,
  parameters: readonly Pair[],
  first: string,
  applied: string,
): InputResult<PreferredFault> {
  if (type === '') return refuseField(first, 'must name a fault')
  const given = new Map<string, string | number>()
  let phase: string | undefined
  for (const [name, value] of parameters) {
    if (name === 'phase') phase = value
    else given.set(name, textAttributes.includes(name) ? value : parseNumber(value))
  }
  const attributes = Object.fromEntries(given)
  const form = phase === undefined ? { type, attributes } : { type, phase, attributes }
  return readFaultForm(form, applied)
}

/**
 * Checks a fault's form. `short` is the short form's word, which is all that the caller wrote; null for a whole form.
 */
function readFaultForm(
  form: unknown,
  applied: string,
  short: string | null = null,
): InputResult<PreferredFault> {
  const rule = readFaultRule(form, { assets: [], accounts: [] })
  if (!rule.ok)
    return { ok: false, problem: { ...rule.problem, field: short ?? `fault.${rule.problem.field}` } }
  if (faultKind(rule.value.type).place === 'lag')
    return refuseField('fault.type', `must be a rule for ${rule.value.type}: one request has no past`)
  return { ok: true, value: { rule: rule.value, applied } }
}

/**
 * Parses a decimal number. Other text stays text, which the rule's own check refuses: JavaScript would read '' as 0 and
 * '0x10' as 16.
 */
const parseNumber = (text: string): number | string => (parseDecimal(text) === null ? text : Number(text))

type Pair = readonly [name: string, value: string]

/** One preference of a list: its name and value, followed by those of its parameters. */
interface ListedPreference {
  readonly text: string
  readonly pairs: readonly Pair[]
}

/**
 * Parses a list of preferences. A comma or semicolon within quotes does not separate them. Source: RFC 7240, section
 * 2.
 */
function parsePreferences(header: string): ListedPreference[] {
  return splitOutsideQuotes(header, ',').map((text) => ({
    text: text.trim(),
    pairs: splitOutsideQuotes(text, ';').map(parsePair),
  }))
}

function splitOutsideQuotes(text: string, mark: ',' | ';'): string[] {
  const parts = ['']
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|./gs)) {
    if (piece === mark) parts.push('')
    else parts.push(`${parts.pop()}${piece}`)
  }
  return parts
}

/** Parses `name=value` into the name and the value without quotes; the value is empty where there is none. */
function parsePair(text: string): Pair {
  const mark = text.indexOf('=')
  if (mark === -1) return [text.trim(), '']
  const name = text.slice(0, mark).trim()
  const value = text.slice(mark + 1).trim()
  const [, quoted] = /^"(.*)"$/.exec(value) ?? []
  return [name, quoted === undefined ? value : quoted.replace(/\\(.)/g, '$1')]
}

/** The attributes whose values are words; those of all others are numbers. */
const textAttributes: readonly string[] = ['distribution', 'clock', 'type'] satisfies readonly AttributeName[]
