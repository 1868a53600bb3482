import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCommand, type Command } from '../../src/engine/command.ts'
import { codecFor, Undecodable } from '../../src/journal/codec.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld } from '../../src/world/world.ts'
import { runBusily } from '../world/journals/busy.ts'
import { recordRun, replayText, scenarioOf } from '../world/journals/recorded.ts'

const commandCodec = codecFor<Command>(anyCommand)

const lines = ['1', '2', '3'].flatMap((seed) =>
  recordRun(seed, 500)
    .lines.slice(1)
    .map((line) => JSON.parse(line)),
)
const commands = lines.flatMap(({ command }) => (command === undefined ? [] : [{ at: 5, ...command }]))

it('reads back what it has written, byte for byte, for every kind of command of a busy world', () => {
  expect(new Set(commands.map(({ kind }) => kind)).size).toBeGreaterThan(18)
  for (const json of commands) {
    const again = commandCodec.encode(commandCodec.decode(json, 'command'))
    expect(JSON.stringify(again)).toBe(
      JSON.stringify(commandCodec.encode(commandCodec.decode(again, 'command'))),
    )
    expect(again).toEqual(json)
  }
})

it('accepts what it can write, and refuses anything else with the name of the field', () => {
  const sample = fc.constantFrom(...commands)
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, -1, 1.5, 1e300, '', 'x', true, [], {}, [
      ['a', 1],
      ['a', 2],
    ]),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(sample, fc.nat(), odd, (command, at, value) => {
      const keys = Object.keys(command)
      const changed = { ...command, [keys[at % keys.length] ?? '']: value }
      try {
        expect(commandCodec.encode(commandCodec.decode(changed, 'command'))).toEqual(changed)
      } catch (failure) {
        expect(failure).toBeInstanceOf(Undecodable)
        expect(String(failure)).toMatch(/^Undecodable: command.* must be /s)
      }
    }),
    { seed: 7, numRuns: 500 },
  )
})

it('drops the oldest lines when there are too many, and begins with a snapshot instead', () => {
  const world = createWorld(scenarioOf())
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null }, 100)
  runBusily(world, 'many', 700)
  const kept = [...journal.text()]
  expect(world.sequence).toBeGreaterThan(400)
  expect(kept.length).toBeLessThan(0.75 * world.sequence)
  const header = JSON.parse(kept[0] ?? '')
  const replay = replayText(kept.join(''))
  if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
  expect(replay.world.digest()).toBe(world.digest())
  expect(header.start.snapshot.sequence).toBe(JSON.parse(kept[1] ?? '').sequence - 1)
})
