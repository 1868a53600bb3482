import { assert } from '../../numeric/assert.ts'

/** The wire's word for one of the engine's codes. */
export function nameOf<Name>(names: readonly Name[], code: number): Name {
  const name = names[code]
  assert(name !== undefined, 'every code has a name')
  return name
}
