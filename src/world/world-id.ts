import type { OptionKind } from '../api/option-kinds.ts'

/** An id is part of paths, of the names of keys, and of file names. */
const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The form of a world's id, however it is given: over HTTP, in the library, in a test. */
export const aWorldId: OptionKind = {
  expected: 'up to 64 letters, digits, dots, dashes and underscores, the first a letter or a digit',
  holds: (value) => typeof value === 'string' && form.test(value),
}
