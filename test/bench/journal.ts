import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SyncPolicy } from '../../src/journal/journal-file.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { recoverJournal, startFileJournal } from '../../src/world/journals/file-journal.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import { readShipped } from '../../src/world/shipped/read-shipped.ts'
import { createWorld, type World } from '../../src/world/world.ts'

/*
 * `npm run bench journal`: what a journal costs per order in process, and how fast it is replayed. Only ratios within
 * one run mean anything; the figures are those of this machine.
 */

const orders = 20_000
const rounds = 5
const folder = mkdtempSync(join(tmpdir(), 'otcsim-bench-'))
const scenario = readShipped(process.argv[2] ?? 'scenarios', 'thin-book', {})
if (!scenario.ok) throw new Error('thin-book is shipped')

function world(): World {
  if (!scenario.ok) throw new Error('thin-book is shipped')
  return createWorld(scenario.value)
}

/** Microseconds per order that is placed far from the market, and cancelled. */
function trade(subject: World): number {
  const begin = performance.now()
  for (let order = 0; order < orders / 2; order += 1) {
    const { body } = subject.request('desk', 'POST', '/api/sdk/orders', {
      side: 'buy',
      asset: 'BTC',
      quantity: 0.01,
      price: 20_000,
    })
    const id = 'orderId' in body ? body.orderId : ''
    subject.request('desk', 'DELETE', `/api/sdk/orders/${id}`)
  }
  return ((performance.now() - begin) * 1000) / orders
}

interface Kind {
  readonly name: string
  readonly start: (subject: World, round: number) => () => void
}

const inFile = (policy: SyncPolicy): Kind => ({
  name: `a file, ${policy}`,
  start: (subject, round) => {
    const opened = recoverJournal(join(folder, `${policy}-${round}.journal`), policy)
    if (opened.kind !== 'fresh') throw new Error(opened.kind)
    const journal = startFileJournal(subject, opened.file, { otcsim: 'bench', start: null })
    return () => journal.close()
  },
})

const kinds: readonly Kind[] = [
  { name: 'none', start: () => () => undefined },
  {
    name: 'memory',
    start: (subject) => {
      const journal = startMemoryJournal(subject, { otcsim: 'bench', start: null })
      return () => journal.close()
    },
  },
  inFile('os'),
  inFile('group'),
  inFile('always'),
]

const spent = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
for (let round = 0; round < rounds; round += 1) {
  for (const { name, start } of kinds) {
    const subject = world()
    const stop = start(subject, round)
    spent.get(name)?.push(trade(subject))
    stop()
  }
}
const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
const bare = median(spent.get('none') ?? [])
console.log(`an order or a cancellation in process, microseconds, median of ${rounds} rounds of ${orders}`)
for (const { name } of kinds) {
  const each = median(spent.get(name) ?? [])
  console.log(`  ${name.padEnd(14)} ${each.toFixed(1).padStart(7)}   ${(each / bare).toFixed(2)} x`)
}

const subject = world()
const journal = startMemoryJournal(subject, { otcsim: 'bench', start: null })
trade(subject)
const text = Buffer.from([...journal.text()].join(''))
const begin = performance.now()
const replay = replayJournal(linesOfBytes(text))
const seconds = (performance.now() - begin) / 1000
if (replay.kind !== 'done' || replay.world.digest() !== subject.digest()) throw new Error('the replay parted')
console.log(
  `replay, held to every line: ${Math.round(replay.lines / seconds)} lines a second, ${Math.round(text.length / replay.lines)} bytes a line`,
)
rmSync(folder, { recursive: true })
