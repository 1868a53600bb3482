import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeCheckpoint } from '../../../src/journal/checkpoints.ts'
import { readLastLine } from '../../../src/journal/last-line.ts'
import { formatMissingLines } from '../../../src/journal/missing-lines.ts'
import { createStream, type RandomStream } from '../../../src/numeric/random.ts'
import { recoverJournal, startFileJournal } from '../../../src/world/journals/file-journal.ts'
import { runToEnd } from '../../../src/world/work-queue.ts'
import { createWorld } from '../../../src/world/world.ts'
import { caseBudget } from '../../support/full-run.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { runBusily } from './busy.ts'
import { scenarioOf } from './recorded.ts'

/*
 * A journal file that is shorter than it was, in every way that a file can be: each start either has all lines that were
 * acknowledged, or is refused with the reason, and changes nothing on the disk.
 */

const name = 'a.journal'

/** Copies of a journal with the files beside it, each taken after some more lines; the last one is whole. */
const copies = await recordCopies()
const whole = copies.at(-1) ?? fail('there are copies')
const bytes = whole.files.get(name) ?? fail('there is a journal')
/** The offset behind each line. */
const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1)

interface Copy {
  readonly files: ReadonlyMap<string, Buffer>
  readonly digest: string
  readonly sequence: number
}

function fail(why: string): never {
  throw new Error(why)
}

async function recordCopies(): Promise<Copy[]> {
  const folder = mkdtempSync(join(tmpdir(), 'otcsim-test-'))
  const path = join(folder, name)
  const world = createWorld(scenarioOf())
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') return fail(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  const made: Copy[] = []
  for (let part = 0; part < 12; part += 1) {
    runBusily(world, `part ${part}`, 20)
    if (part % 4 === 2) {
      const check = world.events.check.value
      runToEnd(writeCheckpoint(path, { ...opened.file.end, check, snapshot: world.snapshot() }))
    }
    await until('the last line is named', () => readLastLine(path)?.sequence === world.sequence)
    const files = new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]))
    made.push({ files, digest: world.digest(), sequence: world.sequence })
  }
  journal.close()
  rmSync(folder, { recursive: true })
  return made
}

/** Lists the files of a folder with their bytes. */
const listFiles = (folder: string) =>
  readdirSync(folder)
    .toSorted()
    .map((file) => [file, readFileSync(join(folder, file)).toString('latin1')])

/** Which of the files beside the journal are there. */
const besides = ['both', 'last', 'snapshots'] as const
type Beside = (typeof besides)[number]

const isSnapshot = (file: string): boolean => file.includes('.snapshot-')

/** Makes a folder with a copy, with only some of the files beside the journal. */
function putBack(copy: Copy, beside: Beside): string {
  const folder = temporaryFolder()
  for (const [file, content] of copy.files) {
    const isLeftOut = beside === 'last' ? isSnapshot(file) : beside === 'snapshots' && file.endsWith('.last')
    if (!isLeftOut) writeFileSync(join(folder, file), content)
  }
  return folder
}

const newestSnapshot = (folder: string): number =>
  Math.max(...readdirSync(folder).map((file) => Number(/\.snapshot-(\d+)$/.exec(file)?.[1] ?? 0)))

/** Puts one file of a copy into a folder. */
const putFile = (copy: Copy | undefined, file: string, folder: string): void =>
  writeFileSync(join(folder, file), copy?.files.get(file) ?? fail(`there is no ${file}`))

/** Recovers the journal of a folder. Refusals must leave everything as it is; returns what was recovered, or the refusal. */
function recoverIn(folder: string) {
  const before = listFiles(folder)
  const recovery = recoverJournal(join(folder, name), 'os')
  if (recovery.kind === 'missing') expect(listFiles(folder)).toEqual(before)
  if ('file' in recovery) recovery.file.close()
  return recovery
}

