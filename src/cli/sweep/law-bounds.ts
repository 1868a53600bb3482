import { formatCell } from '../../backtest/sweep/plan.ts'
import { type CellSummary, computeMedian, findBestCell, listValues } from '../../backtest/sweep/summary.ts'

const lawName = 'queueLaw'

/** Returns whether the cells of a sweep differ by the law of the queue alone: such a sweep chooses nothing. */
export function isOfLawsAlone(cells: readonly CellSummary[]): boolean {
  return cells.length > 0 && cells.every(({ parameters }) => Object.keys(parameters).join() === lawName)
}

/**
 * Formats between which bounds a figure's median lies for the laws of the queue that were swept, all else being that of
 * the best cell. Nobody can know which law is right, so none of them is a choice. Empty where there are not two laws
 * with a figure.
 */
export function formatLawBounds(
  cells: readonly CellSummary[],
  objective: string,
  format: (value: number) => string,
): readonly string[] {
  const best = findBestCell(cells, objective)
  if (best === null) return []
  const others = nameOthers(best)
  const laws = cells.flatMap((cell) => {
    const { [lawName]: law } = cell.parameters
    const median = computeMedian(listValues(cell.rows, objective))
    return law === undefined || median === null || nameOthers(cell) !== others ? [] : [{ law, median }]
  })
  const [low, ...higher] = laws.sort((left, right) => left.median - right.median)
  const high = higher.at(-1)
  if (low === undefined || high === undefined) return []
  const where = others === '' ? '' : ` with ${others}`
  const [from, to] = [low, high].map(({ law, median }) => `${format(median)} (${law})`)
  return [
    `by the law of the queue alone, the median${where} is from ${from} to ${to}: no record tells which law is right`,
  ]
}

function nameOthers({ parameters }: CellSummary): string {
  const { [lawName]: _, ...others } = parameters
  return formatCell(others)
}
