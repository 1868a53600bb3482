import { expect } from 'vitest'

/* The least and the most of a field are accepted, and what is beyond them is refused in these words. */

export interface Bounds<Spec> {
  readonly field: string
  readonly least: number
  readonly most: number
  /** As the message has them; `from LEAST to MOST` by default. */
  readonly words?: string
  readonly of: (value: number) => Spec
}

export function expectBounds<Spec>(
  { field, least, most, of, words = `from ${least} to ${most}` }: Bounds<Spec>,
  problemOf: (spec: Spec) => { readonly field: string; readonly message: string } | null,
): void {
  const beyond = (value: number): number => Math.max(Math.abs(value) * 1e-9, 1e-12)
  const message = `is not ${words}`
  for (const value of [least, most]) expect(problemOf(of(value))?.message).not.toBe(message)
  for (const value of [least - beyond(least), most + beyond(most), Number.NaN])
    expect(problemOf(of(value))).toMatchObject({ field, message })
}
