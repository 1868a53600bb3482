import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

function fileOf(name: string, lines: readonly string[]): string {
  const path = join(temporaryFolder(), name)
  const text = `${lines.join('\n')}\n`
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

/** Builds a zip archive as exchanges publish them. */
function zipOf(files: readonly (readonly [name: string, text: string])[], isStored = false): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, text] of files) {
    const content = Buffer.from(text)
    const packed = isStored ? content : deflateRawSync(content)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isStored ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    entries.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), facts, tail, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const header = 'ts_ms,open,high,low,close,volume'
const candles = [
  header,
  '1609459200000,10,12,8,11,5',
  '1609462800000,11,12,2,11,0',
  '1609473600000,11,12,8,11,5',
  '1609477200000,11,12,8,11,5',
]

describe('otcsim doctor FILE', () => {
  it('counts one candle as one', async () => {
    const { out } = await otcsim(['doctor', fileOf('candles.csv', candles.slice(0, 2))])
    expect(out).toContain('1 candle,')
  })

  it('describes a file of candles, and how to use it', async () => {
    const path = fileOf('candles.csv.gz', candles)
    const { code, out, err } = await otcsim(['doctor', path])
    expect([code, err]).toEqual([0, ''])
    expect(out.replaceAll(path, 'FILE')).toBe(`FILE
  read as    4 candles of 1h; time ts_ms (milliseconds, UTC, beginnings of candles); open, high, low, close; volume in units of the asset; assumed: times are beginnings (--times close if not), volumes are in units of the asset (--volume-in usd if not)
  holds      4 candles of 1h, ascending
  from       2021-01-01T00:00:00.000Z to 2021-01-01T06:00:00.000Z
  prices     first 10, last 11, least 2, greatest 12
  volume     15 units, about 150 USD, 1 row without
  gaps       1, together 2h; the longest 2h from 2021-01-01T02:00:00.000Z
  leaps      1 row by more than a factor of 3, the first at 2021-01-01T01:00:00.000Z
  use        model: { kind: replay, data: "FILE", gaps: hold }
             clock: { start: data, end: data, grid: 15m }
             npx otcsim backtest STRATEGY --data FILE

looked at: 4 rows
`)
  })

  it.each([
    ['semicolons', candles.map((line) => line.replaceAll(',', ';'))],
    ['tabs and Windows line ends', candles.map((line) => `${line.replaceAll(',', '\t')}\r`)],
    ['quotes', candles.map((line) => line.replaceAll(/[^,]+/g, '"$&"'))],
    [
      'a byte order mark and blank lines',
      [`\ufeff${header}`, ...candles.slice(1, 3), '', ...candles.slice(3), ''],
    ],
  ])('reads %s', async (_name, lines) => {
    const { code, out } = await otcsim(['doctor', fileOf('candles.csv', lines)])
    expect(code, out).toBe(0)
    expect(out).toContain('4 candles of 1h')
  })

  it.each([
    ['deflated', zipOf([['candles.csv', candles.join('\n')]]), 0, '4 candles of 1h'],
    [
      'stored',
      zipOf(
        [
          ['a/', ''],
          ['a/candles.csv', candles.join('\n')],
        ],
        true,
      ),
      0,
      '4 candles of 1h',
    ],
    [
      'made by macOS, with a file about the file',
      zipOf([
        ['candles.csv', candles.join('\n')],
        ['__MACOSX/._candles.csv', 'Mac OS X'],
      ]),
      0,
      '4 candles of 1h',
    ],
    [
      'of two files',
      zipOf([
        ['a.csv', 'x'],
        ['b.csv', 'y'],
      ]),
      5,
      'the zip file holds 2 files',
    ],
    [
      'cut off',
      zipOf([['candles.csv', candles.join('\n')]]).subarray(0, 100),
      5,
      'it is not a complete zip file',
    ],
    [
      'changed',
      zipOf([['c.csv', candles.join('\n')]], true).fill('9', 60, 62),
      5,
      'it is not a complete zip file',
    ],
  ])('opens a zip file that is %s, or says why not', async (_name, bytes, expected, message) => {
    const path = join(temporaryFolder(), 'candles.zip')
    writeFileSync(path, bytes)
    const { code, out } = await otcsim(['doctor', path])
    expect([code, out]).toEqual([expected, expect.stringContaining(message)])
  })

  it.each([
    ['README.md', ['# otcsim', '', 'Run `otcsim "x"` and, then, see.'], 'Markdown'],
    ['calm.yaml', ['version: 1', 'name: calm'], 'a scenario'],
    ['a.journal', ['{"format":"otcsim-journal","version":1}'], 'a journal of otcsim'],
    ['page.html', ['<!doctype html>', '<p>x'], 'HTML'],
  ])('says that %s is of another kind', async (name, lines, kind) => {
    const { code, out } = await otcsim(['doctor', fileOf(name, lines)])
    expect(code).toBe(5)
    expect(out).toContain(`it is ${kind}; a CSV file of candles or trades is needed`)
  })

  it('says that JSON is not CSV', async () => {
    const { code, out } = await otcsim(['doctor', fileOf('book.jsonl', ['{"bids": []}'])])
    expect([code, out]).toEqual([5, expect.stringContaining('it is JSON')])
  })

  it('detects volumes in USD', async () => {
    const rows = Array.from(
      { length: 50 },
      (_, hour) => `${1_609_459_200 + hour * 3600},10000,10001,9999,10000,9e8`,
    )
    const file = fileOf('usd.csv', ['time,open,high,low,close,volume', ...rows])
    const refused = await otcsim(['doctor', file])
    expect(refused).toMatchObject({ code: 5, out: expect.stringContaining('say --volume-in usd') })
    const stated = await otcsim(['doctor', '--volume-in', 'usd', file])
    expect(stated.code).toBe(0)
    expect(stated.out).toContain('volumeIn: usd')
    expect(stated.out).toContain(`--data ${file} --volume-in usd`)
  })

  it('counts the mistakes of an unusable file, and exits with 5', async () => {
    const path = fileOf('bad.csv', [...candles, '1609477200000,11,12,8,10,5', '1609480800000,11,7,8,11,5'])
    const { code, out, err } = await otcsim(['doctor', path])
    expect(code).toBe(5)
    expect(out).toContain('contradict 1 row has the time of another, and other figures')
    expect(out).toContain('bad rows   1')
    expect(out).toContain('row 7, high: 7 is below the open 11')
    expect(err).toBe('the file cannot be used as it is\n')
  })

  it('says what is wrong with a file without any usable row, and shows no times in 1970', async () => {
    const file = fileOf('separators.csv', [
      'time,open,high,low,close',
      '1609459200,"20,000","20,001","19,999","20,000"',
    ])
    const { code, out } = await otcsim(['doctor', file])
    expect(code).toBe(5)
    expect(out).toContain('numbers such as "20,000" fit both ways')
    expect(out).toContain('say --decimal point or --decimal comma')
    expect(out).not.toMatch(/1970|prices|volume|gaps/)
  })

  it('describes trades, also as JSON', async () => {
    const trades = fileOf('trades.csv', [
      'timestamp,side,size,price',
      '1609459200.25,Buy,2,10',
      '1609459201.25,Sell,1,11',
    ])
    const { code, out } = await otcsim(['doctor', '--json', trades, fileOf('other.csv', ['name,age', 'x,3'])])
    expect(code).toBe(5)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      files: [
        { ok: true, survey: { kind: 'trades', goodRows: 2, price: { least: 10, greatest: 11 } } },
        { ok: false, survey: null, reason: expect.stringContaining('no column for the time') },
      ],
    })
  })

  it.each([
    ['no-such-file.csv', 'there is no such file'],
    ['.', 'it is a directory'],
  ])('says why %s cannot be read', async (name, reason) => {
    const { code, out } = await otcsim(['doctor', name], { cwd: temporaryFolder() })
    expect([code, out]).toEqual([5, expect.stringContaining(reason)])
  })
})

