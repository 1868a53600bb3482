import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import { type Bar, defineStrategy } from '../../../src/backtest/strategy.ts'
import { readRecordingFile } from '../../../src/cli/recordings/read-recording.ts'
import { type Candles, getCandleTable } from '../../../src/market/recordings/candle-table.ts'
import { formatDuration } from '../../../src/numeric/time-text.ts'
import { programPath } from '../../support/program-path.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/*
 * Bars of recordings beside pandas', at the candles' own span and at multiples, alone and in pairs of other phase and
 * span: equal to the last digit (volumes to 1e-9, because pandas sums with compensation). Recordings are made up here;
 * `TEST_RECORDINGS` names a folder whose `hourly`, `fourhourly` and `daily` files are compared, too.
 */

const minute = 60_000
const hour = 60 * minute

/** Writes candles of a span and phase, with gaps, and prices and volumes of many digits. */
function writeCandles(
  folder: string,
  name: string,
  spanMillis: number,
  phaseMillis: number,
  count: number,
): string {
  const path = join(folder, `${name}.csv`)
  const rows = ['ts_ms,open,high,low,close,volume']
  let state = spanMillis % 65_521
  const draw = (): number => {
    state = (state * 75 + 74) % 65_537
    return state / 65_537
  }
  for (let place = 0; place < count; place += 1) {
    const isGap = draw() < 0.03
    const [open, close] = [100 + draw() * 7, 100 + draw() * 7]
    const [high, low] = [Math.max(open, close) + draw(), Math.min(open, close) - draw()]
    const at = Date.UTC(2024, 0, 3) + phaseMillis + place * spanMillis
    if (!isGap || place === 0 || place === count - 1)
      rows.push([at, open, high, low, close, draw() * 30].join(','))
  }
  writeFileSync(path, `${rows.join('\n')}\n`)
  return path
}

interface Recording {
  readonly name: string
  readonly path: string
  readonly candles: Candles
}

function open(path: string): Recording {
  const isInUsd = basename(path).includes('_cdd_')
  // Volumes of one file are in USD, which pandas does not know: it is compared without a unit.
  const answer = readRecordingFile(path, isInUsd ? { volumeIn: 'asset' } : {})
  if (!answer.ok) throw new Error(answer.reason)
  return { name: basename(path), path, candles: answer.candles }
}

function listRecordings(): readonly Recording[] {
  const folder = temporaryFolder()
  const made = [
    writeCandles(folder, 'minutes', minute, 0, 4_000),
    writeCandles(folder, 'quarters', 15 * minute, 7 * minute, 400),
    writeCandles(folder, 'hours', hour, 0, 100),
    writeCandles(folder, 'hours-at-20', hour, 20 * minute, 100),
    writeCandles(folder, 'threes', 3 * hour, hour, 40),
    // No multiple of the threes: bars of four hours are candles of this one beside them.
    writeCandles(folder, 'fours', 4 * hour, 0, 30),
  ]
  const data = process.env['TEST_RECORDINGS']
  const given = ['hourly', 'fourhourly', 'daily'].flatMap((kind) => {
    const path = join(data ?? '', kind)
    // A file of opens alone has candles only by our own rule.
    const names = data !== undefined && existsSync(path) ? readdirSync(path) : []
    return names.filter((name) => !name.includes('_open_')).map((name) => join(path, name))
  })
  return [...made, ...given].map(open)
}

async function collectBars(
  recordings: Readonly<Record<string, Recording>>,
  bar: string,
): Promise<Readonly<Record<string, readonly Bar[]>>> {
  const bars: Record<string, Bar[]> = Object.fromEntries(Object.keys(recordings).map((asset) => [asset, []]))
  const strategy = defineStrategy({ name: 'bars', bar, onBar: (_, one) => void bars[one.asset]?.push(one) })
  const candles = Object.fromEntries(
    Object.entries(recordings).map(([asset, { candles }]) => [asset, candles]),
  )
  await backtest(strategy, { candles })
  return bars
}

/** What the script is asked: our bars of each asset, and the file, span and phase that pandas is to take. */
async function ask(recordings: Readonly<Record<string, Recording>>, barMillis: number) {
  const tables = Object.values(recordings).map(({ candles }) => getCandleTable(candles))
  const assets = Object.entries(recordings).map(([asset, { candles, path }]) => {
    const { spanMillis, phases } = getCandleTable(candles).grid
    // Where the bar is no multiple of a candle, the bars of the recording are its candles.
    const isMultiple = barMillis % spanMillis === 0
    const own = isMultiple ? barMillis : spanMillis
    return [asset, { file: path, barMillis: own, phaseMillis: phases?.[0]?.offsetMillis ?? 0 }]
  })
  return {
    bars: await collectBars(recordings, formatDuration(barMillis)),
    assets: Object.fromEntries(assets),
    fromMillis: Math.max(...tables.map(({ atMillis }) => atMillis[0] ?? 0)),
    toMillis: Math.min(...tables.map(({ endMillis }) => endMillis.at(-1) ?? 0)),
  }
}

/** The bars that a recording is compared at. */
const multiples = [1, 2, 4, 24]

it("equal pandas' at the candles' own span and at multiples, alone and in pairs", {
  tags: ['python3-pandas'],
  timeout: 600_000,
}, async () => {
  const python = programPath('python3-pandas')
  const recordings = listRecordings()
  const spanOf = ({ candles }: Recording): number => getCandleTable(candles).grid.spanMillis
  const asked: object[] = []
  const names: string[] = []
  const add = async (given: Readonly<Record<string, Recording>>, barMillis: number): Promise<void> => {
    asked.push(await ask(given, barMillis))
    names.push(
      `${Object.values(given)
        .map(({ name }) => name)
        .join(' with ')} at ${formatDuration(barMillis)}`,
    )
  }
  for (const recording of recordings) {
    for (const multiple of multiples.filter((one) => one * spanOf(recording) <= 24 * hour))
      await add({ BTC: recording }, multiple * spanOf(recording))
  }
  for (const [place, first] of recordings.entries()) {
    for (const second of recordings.slice(place + 1)) {
      const coarse = Math.max(spanOf(first), spanOf(second))
      const isTogether =
        (getCandleTable(first.candles).atMillis[0] ?? 0) <
          (getCandleTable(second.candles).endMillis.at(-1) ?? 0) &&
        (getCandleTable(second.candles).atMillis[0] ?? 0) <
          (getCandleTable(first.candles).endMillis.at(-1) ?? 0)
      if (isTogether) await add({ BTC: first, ETH: second }, coarse)
    }
  }
  const script = fileURLToPath(new URL('resample.py', import.meta.url))
  const input = asked.map((one) => JSON.stringify(one)).join('\n')
  const { status, stderr, stdout } = spawnSync(python, [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const answers: readonly { compared: number; count: number; differences: readonly string[] }[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const found = answers.flatMap(({ compared, count, differences }, place) =>
    count === 0 && compared > 0 ? [] : [{ name: names[place], compared, count, differences }],
  )
  expect(found).toEqual([])
  expect(answers).toHaveLength(asked.length)
  const bars = answers.reduce((sum, { compared }) => sum + compared, 0)
  process.stdout.write(
    `compared with pandas: ${bars} bars in ${answers.length} runs of ${recordings.length} recordings\n`,
  )
})
