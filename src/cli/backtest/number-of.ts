import { parseDecimal } from '../../numeric/decimal.ts'
import { CliFailure, exitCode } from '../failure.ts'

/** The number that a flag was given; undefined where it was not. Ends the command for anything else. */
export function numberOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  // JavaScript would accept '0x10', ' 1 ' and '' as numbers, too.
  if (parseDecimal(text) !== null) return Number(text)
  throw new CliFailure(exitCode.usage, `${flag}: expected a number, found "${text}"`)
}
