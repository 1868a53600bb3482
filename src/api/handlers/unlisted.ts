import { refuse } from '../context.ts'
import type { Problem } from '../errors.ts'
import type { Readings } from '../readings/readings.ts'

export type Words =
  | { readonly ok: true; readonly words: readonly string[] | null }
  | { readonly ok: false; readonly problem: Problem }

/**
 * A filter by words, some of which are not in the documented list: reading `filters.unlisted`. Null means no filter,
 * also when every word of it is to be ignored.
 */
export function listedWords(
  words: readonly string[] | undefined,
  listed: readonly string[],
  field: string,
  readings: Readings,
): Words {
  if (words === undefined) return { ok: true, words: null }
  const known = words.filter((word) => listed.includes(word))
  if (known.length === words.length || readings['filters.unlisted'] === 'accept') return { ok: true, words }
  if (readings['filters.unlisted'] === 'ignore') return { ok: true, words: known.length === 0 ? null : known }
  return refuse({ code: 'invalid-parameter', field, reason: `must be one of ${listed.join(', ')}` })
}