/** Expects that all lines of the whole journal are there, or that the start is refused with the number of those that are not. */
function expectWholeOrRefused(folder: string, kept: number): void {
  const recovery = recoverIn(folder)
  if (recovery.kind === 'recovered') {
    expect([recovery.replay.world.digest(), recovery.replay.world.sequence]).toEqual([
      whole.digest,
      whole.sequence,
    ])
    expect(kept).toBeGreaterThanOrEqual(bytes.length - 1)
    return
  }
  if (recovery.kind !== 'missing') fail(`${kept} bytes: ${recovery.kind}`)
  const { missing } = recovery
  const last = Math.max(0, ends.filter((end) => end - 1 <= kept).length - 1)
  expect({ kept, last: missing.last }).toEqual({ kept, last })
  expect(missing.proven).toBeGreaterThan(last)
  const text = formatMissingLines(name, missing)
  expect(text).toContain(`${missing.proven - last} acknowledged line`)
  for (const file of missing.files) {
    expect(text).toContain(basename(file))
    rmSync(file)
  }
  // Once what is named is moved aside, nothing else is in the way.
  expect(recoverIn(folder).kind).toBe(kept < (ends[0] ?? 0) - 1 ? 'fresh' : 'recovered')
}

/** Draws how many bytes are left: mostly to a line's end, else within the first line, or within any. */
function drawCut(stream: RandomStream, most: number): number {
  const [header = 0] = ends
  const lines = ends.filter((end) => end <= most)
  const kind = stream.integer(10)
  if (kind === 0) return 0
  if (kind <= 3) return stream.integer(header)
  return kind === 4 ? stream.integer(most) : (lines[stream.integer(lines.length)] ?? 0)
}

