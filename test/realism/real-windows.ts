import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  daysOfMinutes,
  listFeatures,
  type WindowKind,
  weeksOfHours,
} from '../../src/metrics/realism/window-features.ts'
import type { PathWindow } from '../../src/metrics/realism/windows.ts'

/* Features of recorded windows, from `features` of a folder that is not part of the project. */

/** A recorded window with where it comes from. */
export interface RealWindow extends PathWindow {
  readonly series: string
  readonly asset: string
}

const files = new Map<WindowKind, string>([
  [daysOfMinutes, 'minute-days.csv.gz'],
  [weeksOfHours, 'hour-weeks.csv.gz'],
])

/** Reads the features of a kind of window. Errors: the file is missing, or has other features than ours (Error). */
export function readRealWindows(folder: string, kind: WindowKind): readonly RealWindow[] {
  const name = files.get(kind) ?? ''
  const lines = gunzipSync(readFileSync(join(folder, 'features', name)))
    .toString('utf8')
    .trimEnd()
    .split(/\r?\n/)
  const [head = '', ...rows] = lines
  const expected = ['series', 'asset', 'start_ms', ...listFeatures(kind)].join(',')
  if (head !== expected) throw new Error(`features/${name} has other columns than the judge: ${head}`)
  return rows.map((line): RealWindow => {
    const [series = '', asset = '', ...numbers] = line.split(',')
    const [fromMillis = Number.NaN, ...values] = numbers.map(Number)
    return { series, asset, fromMillis, group: Math.floor(fromMillis / kind.blockMillis), values }
  })
}

/** Whether a window is of the blocks on which the default market was not fitted. */
export const isJudged = ({ group }: PathWindow): boolean => group % 2 !== 0

/** Hours of BTC, ETH and SOL from 2020 on, each from one exchange, and all minutes. */
export const isUsed = ({ series, asset }: RealWindow): boolean =>
  series !== 'dj' && (series !== 'px' || asset === 'BTC' || asset === 'ETH')
