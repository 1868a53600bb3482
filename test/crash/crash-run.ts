import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { orderStatusNames } from '../../src/engine/codes.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { createStream } from '../../src/numeric/random.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import type { World } from '../../src/world/world.ts'
import { adminRequest } from '../support/admin-request.ts'
import { type Command, type Served, serveApart } from './served.ts'
import { emptyHistory, type History, writeUntilGone } from './writers.ts'

export interface CrashOptions {
  readonly kills: number
  readonly seed: string
  /** The command that starts `otcsim`, without arguments. */
  readonly otcsim: readonly string[]
  readonly folder: string
  readonly sync: 'os' | 'group' | 'always'
  readonly tell: (text: string) => void
}

export interface CrashReport {
  readonly kills: number
  readonly accepted: number
  /** Commands in the journal whose answers were never received. */
  readonly unanswered: number
  readonly lines: number
  readonly tornTails: number
}

/** Restarts on one journal before the next one begins. */
const livesPerJournal = 20

/**
 * Kills a venue at random moments while four writers send, and restarts it. Every answered command must be there, and no
 * command that was not sent, in the order of each writer, and the state must equal that of a replay. Throws otherwise.
 */
export async function crashRun(options: CrashOptions): Promise<CrashReport> {
  const stream = createStream(options.seed, 'crash', '', 0)
  let history = emptyHistory()
  let [accepted, unanswered, lines] = [0, 0, 0]
  for (let life = 0; life < options.kills; life += 1) {
    const journal = join(options.folder, `j${Math.floor(life / livesPerJournal)}.journal`)
    if (life % livesPerJournal === 0) history = emptyHistory()
    const served = await start(options, journal)
    if (life % livesPerJournal === 0)
      await admin(served, 'PUT', '/worlds/default/rate-limits', { enabled: false })
    else await check(served, journal, history)
    const writing = writeUntilGone(served.url, `${options.seed}-${life}`, history)
    const ticking = tickUntilGone(served)
    await untilSent(history, stream.integer(80))
    await setTimeout(stream.integer(8))
    served.child.kill('SIGKILL')
    await Promise.all([writing, ticking, served.ended])
    if (life % livesPerJournal === livesPerJournal - 1 || life === options.kills - 1) {
      const last = await start(options, journal)
      const found = await check(last, journal, history)
      last.child.kill('SIGKILL')
      await last.ended
      accepted += history.accepted.size
      unanswered += found.unanswered
      lines += found.lines
      options.tell(
        `${life + 1} kills, ${accepted} orders answered, ${unanswered} only written, ${lines} lines`,
      )
    }
  }
  const tornTails = readdirSync(options.folder).filter((name) => name.includes('.torn-')).length
  return { kills: options.kills, accepted, unanswered, lines, tornTails }
}

/** Waits until this many more were sent, for a limited time. */
async function untilSent({ sent }: History, more: number): Promise<void> {
  const enough = sent.size + more
  for (let waited = 0; sent.size < enough && waited < 20_000; waited += 1) await setTimeout(1)
}

function start({ otcsim, sync }: CrashOptions, journal: string): Promise<Served> {
  const [program = '', ...words] = otcsim
  const command: Command = {
    program,
    words: [
      ...words,
      'serve',
      '--port',
      '0',
      '--json',
      '--clock',
      'manual',
      '--journal',
      journal,
      '--journal-sync',
      sync,
    ],
  }
  return serveApart(command)
}

async function admin(
  served: Served,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly digest?: string }> {
  const { status, text } = await adminRequest(served, method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  const answered: { readonly digest?: string } = JSON.parse(text)
  return answered
}

/** Advances manually, so that the state can be compared with a replay. */
async function tickUntilGone(served: Served): Promise<void> {
  for (;;) {
    try {
      await admin(served, 'POST', '/worlds/default/clock/advance', { byMs: 700 })
      await setTimeout(10)
    } catch {
      return
    }
  }
}

async function check(
  served: Served,
  journal: string,
  history: History,
): Promise<{ readonly unanswered: number; readonly lines: number }> {
  const copy = `${journal}.copy`
  copyFileSync(journal, copy)
  const replay = replayJournal(linesOfBytes(readFileSync(copy)))
  if (replay.kind !== 'done') throw new Error(`the journal does not replay: ${JSON.stringify(replay)}`)
  if (replay.end.torn !== null) throw new Error('recovery left a torn tail')
  const { digest } = await admin(served, 'GET', '/worlds/default/digest')
  if (digest !== replay.world.digest())
    throw new Error(`recovered ${digest}, replayed ${replay.world.digest()}`)
  const unanswered = checkHistory(replay.world, history)
  return { unanswered, lines: replay.lines }
}

function checkHistory(world: World, history: History): number {
  const { orders } = world.venue.state
  const rows = new Map([...orders.clientIds].map(([row, id]) => [id, row]))
  const lost = [...history.accepted].find((id) => !rows.has(id))
  if (lost !== undefined) throw new Error(`order ${lost} was answered and is lost`)
  const invented = [...rows.keys()].find((id) => !history.sent.has(id))
  if (invented !== undefined) throw new Error(`order ${invented} was never sent`)
  for (const id of history.cancelled) {
    const status = orderStatusNames[orders.status.get(rows.get(id) ?? -1)]
    if (status !== 'cancelled') throw new Error(`order ${id} was answered as cancelled and is ${status}`)
  }
  for (const [id, quantity] of history.amended) {
    const steps = orders.quantitySteps.get(rows.get(id) ?? -1)
    if (steps !== Math.round(quantity * 10_000))
      throw new Error(`order ${id} was amended to ${quantity}, and has ${steps} steps`)
  }
  checkOrder(rows)
  return [...rows.keys()].filter((id) => !history.accepted.has(id)).length
}

/** Each writer's orders are in the order in which it sent them. */
function checkOrder(rows: ReadonlyMap<string, number>): void {
  const last = new Map<string, readonly [count: number, row: number]>()
  for (const [id, row] of rows) {
    const [, writer = '', count = ''] = /^(.*)-(\d+)$/.exec(id) ?? []
    const before = last.get(writer)
    if (before !== undefined && (Number(count) <= before[0] || row <= before[1]))
      throw new Error(`order ${id} is not where it was sent`)
    last.set(writer, [Number(count), row])
  }
}
