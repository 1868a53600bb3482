import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findOpener } from '../../src/cli/serve/serve.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { forgeJournal, recordRun, replayText, scenarioOf } from '../world/journals/recorded.ts'
import { otcsim, serve } from './harness.ts'

const busy = recordRun('31', 300)
const firstOrder = busy.lines.findIndex((line) => line.includes('"place-order"'))

describe('otcsim replay', () => {
  it('prints the digest, the sequence and the instant, also for compressed journals', async () => {
    const folder = folderWith({ 'a.journal': busy.text, 'a.journal.gz': gzipSync(busy.text) })
    const facts = {
      ok: true,
      digest: busy.world.digest(),
      sequence: busy.world.sequence,
      now: new Date(busy.world.now).toISOString(),
      from: { sequence: 0, now: '2026-01-05T00:00:00.000Z' },
      lookedAt: { lines: busy.lines.length - 1 },
    }
    for (const file of ['a.journal', 'a.journal.gz']) {
      const done = await otcsim(['replay', file, '--verify', '--json'], { cwd: folder })
      expect(JSON.parse(done.out)).toMatchObject(facts)
      expect(done.code).toBe(0)
    }
    const shown = await otcsim(['replay', 'a.journal'], { cwd: folder })
    expect(shown.out).toMatch(
      new RegExp(
        `^ok  ${busy.lines.length - 1} lines, from #0 at 2026-01-05T00:00:00.000Z to #${facts.sequence} at 2026-.*${facts.digest}`,
      ),
    )
  })

  it('names the first line that differs, with the field and both values', async () => {
    const text = forgeJournal(
      busy.lines,
      (line, index) => index === firstOrder && Object.assign(line, { outcome: { ok: true, row: 41 } }),
    )
    const folder = folderWith({ 'a.journal': text })
    const done = await otcsim(['replay', 'a.journal', '--verify', '--json'], { cwd: folder })
    expect(done.code).toBe(3)
    expect(JSON.parse(done.out)).toMatchObject({
      ok: false,
      divergence: {
        sequence: firstOrder,
        subject: 'place-order',
        field: 'outcome.row',
        recorded: '41',
        replayed: '0',
      },
    })
    expect(done.err).toMatch(
      new RegExp(`DIVERGED at #${firstOrder} place-order t=2026-.*: outcome.row was 41 and is 0`),
    )
  })

  it('stops where asked, also between lines', async () => {
    const folder = folderWith({ 'a.journal': busy.text })
    const at = async (until: string) =>
      JSON.parse((await otcsim(['replay', 'a.journal', '--json', '--until', until], { cwd: folder })).out)
    expect(await at('#9')).toMatchObject({ sequence: 9 })
    expect(await at('2026-01-05T00:00:30Z')).toMatchObject({ now: '2026-01-05T00:00:30.000Z' })
    expect((await otcsim(['replay', 'a.journal', '--until', 'noon'], { cwd: folder })).code).toBe(2)
  })

  it('refuses a port where nothing is served', async () => {
    const { code, err } = await otcsim(['replay', 'a.journal', '--port', '1'])
    expect([code, err]).toEqual([2, '--port needs --serve or --open\n'])
  })

  it.each([
    ['nothing', '', /no header/],
    ['a diary', 'dear diary\n', /line 1 \(byte 0\) is damaged/],
    ['a package', '{\n  "name": "x"\n}\n', /^a\.journal is not a journal of otcsim: it is JSON\n$/],
    ['a packed package', gzipSync('{"name": "x"}'), /is not a journal of otcsim: it is JSON\n$/],
    ['a page', '# otcsim\n\nIt is a venue.\n', /is not a journal of otcsim: it is Markdown\n$/],
    [
      'a page with a scenario',
      '# otcsim\n\nIt is:\nversion: 1\n',
      /is not a journal of otcsim: it is Markdown\n$/,
    ],
    ['a scenario', '# calm\nversion: 1\nname: calm\n', /is not a journal of otcsim: it is a scenario\n$/],
    [
      'a changed line',
      busy.text.replace('"desk', '"dusk').replace('"ok":true', '"ok":trux'),
      /line \d+ \(byte \d+\) is damaged/,
    ],
    ['half a gzip file', gzipSync(busy.text).subarray(0, 400), /not a complete gzip file/],
  ])('cannot use %s', async (_what, bytes, reason) => {
    const done = await otcsim(['replay', 'a.journal', '--json'], { cwd: folderWith({ 'a.journal': bytes }) })
    expect(done.code).toBe(5)
    expect(done.err).toMatch(reason)
  })

  it('serves the world as it was', async () => {
    const folder = folderWith({ 'a.journal': busy.text })
    const served = await serve([], { cwd: folder }, ['replay', 'a.journal', '--serve', '--json'])
    const digest = await (await fetch(`${served.url}/__admin/worlds/default/digest`)).json()
    expect(digest).toMatchObject({ digest: busy.world.digest() })
    // Each request reads a part of the past; on a busy machine five lines may take two requests.
    const ask = () => fetch(`${served.url}/__admin/worlds/default/view?sequence=5&digest`)
    let answer = await ask()
    for (let asked = 1; answer.status === 404 && asked < 20; asked += 1) answer = await ask()
    const past = await answer.json()
    const then = replayText(busy.text, { sequence: 5, atMillis: Number.POSITIVE_INFINITY })
    expect(past).toMatchObject({
      sequence: 5,
      digest: then.kind === 'done' ? then.world.digest() : then.kind,
    })
  })

  it('opens the console of that world, and prints its address', async () => {
    const folder = folderWith({ 'a.journal': busy.text })
    const served = await serve([], { cwd: folder }, [
      'replay',
      'a.journal',
      '--open',
      '--until',
      '#20',
      '--json',
    ])
    const { code, err } = await served.finished()
    const address = `${served.url}/__admin/console/#world=default&account=trader`
    expect([code, err]).toEqual([0, `console: ${address}\n`])
  })
})

