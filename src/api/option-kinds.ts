import { isObject } from './json.ts'

/** What an option may be: in words, and as a check. */
export interface OptionKind {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

export const aText: OptionKind = { expected: 'a text', holds: (value) => typeof value === 'string' }

export const aTruth: OptionKind = {
  expected: 'true or false',
  holds: (value) => value === true || value === false,
}

export const aFunction: OptionKind = {
  expected: 'a function',
  holds: (value) => typeof value === 'function',
}

export const anObject: OptionKind = { expected: 'an object', holds: isObject }

export const aTextOrObject: OptionKind = {
  expected: 'a text or an object',
  holds: (value) => typeof value === 'string' || isObject(value),
}

export const aListOrObject: OptionKind = {
  expected: 'a list or an object',
  holds: (value) => Array.isArray(value) || isObject(value),
}

/** For texts that people also write as numbers: seeds, values of readings and parameters. */
export const aTextOrNumber: OptionKind = {
  expected: 'a text or a number',
  holds: (value) => typeof value === 'string' || Number.isFinite(value),
}

/** Both bounds included. */
export function wholeNumber(least: number, most: number): OptionKind {
  return {
    expected: `a whole number from ${least} to ${most}`,
    holds: (value) => Number.isSafeInteger(value) && isWithin(value, least, most),
  }
}

/** Both bounds included. */
export function numberFrom(least: number, most: number): OptionKind {
  return { expected: `a number from ${least} to ${most}`, holds: (value) => isWithin(value, least, most) }
}

/** The bound included. */
export function numberAboveZero(most: number): OptionKind {
  return {
    expected: `a number above 0 and at most ${most}`,
    holds: (value) => isWithin(value, 0, most) && value !== 0,
  }
}

export const aNumber: OptionKind = { expected: 'a number', holds: (value) => Number.isFinite(value) }

export function oneOfTexts(...texts: readonly string[]): OptionKind {
  return { expected: `one of ${texts.join(', ')}`, holds: (value) => texts.some((text) => text === value) }
}

/** A list of such values. */
export function listOf({ expected, holds }: OptionKind): OptionKind {
  return {
    expected: `a list in which each is ${expected}`,
    holds: (value) => Array.isArray(value) && value.every(holds),
  }
}

/** The same, or null. */
export function orNull({ expected, holds }: OptionKind): OptionKind {
  return { expected: `null or ${expected}`, holds: (value) => value === null || holds(value) }
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}
