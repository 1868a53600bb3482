import { nearestWord } from '../../api/nearest-word.ts'
import { isoToMillis, parseDuration } from '../../numeric/time-text.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { complain, type Field, textOf } from '../read/fields.ts'
import type { Moment } from './compiled.ts'

/** What the words of a moment may refer to. */
export interface MomentScope {
  readonly startMillis: Millis
  /** Null: the run has no stated end. */
  readonly endMillis: Millis | null
  /** The instants of the labels above this entry; null for those that only the run decides. */
  readonly labels: ReadonlyMap<string, Millis | null>
  /** Labels of entries that may lie after the end (`ifReached`); moments counted from them may, too. */
  readonly labelsIfReached?: ReadonlySet<string>
  /** Whether this moment may lie after the end. */
  readonly isIfReached?: boolean
}

/**
 * `+5m` after the start, an ISO instant, or a label with an optional span: `news`, `news+10s`, `end-1s`. The label
 * `start` always exists, `end` only when the clock has one. Choice: a label stands above its use, so labels cannot
 * form a circle. From a label that only the run decides, spans can only go forward.
 */
export function momentOf(field: Field, scope: MomentScope): Moment {
  const text = textOf(field)
  const fail = (reason: string, nearest: string | null = null): Moment => {
    complain(field, reason, nearest)
    return fixed(scope.startMillis)
  }
  const within = (at: number, label = ''): Moment => {
    if (at < scope.startMillis) return fail('before the start of the clock')
    const isLate = scope.endMillis !== null && at > scope.endMillis
    const mayBeLate = scope.isIfReached === true || scope.labelsIfReached?.has(label) === true
    return isLate && !mayBeLate ? fail('after the end of the clock') : fixed(millis(at))
  }
  const instant = isoToMillis(text)
  if (instant !== null) return within(instant)
  const match = /^([A-Za-z][A-Za-z0-9_-]*?)?(?:([+-])([0-9.a-z]+))?$/.exec(text)
  if (match === null || text === '') {
    const meant = parseDuration(text) === null ? null : `+${text}`
    return fail(`"${text}" is not a moment; write +5m, an instant, or label+10s`, meant)
  }
  const [, label, sign, spanText] = match
  const whole = scope.labels.get(text)
  if (whole !== undefined) return whole === null ? after(text, 0) : within(whole, text)
  const base = label === undefined ? scope.startMillis : baseOf(label, scope)
  if (base === undefined) {
    if (field.problems.isInDoubt(label ?? '')) return fixed(scope.startMillis)
    return fail(unknownLabel(label ?? '', scope), nearestWord(label ?? '', scope.labels.keys()))
  }
  const span = spanText === undefined ? 0 : parseDuration(spanText)
  if (span === null) return fail(`"${spanText}" is not a duration, such as 250ms, 5s, 2m, 1h or 3d`)
  if (base === null) {
    const reason = `only the run can tell when "${label}" is, so it cannot be counted back from`
    return sign === '-' && span > 0 ? fail(reason) : after(label ?? '', span)
  }
  return within(sign === '-' ? base - span : base + span, label)
}

const fixed = (at: Millis): Moment => ({ kind: 'at', at })

const after = (label: string, offset: number): Moment => ({
  kind: 'after',
  label,
  offsetMillis: millis(offset),
})

function baseOf(label: string, scope: MomentScope): Millis | null | undefined {
  if (label === 'start') return scope.startMillis
  if (label === 'end') return scope.endMillis ?? undefined
  return scope.labels.get(label)
}

function unknownLabel(label: string, scope: MomentScope): string {
  if (label === 'end' && scope.endMillis === null) return '"end" needs clock.end'
  return `no action above has the id "${label}"`
}
