import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Venue } from '../../src/engine/venue.ts'
import { sampledChoices } from '../arbitraries/configs.ts'
import { naiveDigest } from '../reference/naive-digest.ts'
import { caseBudget } from '../support/full-run.ts'
import { opened, recordedCommands } from './whole-run.ts'

/* The engine's incremental digest against the one that hashes everything anew. */

const choices = sampledChoices(41, 4)

test.each(choices)(
  'the digest equals that of the snapshot, however often it is computed, world $index',
  (choice) => {
    const { index, ...world } = choice
    const { config, commands } = recordedCommands(world, 41_000 + index, caseBudget(250))
    const often = opened(config)
    const seldom = opened(config)
    const prepared = opened(config)
    const gaps = fc.sample(fc.constantFrom(1, 2, 3, 40), { seed: 410 + index, numRuns: commands.length })
    let next = 0
    const digests = new Set<string>()
    commands.forEach((command, position) => {
      often.execute(command)
      seldom.execute(command)
      prepared.execute(command)
      prepared.venue.prepareDigest()
      const expected = naiveDigest(often.venue.snapshot())
      expect(often.venue.digest()).toBe(expected)
      digests.add(expected)
      if (position < next) return
      next = position + (gaps[position] ?? 1)
      expect(seldom.venue.digest()).toBe(expected)
      expect(prepared.venue.digest()).toBe(expected)
      const restored = Venue.restore(config, seldom.venue.snapshot(), { emit: () => undefined })
      expect(restored.digest()).toBe(expected)
    })
    expect(digests.size).toBeGreaterThan(commands.length / 2)
  },
)