describe('otcsim doctor', () => {
  it('shows the value of every option, and its source', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'otcsim.config.yaml'), 'port: 5055\nadminToken: hush\n')
    const { code, out } = await otcsim(['doctor', '--json'], { cwd, env: { OTCSIM_SEED: '9' } })
    expect(code).toBe(0)
    const facts: unknown = JSON.parse(out)
    expect(facts).toMatchObject({ ok: true, config: 'otcsim.config.yaml', problems: [] })
    for (const setting of [
      { option: '--port', value: 5055, source: 'otcsim.config.yaml' },
      { option: '--seed', value: '9', source: 'OTCSIM_SEED' },
      { option: '--host', value: '127.0.0.1', source: 'default' },
      { option: '--admin-token', value: '(set)', source: 'otcsim.config.yaml' },
    ]) {
      expect(facts).toMatchObject({
        commands: expect.arrayContaining([{ command: 'serve', settings: expect.arrayContaining([setting]) }]),
      })
    }
    expect(out).not.toContain('hush')
  })

  it('names settings that are invalid or unknown', async () => {
    const { code, out, err } = await otcsim(['doctor'], { env: { OTCSIM_PROT: '1', OTCSIM_JSON: 'perhaps' } })
    expect(code).toBe(2)
    expect(out).toContain('serve')
    expect(err).toContain('OTCSIM_PROT: no option has this variable; did you mean OTCSIM_PORT?')
    expect(err).toContain('OTCSIM_JSON: expected true or false')
  })
})

it('is not needed to hear of a variable that no option has', async () => {
  const ended = await otcsim(['readings', '--json'], { env: { OTCSIM_READING: 'envelope=wrapped' } })
  const err = 'OTCSIM_READING: no option has this variable; did you mean OTCSIM_READINGS?\n'
  expect(ended).toMatchObject({ code: 0, err })
})

it('knows the variables of all commands, also those that tools read', async () => {
  const words = ['DATA', 'KEY', 'SECRET', 'API_KEY', 'API_SECRET']
  const env = Object.fromEntries(words.map((word) => [`OTCSIM_${word}`, 'x']))
  const { code, err } = await otcsim(['doctor'], { env: { ...env, OTCSIM_URL: 'http://127.0.0.1:1' } })
  expect([code, err]).toEqual([0, ''])
})
