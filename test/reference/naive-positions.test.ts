import { expect, test } from 'vitest'
import type { NaivePosition } from './naive-positions.ts'
import { computeBasis, flat, movePosition } from './naive-positions.ts'

/* Average cost by hand: quantities in atoms, values in cash atoms. */

interface Row {
  readonly name: string
  readonly flows: readonly (readonly [atoms: bigint, value: bigint])[]
  readonly quantity: bigint
  readonly basis: bigint
  readonly realised: bigint
}

const rows: readonly Row[] = [
  {
    name: 'increases add up',
    flows: [
      [2n, 200n],
      [1n, 130n],
    ],
    quantity: 3n,
    basis: 330n,
    realised: 0n,
  },
  {
    name: 'a sale realises against the average',
    flows: [
      [3n, 330n],
      [-1n, 150n],
    ],
    quantity: 2n,
    basis: 220n,
    realised: 40n,
  },
  {
    name: 'the end of a position takes the rest of the basis',
    flows: [
      [3n, 100n],
      [-1n, 40n],
      [-2n, 60n],
    ],
    quantity: 0n,
    basis: 0n,
    realised: 0n,
  },
  {
    name: 'a basis that does not divide goes to the even atom',
    flows: [
      [2n, 5n],
      [-1n, 5n],
    ],
    quantity: 1n,
    basis: 2n,
    realised: 2n,
  },
  {
    name: 'a short gains when it is bought back for less',
    flows: [
      [-4n, 400n],
      [1n, 90n],
    ],
    quantity: -3n,
    basis: 300n,
    realised: 10n,
  },
  {
    name: 'a flip closes all and opens the rest at the fill',
    flows: [
      [2n, 200n],
      [-5n, 600n],
    ],
    quantity: -3n,
    basis: 360n,
    realised: 40n,
  },
  {
    name: 'realised profit survives a re-opening',
    flows: [
      [1n, 10n],
      [-1n, 15n],
      [1n, 20n],
    ],
    quantity: 1n,
    basis: 20n,
    realised: 5n,
  },
  {
    name: 'an increase after a sale folds what is left',
    flows: [
      [4n, 400n],
      [-2n, 300n],
      [2n, 260n],
    ],
    quantity: 4n,
    basis: 460n,
    realised: 100n,
  },
]

test.each(rows)('$name', ({ flows, quantity, basis, realised }) => {
  const position = flows.reduce(
    (before: NaivePosition, [atoms, value]) => movePosition(before, atoms, value),
    flat,
  )
  expect(position.quantity).toBe(quantity)
  expect(computeBasis(position, position.quantity)).toBe(basis)
  expect(position.realised).toBe(realised)
})
