import { correlationProblem } from '../../market/correlation.ts'
import type { CorrelationSpec } from '../../market/market-spec.ts'
import { stablecoins } from '../../market/usual-figures.ts'
import {
  complain,
  complainOfUnknownKeys,
  entriesOf,
  type Field,
  fieldOf,
  numberOf,
  requiredField,
} from '../read/fields.ts'
import { isWhole } from '../read/tree.ts'

/**
 * `correlation` over all assets of the market; undefined when there is none. Pairs that are not named have 0, and a
 * pair that is named both ways must have the same value twice.
 */
export function compileCorrelation(
  field: Field | null,
  symbols: readonly string[],
): CorrelationSpec | undefined {
  if (field === null) return undefined
  const matrixField = requiredField(field, 'matrix')
  const spec =
    matrixField.tree.kind === 'scalar'
      ? {
          symbols,
          matrix: symbols.map((left) =>
            symbols.map((right) => (left === right ? 1 : defaultCorrelation(left, right))),
          ),
        }
      : statedCorrelation(matrixField, symbols)
  const found = correlationProblem(spec)
  if (found === null) return spec
  if (!isWhole(matrixField.tree)) return undefined
  const place = fieldOf(fieldOf(matrixField, symbols[found.row] ?? ''), symbols[found.column] ?? '')
  complain(place ?? matrixField, `the correlation ${found.message}`)
  return undefined
}

function statedCorrelation(field: Field, symbols: readonly string[]): CorrelationSpec {
  const matrix: number[][] = symbols.map((left) => symbols.map((right) => (left === right ? 1 : 0)))
  const stated = new Set<string>()
  complainOfUnknownKeys(field, 'asset', symbols)
  for (const [left, row] of entriesOf(field)) {
    const rowPlace = symbols.indexOf(left)
    complainOfUnknownKeys(row, 'asset', symbols)
    for (const [right, value] of entriesOf(row)) {
      const columnPlace = symbols.indexOf(right)
      const [ofRow, ofColumn] = [matrix[rowPlace], matrix[columnPlace]]
      if (ofRow === undefined || ofColumn === undefined) continue
      if (stated.has(`${right} ${left}`) && ofRow[columnPlace] !== numberOf(value)) {
        complain(value, `${right} with ${left} has another correlation`)
      }
      stated.add(`${left} ${right}`)
      ofRow[columnPlace] = numberOf(value)
      ofColumn[rowPlace] = numberOf(value)
    }
  }
  return { symbols, matrix }
}

/** The correlation of two different assets (market.md 2d). */
function defaultCorrelation(left: string, right: string): number {
  if (stablecoins.includes(left) || stablecoins.includes(right)) return 0
  const pair = [left, right].sort().join(' ')
  return correlations.get(pair) ?? 0.62
}

const correlations: ReadonlyMap<string, number> = new Map([
  ['BTC ETH', 0.85],
  ['BTC SOL', 0.66],
  ['ETH SOL', 0.7],
])
