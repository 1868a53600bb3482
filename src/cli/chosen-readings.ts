import { type Readings, resolveReadings } from '../api/readings/readings.ts'
import { CliFailure, exitCode } from './failure.ts'
import { pairsOf } from './option-parsers.ts'

/** The readings after what `--readings` changes of them. Ends the command for one that does not exist. */
export function chosenReadings(given: unknown, before?: Readings): Readings {
  const readings = resolveReadings(Object.fromEntries(pairsOf(given)), before)
  if (readings.ok) return readings.value
  const { field, reason, hint } = readings.flaw
  const meant = hint === undefined ? '' : ` (${hint})`
  throw new CliFailure(exitCode.usage, `--readings ${field}: ${reason}${meant}`)
}
