import { nearestWord } from './nearest-word.ts'

/**
 * What is wrong with something that a caller sent: which field, and why. The reason is worded to follow the field's
 * name.
 */
export interface Flaw {
  readonly field: string
  readonly reason: string
  /** The name that was perhaps meant, or the names that there are. Never part of a documented body. */
  readonly hint?: string
}

/** Either the value, or what is wrong with it. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly flaw: Flaw }

export function read<Value>(value: Value): Read<Value> {
  return { ok: true, value }
}

export function flawed(field: string, reason: string): { readonly ok: false; readonly flaw: Flaw } {
  return { ok: false, flaw: { field, reason } }
}

/** A flaw in one item of a list that is read on its own; the field of the item as a whole is called `item`. */
export function flawOfItem(flaw: Flaw): Flaw {
  return flaw.field === 'body' ? { ...flaw, field: 'item' } : flaw
}

/** A flaw for an unknown word; the hint names the nearest known one, if any is near. */
export function unknownWordFlaw(field: string, reason: string, word: string, known: readonly string[]): Flaw {
  const meant = nearestWord(word, known)
  return meant === null ? { field, reason } : { field, reason, hint: `did you mean ${meant}?` }
}
