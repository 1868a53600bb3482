import { resolve } from 'node:path'
import type { SourceOptions } from '../../backtest/source.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readCandleFile } from '../scenario/read-candles.ts'

/*
 * `--data` may be given several times. Its values travel as one text with a line for each, so that every option of a
 * run is a single text.
 */

/** Gathers the values of `--data`. */
export function gatherFiles(text: string, previous: unknown): string {
  return typeof previous === 'string' ? `${previous}\n${text}` : text
}

export interface RecordingFile {
  /** Null for a recording that does not say whose it is. */
  readonly asset: string | null
  readonly file: string
}

/** `FILE`, or `BTC=FILE` once for each asset. A file whose name looks like that is `./BTC=FILE`. */
export function recordingFiles(data: string): readonly RecordingFile[] {
  return data.split('\n').map((text) => {
    const [, asset = null, file = text] = /^([A-Za-z0-9]+)=(.+)$/.exec(text) ?? []
    return { asset, file }
  })
}

/** The files as they are shown in a sentence or in a line of a table. */
export const shownFiles = (data: string): string => data.replaceAll('\n', ' ')

/**
 * The recordings that `--data` names. Ends the command for one that cannot be read, or that cannot be told from
 * another.
 */
export function readRecordings(
  data: string,
  asset: string | undefined,
  cwd: string,
): SourceOptions['candles'] {
  const files = recordingFiles(data)
  const [first] = files
  if (first?.asset === null && files.length === 1) return candlesIn(first.file, cwd)
  if (asset !== undefined)
    throw new CliFailure(exitCode.usage, '--asset does not go with --data that names its asset')
  const byAsset = new Map<string, readonly Candle[]>()
  for (const { asset: symbol, file } of files) {
    if (symbol === null) {
      const hint = `write --data BTC=${file}`
      throw new CliFailure(exitCode.usage, `--data: of several recordings each names its asset; ${hint}`)
    }
    if (!/^[A-Z0-9]{1,16}$/.test(symbol))
      throw new CliFailure(exitCode.usage, `--data: "${symbol}" is not an asset symbol, such as BTC`)
    if (byAsset.has(symbol))
      throw new CliFailure(exitCode.usage, `--data: ${symbol} is there twice; an asset has one recording`)
    byAsset.set(symbol, candlesIn(file, cwd))
  }
  return Object.fromEntries(byAsset)
}

function candlesIn(file: string, cwd: string): readonly Candle[] {
  const answer = readCandleFile(resolve(cwd, file))
  if (!answer.ok) throw new CliFailure(exitCode.unusableData, answer.reason)
  return answer.candles
}
