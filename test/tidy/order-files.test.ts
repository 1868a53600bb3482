import { expect, it } from 'vitest'
import { followOrder, mostOrderFiles, orderRemedy } from './follow-order.ts'

/* How many files of the sources one order passes, from the socket to its fill and its answer; see `order-files.ts`. */

it('an order passes few files', () => {
  const { files, trades } = followOrder()
  expect(trades).toBe(4)
  expect(files).toContain('src/engine/venue.ts')
  expect(files.length, `${orderRemedy}\n${files.join('\n')}`).toBeLessThanOrEqual(mostOrderFiles)
})
