import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import { atoms, millis } from '../../src/numeric/units.ts'
import { sampledChoices, startMillis } from '../arbitraries/configs.ts'
import { wideLimits } from '../arbitraries/limits.ts'
import type { EngineSubject } from '../model/engine-subject.ts'
import { lineOf } from '../model/recorded-event.ts'
import { caseBudget } from '../support/full-run.ts'
import { engineView } from './engine-view.ts'
import { copyOf, digestsOf, opened, recordedCommands } from './whole-run.ts'

/* I50 to I53: the same commands give the same bytes, however a run is split, copied or read. */

const choices = sampledChoices(31, 4)
const longest = caseBudget(250)
const lines = (subject: EngineSubject) => subject.events.map((event) => `${event.at} ${lineOf(event)}`)

test.each(choices)('a run replays to the same events and digests, world $index', ({ index, ...choice }) => {
  const { config, commands } = recordedCommands(choice, 31_000 + index, caseBudget(160))
  const first = opened(config)
  const second = opened(config)
  expect(digestsOf(first, commands)).toEqual(digestsOf(second, commands))
  expect(lines(first)).toEqual(lines(second))
})

test.each(choices)(
  'a run continued from a snapshot equals the run that never stopped, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 32_000 + index, longest)
    const whole = opened(config)
    const digests = digestsOf(whole, commands)
    const cuts = [0, 1, ...fc.sample(fc.nat(longest - 1), { seed: 320 + index, numRuns: 3 })]
    for (const cut of cuts) {
      const before = opened(config)
      for (const command of commands.slice(0, cut)) before.execute(command)
      expect(before.venue.digest()).toBe(digests[cut - 1] ?? opened(config).venue.digest())
      const restored = copyOf(config, before)
      expect(restored.venue.digest()).toBe(before.venue.digest())
      expect(restored.venue.snapshot()).toEqual(before.venue.snapshot())
      for (const command of commands.slice(cut)) restored.execute(command)
      expect(restored.venue.digest()).toBe(whole.venue.digest())
      expect(lines(restored)).toEqual(lines(whole).slice(before.events.length))
    }
  },
)

test.each(choices)(
  'an advance in parts equals the same advance in one step, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 33_000 + index, caseBudget(160))
    const whole = opened(config)
    const parted = opened(config)
    const shares = fc.sample(fc.nat(100), { seed: 330 + index, numRuns: commands.length })
    commands.forEach((command, position) => {
      for (const part of partsOf(parted.venue.now, command.at, shares[position] ?? 0)) {
        parted.execute({ kind: 'advance', at: millis(part) })
      }
      expect(parted.execute(command)).toEqual(whole.execute(command))
      expect(parted.venue.digest()).toBe(whole.venue.digest())
    })
    expect(lines(parted)).toEqual(lines(whole))
  },
)

test.each(choices)('reads between the commands change nothing, world $index', ({ index, ...choice }) => {
  const { config, commands } = recordedCommands(choice, 34_000 + index, caseBudget(120))
  const quiet = opened(config)
  const read = opened(config)
  const digests = digestsOf(quiet, commands)
  commands.forEach((command, position) => {
    read.execute(command)
    readEverything(read)
    expect(read.venue.digest()).toBe(digests[position])
  })
})

test.each(choices)(
  'a refused command changes the digest only as an advance to its time does, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 35_000 + index, caseBudget(160))
    const venue = opened(config)
    for (const command of commands) {
      // A refused order that is to be stored changes the venue: there is one more order.
      if ('keepsRefused' in command && command.keepsRefused) continue
      const fork = copyOf(config, venue)
      if (venue.execute(command).ok) continue
      fork.execute({ kind: 'advance', at: command.at })
      expect(venue.venue.digest()).toBe(fork.venue.digest())
    }
  },
)

test.each(choices)(
  'an additional account changes nothing for the others, world $index',
  ({ index, ...choice }) => {
    const { config, commands } = recordedCommands(choice, 36_000 + index, longest)
    const alone = opened(config)
    const together = opened({ ...config, accounts: [...config.accounts, newcomer] })
    // The generator also names the row after the last account: unknown in one world, the newcomer in the other.
    const own = commands.filter(
      (command) =>
        command.kind !== 'settle-transfer' && command.kind !== 'create-account' && !mentions(command, 7),
    )
    for (const command of own)
      expect(shifted(together.execute(command))).toEqual(shifted(alone.execute(command)))
    expect(lines(together).filter((line) => !isTransfer(line))).toEqual(
      lines(alone).filter((line) => !isTransfer(line)),
    )
  },
)

test('time never goes back, and a command from the past is refused', () => {
  const { config } = recordedCommands({}, 1, 0)
  const venue = opened(config)
  venue.execute({ kind: 'advance', at: millis(startMillis + 10) })
  const digest = venue.venue.digest()
  const late = venue.execute({ kind: 'advance', at: millis(startMillis + 9) })
  expect(late).toEqual({ ok: false, rejection: { code: 'backward-time' } })
  expect(venue.venue.digest()).toBe(digest)
})

function readEverything({ venue }: EngineSubject): void {
  venue.digest()
  venue.snapshot()
  const view = engineView(venue.state)
  for (let account = 0; account < view.accountCount; account += 1) {
    for (let asset = 1; asset < venue.state.assets.count; asset += 1) {
      view.available(account, asset)
      view.levels(asset, 0)
      view.levels(asset, 1)
    }
  }
}

/** One or two stops on the way, the last of which may be the end itself. */
function partsOf(from: number, to: number, share: number): readonly number[] {
  if (to <= from) return []
  const first = from + Math.floor(((to - from) * share) / 100)
  return [first, first + Math.floor((to - first) / 2)]
}

const newcomer = {
  id: 'newcomer',
  type: 'cash' as const,
  balances: new Map([['USD', atoms(1_000_000)]]),
  averageEntryPrices: new Map<string, number>(),
  limits: wideLimits,
  fees: null,
}

function mentions(command: Command, account: number): boolean {
  if (command.kind === 'place-orders')
    return command.placements.some((placement) => placement.account === account)
  return 'account' in command && command.account === account
}

/** Transfers are numbered across accounts, so the newcomer's opening deposit moves those numbers by one. */
function isTransfer(line: string): boolean {
  return line.includes('deposit-') || line.includes('withdrawal-')
}

function shifted(outcome: ReturnType<EngineSubject['execute']>): unknown {
  return outcome.ok ? { ok: true, items: outcome.items } : outcome
}
