import { assert } from '../../numeric/assert.ts'
import { type RandomStream, resumeStream } from '../../numeric/random.ts'
import { isDataRecord, type JsonData } from '../read/json-data.ts'

/* Readers of captures. Only what was captured is restored; anything else is a bug of ours or a damaged snapshot. */

export function recordOf(data: JsonData | undefined): { readonly [key: string]: JsonData } {
  assert(isDataRecord(data), 'a captured agent is a record')
  return data
}

export function numbersOf(data: JsonData | undefined): number[] {
  assert(Array.isArray(data), 'a captured list is a list')
  return data.map(numberOf)
}

export function numberOf(data: JsonData | undefined): number {
  assert(typeof data === 'number', 'a captured number is a number')
  return data
}

/** A random stream that continues from its captured state. */
export function streamOf(data: JsonData | undefined): RandomStream {
  const [s0 = 0, s1 = 0, s2 = 0, carry = 0] = numbersOf(data)
  return resumeStream([s0, s1, s2, carry])
}
