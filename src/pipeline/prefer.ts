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
  /** The fault that is asked for; null for none. */
  readonly fault: FaultRule | null
  /** The text of the Preference-Applied header; null when nothing was asked for. */
  readonly applied: string | null
  /** What is wrong with the header; null for nothing. */
  readonly problem: Problem | null
}

export const noPreference = { fault: null, applied: null, problem: null }

/**
 * Reads `Prefer: reading.envelope=wrapped, reading.nulls=omitted` and `Prefer: fault=reset_peer;phase=after` (RFC
 * 7240). Other preferences are ignored, as the RFC asks; a reading or fault that does not exist is refused, because
 * silence would hide the mistake.
 */
export function readPreference(header: string, base: Readings): Preference {
  if (!/reading\.|fault|code|delay/i.test(header)) return { readings: base, ...noPreference }
  const fault = readPreferredFault(header)
  if (fault !== null && !fault.ok) return refusePreference(base, fault.problem)
  const wanted = new Map<string, string>()
  for (const part of header.split(/[,;]/)) {
    const [name, value] = parsePair(part)
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
  if (fault !== null) applied.push(fault.value.applied)
  return {
    readings: resolved.value,
    fault: fault === null ? null : fault.value.rule,
    applied: applied.length === 0 ? null : applied.join(', '),
    problem: null,
  }
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

interface PreferredFault {
  readonly rule: FaultRule
  readonly applied: string
}

/**
 * Reads the fault in a Prefer header: `fault=TYPE;phase=after;attribute=value`, or one of the short forms `code=503`
 * (an answer with that status) and `delay=500` (milliseconds). Null when there is none. The first of several counts.
 */
export function readPreferredFault(header: string): InputResult<PreferredFault> | null {
  for (const part of header.split(',')) {
    const [first = '', ...parameters] = part.split(';').map((text) => text.trim())
    const [word, value] = parsePair(first)
    const name = word.toLowerCase()
    if (name === 'fault') return readFaultParameters(value, parameters, first, part.trim())
    if (name === 'code') return readFaultForm(toHttpErrorForm(value), part.trim(), name)
    if (name === 'delay')
      return readFaultForm(
        { type: 'latency', attributes: { latencyMs: parseNumber(value) } },
        part.trim(),
        name,
      )
  }
  return null
}

function toHttpErrorForm(code: string): unknown {
  return { type: 'http_error', attributes: { status: parseNumber(code) } }
}

function readFaultParameters(
  type: string,
  parameters: readonly string[],
  first: string,
  applied: string,
): InputResult<PreferredFault> {
  if (type === '') return refuseField(first, 'must name a fault')
  const given = new Map<string, string | number>()
  let phase: string | undefined
  for (const parameter of parameters) {
    const [name, value] = parsePair(parameter)
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

/** Parses `name=value` into the name and the value without quotes; the value is empty where there is none. */
function parsePair(text: string): readonly [string, string] {
  const mark = text.indexOf('=')
  if (mark === -1) return [text.trim(), '']
  const name = text.slice(0, mark).trim()
  const value = text
    .slice(mark + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1')
  return [name, value]
}

/** The attributes whose values are words; those of all others are numbers. */
const textAttributes: readonly string[] = ['distribution', 'clock', 'type'] satisfies readonly AttributeName[]
