import { expect, test } from 'vitest'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { CheckedRun } from './checked-run.ts'
import { watchedEngine } from './watched.ts'

/* Every invariant of one step, after every command. The twin is only used to resolve the rows that a plan means. */

const choices = sampledChoices(23, 12)

const edges = new Map<string, number>()

test.each(choices)('the engine keeps every invariant, world $index', ({ index, ...choice }) => {
  const config = crowdedConfig(choice)
  const engine = new EngineSubject(config)
  const twin = new NaiveVenue(config)
  const run = new CheckedRun(watchedEngine(engine), config)
  for (const plan of plansOf(23_000 + index, 250)) {
    const command = commandOf(plan, twin.world)
    twin.execute(command)
    const { broken } = run.execute(command)
    if (broken.length > 0) expect.fail(`world ${index}, ${JSON.stringify(command)}\n${broken.join('\n')}`)
  }
  for (const [edge, count] of run.history.edges) edges.set(edge, (edges.get(edge) ?? 0) + count)
})

test('I21 every edge of the status graph occurs', () => {
  const unseen = walked.filter((edge) => !edges.has(edge))
  expect(unseen).toEqual([])
})

const orderEnds = [
  'order-partially-filled',
  'order-filled',
  'order-cancelled',
  'order-expired',
  'order-rejected',
]
const quoteEnds = ['quote-partially-filled', 'quote-filled', 'quote-cancelled', 'quote-expired']
const walked = [
  'nothing > order-accepted',
  'nothing > order-rejected',
  'nothing > quote-accepted',
  ...[...orderEnds, 'order-amended'].map((end) => `order-accepted > ${end}`),
  ...['order-partially-filled', 'order-filled', 'order-cancelled', 'order-expired', 'order-amended'].map(
    (end) => `order-partially-filled > ${end}`,
  ),
  ...[...quoteEnds, 'quote-updated'].map((end) => `quote-accepted > ${end}`),
  ...[...quoteEnds, 'quote-updated'].map((end) => `quote-partially-filled > ${end}`),
]
