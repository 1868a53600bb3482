import { orderStatusNames, quoteStatusNames, sideNames } from '../../engine/codes.ts'
import type { Names, Readout } from './readouts.ts'

const pairStatusNames = ['active', 'inactive'] as const
const directions = ['long', 'short', 'flat'] as const

/**
 * The words that a read-out of text can be; null where it can be any. Without this check a misspelt word would make
 * `!=` and `never` hold.
 */
export function wordsOf(readout: Readout, names: Names): readonly string[] | null {
  switch (readout.family) {
    case 'order':
      if (readout.field === 'status') return orderStatusNames
      if (readout.field === 'side') return sideNames
      return readout.field === 'refusal' ? orderRefusals : null
    case 'quote':
      if (readout.field === 'status') return quoteStatusNames
      return readout.field === 'refusal' ? quoteRefusals : null
    case 'market':
      return readout.field === 'status' ? pairStatusNames : null
    case 'position':
      return readout.field === 'side' ? directions : null
    case 'fill':
      if (readout.field === 'side') return sideNames
      if (readout.field === 'asset') return [...names.assets.keys()]
      return readout.field === 'account' ? [...names.accounts.keys()] : null
    default:
      return null
  }
}

/** As `script-hand` names them: the interface's type or, where it has none, its reason. */
const refusals = [
  'RISK_LIMIT_EXCEEDED',
  'INSUFFICIENT_BALANCE',
  'pair-inactive',
  'pair-violation',
  'invalid-parameter',
  'duplicate-client-id',
] as const
export const orderRefusals: readonly string[] = [...refusals, 'order-terminal']
const quoteRefusals: readonly string[] = [...refusals, 'quote-terminal']

/** Whether some read-out of text is this word, whatever the file's names are. */
export function isTextWord(word: string): boolean {
  return textWords.has(word)
}

const textWords: ReadonlySet<string> = new Set([
  ...[...orderStatusNames, ...quoteStatusNames, ...sideNames, ...pairStatusNames, ...directions],
  ...[...orderRefusals, ...quoteRefusals],
])
