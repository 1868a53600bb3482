import { resolve } from 'node:path'
import { parseJson } from '../../api/json.ts'
import type { SeedDistribution } from '../../backtest/report/report-context.ts'
import type { ParameterValues } from '../../backtest/result.ts'
import { asRow } from '../../backtest/sweep/case-row.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readFile } from '../read-file.ts'

const maximumBytes = 1_000_000_000

/**
 * The profits of a sweep's cases that have a run's parameters, as `sweep --ndjson` wrote them. `texts` are the
 * parameters as given. Errors: the file cannot be read, or has no such case.
 */
export function amongSeeds(
  file: string,
  cwd: string,
  parameters: ParameterValues,
  texts: ReadonlyMap<string, string>,
): SeedDistribution {
  const path = resolve(cwd, file)
  const bytes = readFile(cwd, path, maximumBytes, exitCode.unusableData)
  const profits: number[] = []
  for (const line of bytes.toString('utf8').split('\n')) {
    const row = line === '' ? null : asRow(parseJson(line))
    const isLike = Object.entries(row?.parameters ?? {}).every(
      ([name, text]) => String(parameters[name]) === text || texts.get(name) === text,
    )
    const profit = row?.metrics['returns.profit']
    if (isLike && typeof profit === 'number') profits.push(profit)
  }
  if (profits.length > 0) return { seeds: profits.length, profits }
  throw new CliFailure(
    exitCode.unusableData,
    `${path} has no case of a sweep with the parameters of this run`,
  )
}
