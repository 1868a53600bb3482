import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listCases, type SweepPlan } from '../../../src/backtest/sweep/plan.ts'
import { mergeStores, openStore, readStore, type SweepStore } from '../../../src/backtest/sweep/store.ts'
import { computeResultDigest, formatResults, sortByPlan } from '../../../src/backtest/sweep/sweep-result.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { plan, rowFor } from './fixtures.ts'

const rows = listCases(plan).map(rowFor)

function open(path: string, of: SweepPlan = plan): SweepStore {
  const opened = openStore(path, of)
  if (!opened.ok) throw new Error(opened.problem)
  return opened.store
}

function storeWith(path: string, places: readonly number[], of: SweepPlan = plan): string {
  const store = open(path, of)
  const all = listCases(of).map(rowFor)
  for (const place of places) {
    const row = all[place]
    if (row !== undefined) store.append(row)
  }
  store.close()
  return path
}

describe('a store', () => {
  it('keeps rows from one opening to the next', () => {
    const path = storeWith(join(temporaryFolder(), 'deep', 'store.ndjson'), [3, 1])
    const store = open(path)
    expect(store.rows).toEqual([rows[3], rows[1]])
    store.append(rows[0] ?? rowFor(listCases(plan)[0] ?? { id: '', seed: '', parameters: {} }))
    store.close()
    expect(readStore(path)).toMatchObject({ ok: true, rows: [rows[3], rows[1], rows[0]] })
  })

  it('loses no complete row wherever a kill cuts the last line, and continues after them', () => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0, 1])
    const whole = readFileSync(path)
    const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
    for (let bytes = whole.length - 1; bytes >= lastLine; bytes -= 7) {
      writeFileSync(path, whole.subarray(0, bytes))
      storeWith(path, [2])
      expect(readStore(path)).toMatchObject({ ok: true, rows: [rows[0], rows[2]] })
    }
  })

  it('starts anew when not even the plan was written completely', () => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0])
    truncateSync(path, 20)
    storeWith(path, [5])
    expect(readStore(path)).toMatchObject({ ok: true, rows: [rows[5]] })
  })

  it('refuses damage before its last line, with its place', () => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0, 1, 2])
    const text = readFileSync(path, 'utf8')
    const changed = text.replace('"returns.profit":-3', '"returns.profit":93')
    expect(changed).not.toBe(text)
    writeFileSync(path, changed)
    expect(openStore(path, plan)).toMatchObject({ ok: false, problem: `${path}:2 is damaged` })
    appendFileSync(path, 'x\n')
    expect(readStore(path)).toMatchObject({ ok: false })
  })

  it('refuses the plan of another sweep, another file, and a second user', () => {
    const folder = temporaryFolder()
    const path = storeWith(join(folder, 'store.ndjson'), [0])
    expect(openStore(path, { ...plan, seeds: ['1'] })).toMatchObject({
      ok: false,
      problem: `${path} is the store of another sweep`,
      lack: 'another sweep',
    })
    const other = join(folder, 'notes.txt')
    writeFileSync(other, 'dear diary\n')
    expect(openStore(other, plan)).toMatchObject({
      ok: false,
      problem: expect.stringContaining('is not a store'),
      lack: 'no store',
    })
    expect(readFileSync(other, 'utf8')).toBe('dear diary\n')
    const store = open(path)
    expect(openStore(path, plan)).toMatchObject({ ok: false, lack: 'in use' })
    store.close()
    open(path).close()
  })

  it.each([
    [
      'another version',
      (text: string) => text.replaceAll('"version":"1.2.3"', '"version":"1.2.2"'),
      '1.2.2, and this is 1.2.3',
    ],
    [
      'the format of before',
      (text: string) => text.replace(/^.*"plan":(.*)\}\n/, '$1\n').replaceAll(/"at":"[^"]*",/g, ''),
      '1.2.3 (store format 1), and this is',
    ],
    [
      'a format to come',
      (text: string) =>
        text.replace(/^.*\n/, '{"format":"otcsim sweep store 7","version":"9.0.0","cases":[]}\n'),
      '9.0.0 (store format 7), and this is',
    ],
    [
      'a format to come that does not say of which version it is',
      (text: string) => text.replace(/^.*\n/, '{"format":"otcsim sweep store 7"}\n'),
      'of an unknown version (store format 7), and this is',
    ],
  ])('tells the store of %s from a damaged one, and keeps it', (_what, change, told) => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0, 1])
    const before = readFileSync(path, 'utf8')
    const other = change(before)
    expect(other).not.toBe(before)
    writeFileSync(path, other)
    const problem = expect.stringContaining(`${path} was made by otcsim ${told}`)
    expect(openStore(path, plan)).toMatchObject({ ok: false, lack: 'another version', problem })
    expect(readFileSync(path, 'utf8')).toBe(other)
    const fresh = openStore(path, plan, { isFresh: true })
    if (!fresh.ok) throw new Error(fresh.problem)
    fresh.store.close()
    expect(readStore(path)).toMatchObject({ ok: true, rows: [] })
  })

  it('gives no rows of a strategy whose inputs are not all known, unless they are trusted', () => {
    const { file, digest } = plan.work.strategy
    const strategy = { file, digest, unknown: ['maker.ts:7 fetch()'] }
    const asking = { ...plan, work: { ...plan.work, strategy } }
    const path = join(temporaryFolder(), 'store.ndjson')
    storeWith(path, [], asking)
    // Nothing is stored yet.
    storeWith(path, [0, 1], asking)
    const refused = openStore(path, asking)
    expect(refused).toMatchObject({ ok: false, lack: 'unknown inputs' })
    expect(refused.ok ? '' : refused.problem).toMatch(
      /has 2 cases, the first of 20.*\(maker\.ts:7 fetch\(\)\)/,
    )
    const trusted = openStore(path, asking, { isTrusted: true })
    if (!trusted.ok) throw new Error(trusted.problem)
    expect(trusted.store.rows).toEqual([rows[0], rows[1]])
    trusted.store.close()
    const fresh = openStore(path, asking, { isFresh: true })
    if (!fresh.ok) throw new Error(fresh.problem)
    expect(fresh.store.rows).toEqual([])
    fresh.store.close()
  })

  it('starts anew when asked to, but not while another process uses it', () => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0, 1])
    const store = open(path)
    expect(openStore(path, plan, { isFresh: true })).toMatchObject({ ok: false, lack: 'in use' })
    store.close()
    const fresh = openStore(path, { ...plan, seeds: ['9'] }, { isFresh: true })
    if (!fresh.ok) throw new Error(fresh.problem)
    expect(fresh.store.rows).toEqual([])
    fresh.store.close()
    expect(readStore(path)).toMatchObject({ ok: true, rows: [], plan: { seeds: ['9'] } })
  })

  it('is taken over from a process that has ended, although another has its number', () => {
    const path = storeWith(join(temporaryFolder(), 'store.ndjson'), [0])
    writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.ppid, began: '1', nonce: 'x' }))
    expect(open(path).rows).toEqual([rows[0]])
  })
})

