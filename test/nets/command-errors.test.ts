import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { candleCsv, otcsim, repository } from '../cli/harness.ts'
import { expectGolden } from './golden-text.ts'

/* What the command line says to wrong words, and to files that it cannot use, with its exit code. */

const folder = mkdtempSync(join(tmpdir(), 'otcsim-nets-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const good = `version: 1
name: good
clock: {start: 2026-01-05T00:00:00Z, end: 10m}
market: {flow: {kind: none}, assets: {BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: power}}}}
timeline: [{at: +1m, as: x, order: {account: trader, side: buy, asset: BTC, quantity: 1, price: 49000}}]
`
const right = good.replace('as: x, ', '')

const commands = [
  ...[
    'serve',
    'run',
    'backtest',
    'sweep',
    'sweep plan',
    'worker',
    'replay',
    'diff',
    'shrink',
    'exec',
    'matrix',
    'drift',
  ],
  ...['curl', 'sign', 'keys', 'init', 'validate', 'schema', 'openapi', 'readings', 'doctor', 'paths'],
]

/** Words that are wrong for one command. */
const wrongWords: readonly string[] = [
  'srve',
  '--nonsense',
  'help nonsense',
  'serve extra',
  'serve --port nonsense',
  'serve --port 70000',
  'serve --port -1',
  'serve --host 0.0.0.0',
  'serve --host nonsense.invalid',
  'serve --scenario nonsense',
  'serve --scenario clam',
  'serve --scenario missing.yaml',
  'serve --clock nonsense',
  'serve --clock scaled:x',
  'serve --readings nonsense',
  'serve --readings envelop=bare',
  'serve --readings envelope=maybe',
  'serve --readings @nonsense',
  'serve --admin-port nonsense',
  'serve --journal missing/folder/x.jsonl --journal-dir elsewhere',
  'serve --config missing.yaml',
  'serve --cors nonsense',
  'run',
  'run missing.yaml',
  'run nonsense',
  'run FOLDER/good.yaml',
  'run FOLDER/right.yaml --reporter nonsense',
  'run FOLDER/right.yaml --seed',
  'run FOLDER/right.yaml --param nonsense',
  'run FOLDER/right.yaml --param size=1',
  'run FOLDER/right.yaml --jobs 0',
  'run FOLDER/right.yaml --jobs nonsense',
  'run FOLDER/right.yaml --readings nonsense=1',
  'run FOLDER/right.yaml --client',
  'validate',
  'validate missing.yaml',
  'validate FOLDER/good.yaml FOLDER/broken.yaml',
  'validate FOLDER/empty.yaml',
  'validate FOLDER/binary.yaml',
  'validate FOLDER/include.yaml',
  'validate FOLDER/candles.csv',
  'schema',
  'schema nonsense',
  'openapi --readings envelope=maybe',
  'openapi --url nonsense',
  'readings nonsense',
  'readings --nonsense',
  'backtest',
  'backtest missing.ts',
  'backtest FOLDER/strategy.mjs',
  'backtest FOLDER/no-strategy.mjs',
  'backtest scenarios/strategies/trend.ts --scenario nonsense',
  'backtest scenarios/strategies/trend.ts --data missing.csv',
  'backtest scenarios/strategies/trend.ts --from nonsense',
  'backtest scenarios/strategies/trend.ts --tick nonsense',
  'backtest scenarios/strategies/trend.ts --params nonsense=1',
  'backtest scenarios/strategies/trend.ts --param nonsense=1',
  'backtest scenarios/strategies/trend.ts --latency nonsense',
  'backtest scenarios/strategies/trend.ts --assert nonsense',
  'backtest scenarios/strategies/trend.ts --account nonsense --scenario calm',
  'backtest scenarios/strategies/trend.ts --data FOLDER/bad.csv',
  'backtest scenarios/strategies/trend.ts --data FOLDER/unordered.csv',
  'backtest scenarios/strategies/trend.ts --data FOLDER/short.csv',
  'backtest scenarios/strategies/trend.ts --data FOLDER/no-header.csv',
  'backtest scenarios/strategies/trend.ts --data FOLDER/empty.csv',
  'backtest scenarios/strategies/trend.ts --data FOLDER/binary.csv',
  'sweep',
  'sweep missing.ts',
  'sweep scenarios/strategies/trend.ts --seeds 5..1',
  'sweep scenarios/strategies/trend.ts --seeds 1..2 --params nonsense',
  'sweep scenarios/strategies/trend.ts --seeds 1..2 --grid nonsense=1,2',
  'worker',
  'replay',
  'replay missing.jsonl',
  'replay FOLDER/broken.yaml --verify',
  'replay FOLDER/empty.yaml --verify',
  'replay FOLDER/foreign.jsonl --verify',
  'replay FOLDER/foreign.jsonl --until nonsense',
  'diff',
  'diff missing.jsonl missing.jsonl',
  'diff FOLDER/foreign.jsonl FOLDER/empty.yaml',
  'shrink',
  'shrink missing.jsonl',
  'exec',
  'exec -- missing-program',
  'matrix',
  'drift',
  'drift --har missing.har',
  'curl',
  'curl GET',
  'curl GET /api/sdk/orders --url nonsense',
  'curl GET /api/sdk/orders --url http://127.0.0.1:9',
  'curl GET /api/sdk/orders --url http://127.0.0.1:9 -d nonsense',
  'sign',
  'sign GET',
  'keys --url http://127.0.0.1:9',
  'keys --url nonsense',
  'doctor missing.csv',
  'doctor FOLDER/bad.csv',
  'doctor FOLDER/short.csv',
  'doctor FOLDER/empty.csv',
  'doctor FOLDER/binary.csv',
  'paths --seeds nonsense',
  'paths --model nonsense',
]

file('good.yaml', good)
file('right.yaml', right)
file('broken.yaml', 'version: 1\nname: [\n')
file('empty.yaml', '')
file('binary.yaml', Buffer.from([0x80, 0xfe, 0x00, 0xff]))
file('include.yaml', `${right}include: missing.yaml\n`)
file('strategy.mjs', 'export default 7\n')
file('no-strategy.mjs', 'export const x = 1\n')
file('foreign.jsonl', '{"format":"something-else","version":1}\n')
file('candles.csv', candleCsv())
const rows = [
  'time,open,high,low,close,volume',
  '2026-01-05T00:00:00Z,1,2,0.5,1.5,10',
  '2026-01-05T01:00:00Z,1.5,2,1,1.8,10',
]
file(
  'bad.csv',
  [...rows, '2026-01-05T02:00:00Z,1.5,1.2,1,1.8,10', 'yesterday,1,2,0.5,x,-3', '2026-01-05T03:00:00Z,1'].join(
    '\n',
  ),
)
file('unordered.csv', [rows[0], rows[2], rows[1]].join('\n'))
file('short.csv', rows.slice(0, 2).join('\n'))
file('no-header.csv', rows.slice(1).join('\n'))
file('empty.csv', '')
file('binary.csv', Buffer.from([0x1f, 0x8b, 0x00, 0x01, 0x02]))

it('to wrong words, and about files that cannot be used', async () => {
  const unknown = commands.map((command) => `${command} --nonsense`)
  const lines: string[] = []
  for (const words of [...wrongWords, ...unknown]) {
    const { code, out, err } = await otcsim(words.replaceAll('FOLDER', folder).split(' '), {
      env: { HOME: folder },
    })
    const said = `${out}${err}`.replaceAll(folder, 'FOLDER').replaceAll(repository, 'REPOSITORY/')
    lines.push(
      `$ otcsim ${words}`,
      ...said
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`.trimEnd()),
      `  exit ${code}`,
      '',
    )
    // Nothing here does anything: what succeeds has no error text to keep.
    expect([0, 70], words).not.toContain(code)
  }
  await expectGolden('errors/commands.txt', lines.join('\n'))
})