it.each([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { DISPLAY: '' }, null],
])('opens pages on %s with %j by %j', (platform, env, words) => {
  expect(findOpener(platform, env)).toEqual(words)
})

describe('otcsim diff', () => {
  const order = firstOrder
  it.each([
    ['the same', busy.text, 0, /^the same: \d+ lines\n$/],
    [
      'another seed',
      recordRun('32', 10).text,
      1,
      /diverge in the header: their headers differ\n {2}header\.seed\n {4}a\.journal: "31"\n {4}b\.journal: "32"/,
    ],
    [
      'a longer journal',
      `${busy.lines.slice(0, 60).join('\n')}\n`,
      1,
      /diverge at #60 .*one is longer\n {2}lines/,
    ],
    [
      'another price',
      forgeJournal(busy.lines, (line, index) => {
        if (index === order && typeof line['command'] === 'object')
          Object.assign(line['command'] ?? {}, { priceTicks: 777 })
      }),
      1,
      new RegExp(
        `diverge at #${order} place-order t=.*the input differs\\n {2}line\\.command\\.priceTicks\\n.*\\n {4}b\\.journal: 777\\n {2}the first event that differs`,
      ),
    ],
    [
      'another outcome',
      forgeJournal(
        busy.lines,
        (line, index) => index === order && Object.assign(line, { events: '00000000' }),
      ),
      1,
      new RegExp(`diverge at #${order} .*its outcome differs\\n {2}events`),
    ],
  ])('reports %s', async (_what, other, code, text) => {
    const folder = folderWith({ 'a.journal': busy.text, 'b.journal': other })
    const done = await otcsim(['diff', 'a.journal', 'b.journal'], { cwd: folder })
    expect(done.out).toMatch(text)
    expect(done.code).toBe(code)
  })
})