describe('the results', () => {
  it('are the same bytes for rows in any order', () => {
    const forwards = sortByPlan(plan, rows)
    const backwards = sortByPlan(plan, rows.toReversed())
    expect(formatResults(plan, backwards.rows)).toBe(formatResults(plan, forwards.rows))
    expect(computeResultDigest(plan, backwards.rows)).toMatch(/^[0-9a-f]{32}$/)
    expect(forwards.missing).toBe(0)
    expect(sortByPlan(plan, rows.slice(4))).toMatchObject({ missing: 4 })
  })

  it('have a line for the plan and one for each row', () => {
    const lines = formatResults(plan, rows).trimEnd().split('\n')
    expect(lines).toHaveLength(13)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: '1.2.3', cases: 12, seeds: 3 })
    expect(lines.slice(1).map((line) => JSON.parse(line))).toEqual(rows)
  })
})

describe('a merge', () => {
  const even = [0, 2, 4, 6, 8, 10]
  const odd = [1, 3, 5, 7, 9, 11]

  it('puts shards together in the order of the plan', () => {
    const folder = temporaryFolder()
    const stores = [storeWith(join(folder, 'b'), odd), storeWith(join(folder, 'a'), even.toReversed())]
    expect(mergeStores(stores)).toEqual({ ok: true, plan, rows, dates: expect.anything() })
  })

  it('lists missing and repeated cases', () => {
    const folder = temporaryFolder()
    const stores = [storeWith(join(folder, 'a'), [0, 1, 2, 3]), storeWith(join(folder, 'b'), odd)]
    const merged = mergeStores(stores)
    if (merged.ok) throw new Error('merged')
    expect(merged.isDeterminismBroken).toBe(false)
    expect(merged.problems).toHaveLength(2 + 4)
    expect(merged.problems[0]).toMatch(
      /^case \w{32} \(seed "1" spreadBps=1 informed=0.6\) is there twice: in/,
    )
    expect(merged.problems[2]).toMatch(/\(seed "2" spreadBps=1 informed=0.2\) is missing$/)
  })

  it('reports a case for which two machines have different results', () => {
    const folder = temporaryFolder()
    const first = storeWith(join(folder, 'a'), even)
    const second = open(join(folder, 'b'))
    for (const place of [0, ...odd]) {
      const row = rows[place]
      if (row !== undefined) second.append(place === 0 ? { ...row, digest: 'other' } : row)
    }
    second.close()
    expect(mergeStores([first, join(folder, 'b')])).toEqual({
      ok: false,
      isDeterminismBroken: true,
      problems: [expect.stringContaining('has two different results')],
    })
  })

  it.each<[string, SweepPlan, RegExp]>([
    ['versions', { ...plan, work: { ...plan.work, version: '9' } }, /b has version 9, .*a 1\.2\.3/],
    [
      'strategies',
      { ...plan, work: { ...plan.work, strategy: { file: 'm', digest: 'zz' } } },
      /b has the strategy zz, .*a aa/,
    ],
    ['plans', { ...plan, seeds: ['1'] }, /b has the plan \w{32}, .*a \w{32}/],
  ])('refuses different %s', (_, other, problem) => {
    const folder = temporaryFolder()
    const stores = [storeWith(join(folder, 'a'), [0]), storeWith(join(folder, 'b'), [1], other)]
    expect(mergeStores(stores)).toEqual({
      ok: false,
      isDeterminismBroken: false,
      problems: [expect.stringMatching(problem)],
    })
  })

  it('names every file that it cannot read', () => {
    const folder = temporaryFolder()
    const bad = join(folder, 'bad')
    writeFileSync(bad, '')
    expect(mergeStores([bad])).toMatchObject({ ok: false, problems: [`${bad} holds no sweep`] })
    expect(mergeStores([])).toMatchObject({ ok: false, problems: ['there is nothing to merge'] })
  })
})
