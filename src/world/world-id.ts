import type { OptionKind } from '../api/option-kinds.ts'

/** An id stands in paths, in the names of keys and in those of files. */
const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The form of a world's id, however it is given: over HTTP, in the library, in a test. */
export const aWorldId: OptionKind = {
  expected: 'up to 64 letters, digits, dots, dashes and underscores, the first a letter or a digit',
  holds: (value) => typeof value === 'string' && form.test(value),
}