describe('otcsim shrink', () => {
  /** Many orders of two accounts, one of which is cancelled. The tests look for that. */
  function crowded(): { readonly world: World; readonly text: string } {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    for (let index = 0; index < 40; index += 1) {
      const account = index % 2 === 0 ? 'desk' : 'trader'
      world.request(account, 'POST', '/api/sdk/orders', {
        side: 'buy',
        asset: 'BTC',
        quantity: 0.01,
        price: 40_000 + index,
        clientOrderId: `c${index}`,
      })
      if (index % 7 === 0)
        world.request('desk', 'POST', '/api/sdk/quotes', {
          asset: 'BTC',
          bidPrice: 30_000,
          askPrice: 90_000,
          bidSize: 0.01,
          askSize: 0.01,
          validForSeconds: 30,
        })
      world.advance(100)
      if (index === 30) world.request('trader', 'DELETE', '/api/sdk/orders/ord_18')
    }
    return { world, text: [...journal.text()].join('') }
  }

  it('finds the two lines that matter among eighty, and a file that replays', async () => {
    const { text } = crowded()
    const folder = folderWith({ 'a.journal': text })
    const done = await otcsim(
      ['shrink', 'a.journal', '--assert', 'order[ord_18].status == "open"', '-o', 'small.journal'],
      { cwd: folder },
    )
    expect(done).toMatchObject({ code: 0, err: expect.stringMatching(/lines shrunk to 3\n/) })
    const small = readFileSync(join(folder, 'small.journal'), 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line))
    expect(small.map(({ command }) => command.kind)).toEqual(['place-order', 'cancel-order', 'advance'])
    expect(small[0].command.clientOrderId).toBe('c13')
    expect((await otcsim(['replay', 'small.journal', '--verify'], { cwd: folder })).code).toBe(0)
    const again = await otcsim(['shrink', 'small.journal', '--assert', 'order[c13].status == "open"'], {
      cwd: folder,
    })
    expect(again.err).toMatch(/^3 lines shrunk to 3/)
  })

  it('preserves the state when asked to', async () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    for (let index = 0; index < 20; index += 1) world.advance(100)
    world.request('desk', 'POST', '/api/sdk/orders', {
      side: 'buy',
      asset: 'BTC',
      quantity: 0.01,
      price: 40_000,
    })
    const folder = folderWith({ 'a.journal': [...journal.text()].join('') })
    const done = await otcsim(['shrink', 'a.journal', '--digest', '-o', 'small.journal'], { cwd: folder })
    expect(done.err).toContain('21 lines shrunk to 1\nlooked at: 21 lines\n')
    const replayed = await otcsim(['replay', 'small.journal', '--json'], { cwd: folder })
    expect(JSON.parse(replayed.out).digest).toBe(world.digest())
  })

  it('begins with the snapshot at the beginning of the journal', async () => {
    const world = createWorld(scenarioOf())
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null }, 30)
    const place = (index: number) =>
      world.request('desk', 'POST', '/api/sdk/orders', {
        side: 'buy',
        asset: 'BTC',
        quantity: 0.01,
        price: 40_000,
        clientOrderId: `c${index}`,
      })
    for (let index = 0; index < 75; index += 1) place(index)
    world.request('desk', 'DELETE', '/api/sdk/orders/ord_2')
    world.advance(100)
    const folder = folderWith({ 'a.journal': [...journal.text()].join('') })
    const done = await otcsim(
      ['shrink', 'a.journal', '--assert', 'order[ord_2].status == "open"', '-o', 'small.journal'],
      { cwd: folder },
    )
    expect(done).toMatchObject({
      code: 0,
      err: expect.stringContaining('47 lines shrunk to 2\nlooked at: 47 lines\n'),
    })
    const again = await otcsim(['replay', 'small.journal', '--json'], { cwd: folder })
    expect(JSON.parse(again.out)).toMatchObject({ ok: true })
  })

  it.each([
    ['an assertion that holds', ['--assert', 'price.BTC.mid > 0'], 1, /does not show/],
    ['an invalid assertion', ['--assert', 'order[ord_1].statu == "open"'], 2, /did you mean/],
    ['nothing', [], 2, /needs --assert/],
  ])('refuses %s', async (_what, words, code, text) => {
    const folder = folderWith({ 'a.journal': crowded().text })
    const done = await otcsim(['shrink', 'a.journal', ...words], { cwd: folder })
    expect(done.code).toBe(code)
    expect(done.err).toMatch(text)
  })
})
