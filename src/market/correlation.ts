import { assert } from '../numeric/assert.ts'
import type { CorrelationSpec } from './market-spec.ts'

/**
 * Describes what is wrong with a correlation matrix; `row` and `column` are -1 where the problem has no single
 * place.
 */
export interface CorrelationProblem {
  readonly row: number
  readonly column: number
  readonly message: string
}

/** Choice: the largest absolute correlation of two assets. Above it the Cholesky factor loses its digits. */
const maximumCorrelation = 0.999

/**
 * Returns the first problem of a correlation, or null when it is sound. Checks in order: the symbols, the shape
 * of the matrix, then row by row the diagonal, the size and the symmetry of each value, and last whether the
 * matrix is positive definite.
 *
 * Choice: a matrix that is not positive definite is refused. Clipping its eigenvalues instead would silently
 * give the assets other correlations than those written.
 */
export function checkCorrelation({ symbols, matrix }: CorrelationSpec): CorrelationProblem | null {
  const problem = (message: string): CorrelationProblem => ({ row: -1, column: -1, message })
  if (new Set(symbols).size < symbols.length) return problem('names an asset twice')
  if (matrix.length !== symbols.length)
    return problem(`has ${matrix.length} rows for ${symbols.length} assets`)
  for (const [row, values] of matrix.entries()) {
    if (values.length !== symbols.length) {
      return { row, column: -1, message: `has ${values.length} values for ${symbols.length} assets` }
    }
    for (const [column, value] of values.entries()) {
      const message = checkValue(row, column, value, matrix)
      if (message !== null) return { row, column, message }
    }
  }
  const failing = findIndefiniteRow(matrix)
  if (failing < 0) return null
  const message = `is not positive definite: no assets can move so together; ${symbols[failing]} is the first that cannot`
  return { row: failing, column: -1, message }
}

function checkValue(
  row: number,
  column: number,
  value: number,
  matrix: CorrelationSpec['matrix'],
): string | null {
  if (row === column) return value === 1 ? null : 'is not 1, as each asset with itself is'
  if (!(value >= -maximumCorrelation && value <= maximumCorrelation)) {
    return `${value} is not from -${maximumCorrelation} to ${maximumCorrelation}`
  }
  return value === matrix[column]?.[row]
    ? null
    : `${value} is not the ${matrix[column]?.[row]} of the other way round`
}

/**
 * Returns for each symbol the weights with which independent noises are summed into its own: the noise of its
 * own name, and those of the symbols before it in alphabetical order.
 */
export function computeNoiseWeights(spec: CorrelationSpec): ReadonlyMap<string, readonly NoiseWeight[]> {
  const order = [...spec.symbols.keys()].sort((left, right) =>
    (spec.symbols[left] ?? '') < (spec.symbols[right] ?? '') ? -1 : 1,
  )
  const sorted = order.map((row) => order.map((column) => spec.matrix[row]?.[column] ?? 0))
  const factor = computeCholeskyFactor(sorted)
  assert(factor !== null, 'a correlation has been checked to be positive definite')
  const symbols = order.map((row) => spec.symbols[row] ?? '')
  return new Map(
    factor.map((row, place) => [
      symbols[place] ?? '',
      row.flatMap((weight, column) => (weight === 0 ? [] : [{ symbol: symbols[column] ?? '', weight }])),
    ]),
  )
}

/**
 * Returns for each symbol the first by name of those that it is correlated with, directly or through others;
 * itself when that is nobody before it.
 */
export function findFirstCorrelated({ symbols, matrix }: CorrelationSpec): ReadonlyMap<string, string> {
  const firsts = new Map(symbols.map((symbol) => [symbol, symbol]))
  // Each pass takes every first one step further, so there are as many as a chain of assets is long.
  for (const _ of symbols) {
    for (const [row, symbol] of symbols.entries()) {
      for (const [column, other] of symbols.entries()) {
        const first = firsts.get(other) ?? other
        if (matrix[row]?.[column] !== 0 && first < (firsts.get(symbol) ?? symbol)) firsts.set(symbol, first)
      }
    }
  }
  return firsts
}

/** Says how much of the noise of one symbol goes into a sum of noises. */
export interface NoiseWeight {
  readonly symbol: string
  readonly weight: number
}

/**
 * Returns the first row at which the Cholesky factorization fails, or -1 when the matrix is positive definite.
 */
function findIndefiniteRow(matrix: CorrelationSpec['matrix']): number {
  for (let size = 1; size <= matrix.length; size += 1) {
    if (computeCholeskyFactor(matrix.slice(0, size).map((row) => row.slice(0, size))) === null)
      return size - 1
  }
  return -1
}

/**
 * Returns the lower triangle L for which L L' is the matrix, or null when the matrix is not positive definite.
 */
function computeCholeskyFactor(
  matrix: readonly (readonly number[])[],
): readonly (readonly number[])[] | null {
  const factor: number[][] = []
  for (const [row, values] of matrix.entries()) {
    const line: number[] = []
    for (let column = 0; column <= row; column += 1) {
      const other = column === row ? line : (factor[column] ?? [])
      let sum = values[column] ?? 0
      for (let k = 0; k < column; k += 1) sum -= (line[k] ?? 0) * (other[k] ?? 0)
      if (column < row) line.push(sum / (factor[column]?.[column] ?? 1))
      else if (sum > 1e-9) line.push(Math.sqrt(sum))
      else return null
    }
    factor.push(line)
  }
  return factor
}
