import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { otcsim } from '../cli/harness.ts'
import { type Reply, useVenue } from '../server/venue-fixture.ts'
import { forgeJournal } from '../world/journals/recorded.ts'
import { expectGolden } from './golden-text.ts'
import { commands, type Step, steps, storyScenario } from './story.ts'

/*
 * One world to which everything happens: the shape of every admin answer, the events, the journal with every kind of line,
 * which comes out with the same digest when it is replayed, and a snapshot.
 */

const venue = useVenue()

it('is told by answers, events, a journal and a snapshot that stay the same', async () => {
  const made = await venue.admin('POST', '/worlds', { id: 'story', scenario: storyScenario })
  expect(made.text).toContain('"id":"story"')
  const answers: string[] = []
  const last: Last = { order: 0, quote: 0, snapshot: '' }
  const events: string[] = []
  let seen = 0
  let snapshot = ''
  for (const step of steps) {
    const [who, request] = step
    let reply = await carryOut(step, last)
    // The past is worked out a little with each request.
    while (Object(reply.body).isWhole === false) reply = await carryOut(step, last)
    remember(last, reply)
    venue.worlds.get('story')?.limiter.reset()
    const since = venue.worlds.get('story')?.eventsSince(seen) ?? []
    seen = since.at(-1)?.sequence ?? seen
    events.push(...since.map((event) => JSON.stringify(event)))
    if (request === 'GET /snapshots/SNAPSHOT') snapshot = reply.text
    answers.push(`${who} ${request} ${JSON.stringify(step[2]) ?? ''}`.trimEnd(), ...told(reply))
    // Whatever refuses the story's own steps says so in its shape; only our bugs answer like this.
    expect(reply.status, request).not.toBe(500)
  }
  const world = venue.worlds.get('story')
  for (const command of commands) {
    const outcome = world?.execute({ ...command, at: world.now })
    answers.push(`program ${JSON.stringify(command)}`, `  ${JSON.stringify(outcome)}`)
  }
  await expectGolden('story/answers.txt', answers.join('\n'))
  await expectGolden('story/events.txt', events.join('\n'))
  await expectGolden('story/snapshot.json', JSON.stringify(JSON.parse(snapshot), null, 1))
  const journal = await (await fetch(`${venue.server.adminUrl}/worlds/story/journal`)).text()
  await expectGolden('story/journal.jsonl', journal)
  const { code, out, err } = await replayed(journal)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain(world?.digest())
  await expectGolden('errors/journals.txt', (await damages(journal)).join('\n'))
  await expectGolden('errors/snapshots.txt', (await wrongSnapshots(snapshot)).join('\n'))
})

type Changes = (line: Record<string, unknown>, index: number) => void

/** Ways in which a journal can be damaged or forged, and what replaying it says. */
async function damages(journal: string): Promise<readonly string[]> {
  const lines = journal.split('\n').slice(0, -1)
  const change = (changes: Changes) => forgeJournal(lines, changes)
  const inLine =
    (place: number, more: object): Changes =>
    (line, index) => {
      if (index === place) Object.assign(line, more)
    }
  const command =
    (more: object): Changes =>
    (line, index) => {
      if (index === 1) line['command'] = { ...Object(line['command']), ...more }
    }
  const texts: Readonly<Record<string, string>> = {
    'a torn last line': journal.slice(0, -20),
    'a line taken out': lines.toSpliced(5, 1).join('\n'),
    'two lines exchanged': lines
      .with(4, lines[5] ?? '')
      .with(5, lines[4] ?? '')
      .join('\n'),
    'a changed digit': journal.replace('"quantitySteps":5000', '"quantitySteps":5001'),
    'a line that is not JSON': lines.with(3, '{"sequence":3,').join('\n'),
    'an empty line': lines.with(3, '').join('\n'),
    'no header': lines.slice(1).join('\n'),
    'only a header': `${lines[0]}\n`,
    'another format': change(inLine(0, { format: 'other' })),
    'a later version': change(inLine(0, { version: 99 })),
    'no seed': change(inLine(0, { seed: 7 })),
    'another seed': change(inLine(0, { seed: '8' })),
    'an unknown reading': change(inLine(0, { readings: { nonsense: 'x' } })),
    'a wrong clock': change(inLine(0, { clock: { mode: 'nonsense' } })),
    'no scenario': change(inLine(0, { scenario: null })),
    'a sequence that jumps': change(inLine(3, { sequence: 9 })),
    'an instant that is none': change(inLine(3, { at: 'noon' })),
    'an instant that goes back': change(inLine(40, { at: '2026-01-04T00:00:00.000Z' })),
    'neither command nor change': change(inLine(1, { command: undefined })),
    'an unknown command': change(command({ kind: 'nonsense' })),
    'a command without a field': change(command({ asset: undefined })),
    'a command with a wrong field': change(command({ quantitySteps: -1 })),
    'a command with a wrong side': change(command({ side: 2 })),
    'a command of nobody': change(command({ account: 99 })),
    'another outcome': change(inLine(1, { outcome: { ok: false } })),
    'other events': change(inLine(1, { events: '00000000' })),
    'an unknown change': change(inLine(2, { change: { kind: 'nonsense' } })),
    'a change with a wrong field': change(inLine(2, { change: { kind: 'key-given', account: 7 } })),
  }
  const told: string[] = []
  for (const [title, text] of Object.entries(texts)) {
    const { code, out, err } = await replayed(text, [])
    const said = `${out}${err}`
      .replace(/\(\d+ lines a second\)/, '(N lines a second)')
      .replace(/this is \d+\.\d+\.\d+/, 'this is VERSION')
    told.push(title, ...`${said}exit ${code}`.split('\n').map((line) => `  ${line}`))
  }
  return told
}