describe('a journal that was cut', () => {
  it.each(besides)('is whole or refused, with %s beside it', (beside) => {
    const stream = createStream('cuts', beside, '', 0)
    const cuts = caseBudget(120)
    // A snapshot alone proves the lines up to its own.
    const most = beside === 'snapshots' ? (ends[newestSnapshot(putBack(whole, 'both'))] ?? 0) : bytes.length
    for (let count = 0; count < cuts; count += 1) {
      const folder = putBack(whole, beside)
      const kept = drawCut(stream, most)
      if (kept === most) continue
      writeFileSync(join(folder, name), bytes.subarray(0, kept))
      expectWholeOrRefused(folder, kept)
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    [1, 'recovered'],
    [2, 'missing'],
  ])('without its last %i bytes: %s', (count, kind) => {
    const folder = putBack(whole, 'both')
    writeFileSync(join(folder, name), bytes.subarray(0, bytes.length - count))
    expect(recoverIn(folder).kind).toBe(kind)
  })

  it('is whole with half a line more, which nobody was told of', () => {
    const folder = putBack(whole, 'both')
    writeFileSync(join(folder, name), `${bytes.toString()}{"sequence":`)
    const recovery = recoverIn(folder)
    if (recovery.kind !== 'recovered') fail(recovery.kind)
    expect(recovery.replay.world.digest()).toBe(whole.digest)
    expect(existsSync(join(folder, `${name}.torn-${whole.sequence}`))).toBe(true)
  })

  it('is whole with what a killed process has written to find out whether the disk is full, of which nothing is kept', () => {
    const folder = putBack(whole, 'both')
    writeFileSync(join(folder, name), `${bytes.toString()}${' '.repeat(4096)}`)
    expect(recoverIn(folder).kind).toBe('recovered')
    expect(readFileSync(join(folder, name))).toEqual(bytes)
    expect(readdirSync(folder).filter((file) => file.includes('.torn-'))).toEqual([])
  })
})

describe('a journal that is gone', () => {
  it.each(besides)('is refused, with %s beside its place', (beside) => {
    const folder = putBack(whole, beside)
    rmSync(join(folder, name))
    const recovery = recoverIn(folder)
    if (recovery.kind !== 'missing') fail(recovery.kind)
    const proven = beside === 'snapshots' ? newestSnapshot(folder) : whole.sequence
    expect(recovery.missing).toMatchObject({ kind: 'absent', last: 0, proven })
    for (const file of recovery.missing.files) rmSync(file)
    expect(recoverIn(folder).kind).toBe('fresh')
  })
})

describe('an older copy', () => {
  const older = copies.slice(0, -1)

  it('is whole with the files that were beside it, and refused beside later ones', () => {
    const stream = createStream('older copies', '', '', 0)
    for (let count = 0; count < caseBudget(100); count += 1) {
      const copy = older[stream.integer(older.length)] ?? fail('there are older copies')
      const folder = putBack(whole, besides[stream.integer(2)] ?? 'both')
      // With its own file of the last line, too: then only a later snapshot proves anything.
      const withLast = stream.integer(2) === 0
      for (const file of withLast ? [name, `${name}.last`] : [name]) putFile(copy, file, folder)
      const isProven = !withLast || newestSnapshot(folder) > copy.sequence
      const recovery = recoverIn(folder)
      expect(recovery.kind).toBe(isProven ? 'missing' : 'recovered')
      if (recovery.kind === 'missing')
        expect(recovery.missing).toMatchObject({ kind: 'short', last: copy.sequence })
      if (recovery.kind === 'recovered') expect(recovery.replay.world.digest()).toBe(copy.digest)
      rmSync(folder, { recursive: true })
    }
  })

  it.each(older.map((copy, index) => [index, copy] as const))(
    'number %i is whole by itself',
    (_index, copy) => {
      const recovery = recoverIn(putBack(copy, 'both'))
      if (recovery.kind !== 'recovered') fail(recovery.kind)
      expect(recovery.replay.world.digest()).toBe(copy.digest)
    },
  )

  it('that went on by itself has other lines, though it is the longer one', () => {
    const [copy = fail('there is a copy')] = older
    const folder = putBack(copy, 'both')
    const path = join(folder, name)
    const opened = recoverJournal(path, 'os')
    if (opened.kind !== 'recovered') fail(opened.kind)
    const { world } = opened.replay
    const journal = startFileJournal(world, opened.file, { snapshotSequence: 0 })
    while (world.sequence < whole.sequence + 50) runBusily(world, `another way ${world.sequence}`, 20)
    journal.close()
    putFile(whole, `${name}.last`, folder)
    const recovery = recoverIn(folder)
    if (recovery.kind !== 'missing') fail(recovery.kind)
    expect(recovery.missing).toEqual({
      kind: 'other',
      last: world.sequence,
      proven: whole.sequence,
      files: [`${path}.last`],
    })
    expect(formatMissingLines(name, recovery.missing)).toContain('is not the file that it was')
  })
})

describe('a snapshot that cannot be read', () => {
  it('proves by its name that there were lines', () => {
    const folder = putBack(whole, 'snapshots')
    const proven = newestSnapshot(folder)
    writeFileSync(join(folder, `${name}.snapshot-${proven}`), 'half')
    const [first = 0] = ends
    writeFileSync(join(folder, name), bytes.subarray(0, first))
    const recovery = recoverIn(folder)
    if (recovery.kind !== 'missing') fail(recovery.kind)
    expect(recovery.missing).toMatchObject({ kind: 'short', last: 0, proven })
    // Both snapshots are named at once.
    expect(recovery.missing.files).toHaveLength(2)
  })
})

describe('the file that names the last line', () => {
  it.each([
    ['empty', ''],
    ['half there', '{"sequence":99999,"offset":9'],
    ['of another text', 'dear diary'],
    ['changed', null],
  ])('proves nothing when it is %s', (_what, text) => {
    const folder = putBack(whole, 'last')
    const path = join(folder, `${name}.last`)
    writeFileSync(path, text ?? readFileSync(path, 'utf8').replace('"sequence":', '"sequence":9'))
    expect(recoverIn(folder).kind).toBe('recovered')
  })

  it('may name a line before the last, as after a kill', () => {
    const folder = putBack(whole, 'last')
    putFile(copies.at(-2), `${name}.last`, folder)
    const recovery = recoverIn(folder)
    if (recovery.kind !== 'recovered') fail(recovery.kind)
    expect(recovery.replay.world.sequence).toBe(whole.sequence)
  })

  it('is there again after a start without it', () => {
    const folder = putBack(whole, 'snapshots')
    const path = join(folder, name)
    const opened = recoverJournal(path, 'os')
    if (opened.kind !== 'recovered') fail(opened.kind)
    startFileJournal(opened.replay.world, opened.file, { snapshotSequence: 0 }).close()
    renameSync(path, `${path}.elsewhere`)
    expect(recoverIn(folder)).toMatchObject({ missing: { kind: 'absent', proven: whole.sequence } })
  })
})
