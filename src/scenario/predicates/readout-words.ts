import { problems } from '../../api/errors.ts'
import { orderStatusNames, quoteStatusNames, sideNames } from '../../engine/codes.ts'
import type { Names, Readout } from './readouts.ts'

/**
 * The words that a read-out of text can be; null where it can be any. A word that it never is would make `!=` and `never`
 * hold by a slip of the pen.
 */
export function wordsOf(readout: Readout, names: Names): readonly string[] | null {
  switch (readout.family) {
    case 'order':
      if (readout.field === 'status') return orderStatusNames
      if (readout.field === 'side') return sideNames
      return readout.field === 'refusal' ? refusals : null
    case 'quote':
      if (readout.field === 'status') return quoteStatusNames
      return readout.field === 'refusal' ? refusals : null
    case 'market':
      return readout.field === 'status' ? ['active', 'inactive'] : null
    case 'position':
      return readout.field === 'side' ? ['long', 'short', 'flat'] : null
    case 'fill':
      if (readout.field === 'side') return sideNames
      if (readout.field === 'asset') return [...names.assets.keys()]
      return readout.field === 'account' ? [...names.accounts.keys()] : null
    default:
      return null
  }
}

/** As `script-hand` names them: the interface's type or, where it has none, its reason. */
const refusals: readonly string[] = [
  ...new Set(Object.entries(problems).map(([code, { type }]) => type ?? code)),
]