/** What the admin API says to documents that are no snapshots of this world. */
async function wrongSnapshots(snapshot: string): Promise<readonly string[]> {
  const sound: Record<string, unknown> = JSON.parse(snapshot)
  const places = Object.keys(sound).flatMap((key) => [
    [`without ${key}`, { ...sound, [key]: undefined }] as const,
    [`${key}: 7`, { ...sound, [key]: 7 }] as const,
    [`${key}: {}`, { ...sound, [key]: {} }] as const,
  ])
  const told: string[] = []
  for (const [title, document] of [['nothing', {}] as const, ['a list', []] as const, ...places]) {
    const { status, text } = await venue.admin('POST', '/worlds/story/snapshots/import', document)
    told.push(title, `  ${status < 300 ? status : `${status} ${text}`}`)
  }
  return told
}

interface Last {
  order: number
  quote: number
  snapshot: string
}

const carryOut = ([who, request, body]: Step, last: Last): Promise<Reply> => {
  const [method = '', path = ''] = request
    .replace('SNAPSHOT', last.snapshot)
    .replace(/orders\/LAST-(\d)/, (_, back: string) => `orders/ord_${last.order - Number(back)}`)
    .replace(/quotes\/LAST-(\d)/, (_, back: string) => `quotes/qt_${last.quote - Number(back)}`)
    .split(' ')
  const text = body === undefined ? '' : JSON.stringify(body).replace('SNAPSHOT', last.snapshot)
  if (who === 'server') return venue.admin(method, path, text === '' ? undefined : JSON.parse(text))
  if (who === 'admin') return venue.admin(method, `/worlds/story${path}`, body)
  return venue.send({
    method,
    target: `/api/sdk${path}`,
    body: text,
    apiKey: `key-${who}`,
    apiSecret: 'secret',
  })
}

function remember(last: Last, { body }: Reply): void {
  const { orderId, quoteId, id } = Object(body)
  if (typeof orderId === 'string') last.order = Math.max(last.order, Number(orderId.replace('ord_', '')))
  if (typeof quoteId === 'string') last.quote = Math.max(last.quote, Number(quoteId.replace('qt_', '')))
  if (typeof id === 'string' && id.startsWith('snap')) last.snapshot = id
}

/** Refusals whole; of successes, the type of each field by its path. */
function told({ status, text, body }: Reply): readonly string[] {
  if (status >= 300) return [`  ${status} ${text}`]
  const fields = [...new Set(typesIn(body, ''))].toSorted()
  return [`  ${status}`, ...fields.map((field) => `    ${field}`)]
}

function typesIn(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [`${path}[]: empty`] : value.flatMap((item) => typesIn(item, `${path}[]`))
  if (typeof value !== 'object' || value === null)
    return [`${path}: ${value === null ? 'null' : typeof value}`]
  const members = Object.entries(value)
  if (members.length === 0) return [`${path}: {}`]
  return members.flatMap(([key, member]) => typesIn(member, path === '' ? key : `${path}.${key}`))
}

async function replayed(journal: string, words: readonly string[] = ['--json']) {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-nets-'))
  try {
    writeFileSync(join(folder, 'story.jsonl'), journal)
    return await otcsim(['replay', 'story.jsonl', '--verify', ...words], { cwd: folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
