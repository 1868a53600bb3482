import { nearestWord } from '../api/nearest-word.ts'

/** The end of a message about an unknown word: the known one that was probably meant, if one is near. */
export function meant(word: string, known: Iterable<string>): string {
  const nearest = nearestWord(word, known)
  return nearest === null ? '' : `; did you mean "${nearest}"?`
}

/** The same; where none is near, all that are known. */
export function meantOrKnown(word: string, known: readonly string[], nouns: string): string {
  const hint = meant(word, known)
  return hint === '' ? `; the ${nouns} are ${known.join(', ')}` : hint
}
