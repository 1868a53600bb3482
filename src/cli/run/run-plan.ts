import { CliFailure, exitCode } from '../failure.ts'
import type { Shard } from '../option-parsers.ts'
import type { MatrixFile } from '../scenario/scenario-files.ts'
import type { RunTask } from './run-one.ts'

export interface PlanOptions {
  /** Only runs whose file, name or variant contains this. */
  readonly only: string | null
  readonly shard: Shard | null
  readonly hasCharts: boolean
}

/** Every run of the files, in order; of a shard, every n-th one, so that a matrix spreads evenly. */
export function planRuns(files: readonly MatrixFile[], options: PlanOptions): readonly RunTask[] {
  const { only, shard, hasCharts } = options
  const all = files.flatMap((opened) =>
    opened.variants.map((variant): RunTask => ({ opened, variant, hasCharts })),
  )
  const chosen =
    only === null
      ? all
      : all.filter(({ opened, variant }) => `${opened.file} [${variant.name}]`.includes(only))
  if (only !== null && chosen.length === 0)
    throw new CliFailure(exitCode.usage, `no run's file or variant contains "${only}"`)
  return shard === null ? chosen : chosen.filter((_, place) => place % shard.of === shard.number - 1)
}
