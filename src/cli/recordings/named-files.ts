import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { usageFailure } from '../failure.ts'
import { expandFile } from './read-recording.ts'

/**
 * Joins the values of a repeated option with newlines. Every option of a run is then a single text, which a sweep can
 * send to its workers.
 */
export function gatherFiles(text: string, previous: unknown): string {
  return typeof previous === 'string' ? `${previous}\n${text}` : text
}

/** Files of one asset, as an option names them. */
export interface NamedFiles {
  /** The symbol; null where none is stated. */
  readonly asset: string | null
  readonly files: readonly string[]
}

/**
 * Splits the value of `--data`, `--book` or `--trades` into assets and files. Each line is `FILES`, for which the asset
 * is null, or `BTC=FILES`; the files of an asset are names or patterns, separated by commas. A file whose own name
 * contains `=` can be written as `./BTC=FILE`; one that exists under a name with commas is one file.
 */
export function parseNamedFiles(value: string, cwd: string): readonly NamedFiles[] {
  return value.split('\n').map((text) => {
    const [, asset = null, names = text] = ofAsset.exec(text) ?? []
    const isOne = !names.includes(',') || existsSync(resolve(cwd, names))
    const files = isOne ? [names] : names.split(',').filter((name) => name !== '')
    return { asset, files: files.flatMap((name) => expandFile(name, cwd)) }
  })
}

const ofAsset = /^([A-Za-z0-9]+)=(.+)$/

/** Lists all files that the values of options name. */
export const listNamedFiles = (values: readonly (string | undefined)[], cwd: string): readonly string[] =>
  values.flatMap((value) =>
    value === undefined ? [] : parseNamedFiles(value, cwd).flatMap(({ files }) => files),
  )

/** Formats the files of an option on one line. */
export const formatFiles = (value: string): string => value.replaceAll('\n', ' ')

/**
 * Gathers the files of an option by asset. Null for one file without an asset; ends the command where it is unclear
 * which asset files belong to.
 */
export function gatherByAsset(
  named: readonly NamedFiles[],
  flag: string,
  cwd: string,
): ReadonlyMap<string, readonly string[]> {
  const byAsset = new Map<string, readonly string[]>()
  for (const { asset: symbol, files } of named) {
    if (symbol === null) {
      const hint = `write ${flag} BTC=${files.join(',')}`
      throw usageFailure(`${flag}: of several recordings each names its asset; ${hint}`)
    }
    if (!/^[A-Z0-9]{1,16}$/.test(symbol))
      throw usageFailure(`${flag}: "${symbol}" is not an asset symbol, such as BTC`)
    const second = files.find((name) => ofAsset.test(name) && !existsSync(resolve(cwd, name)))
    if (second !== undefined)
      throw usageFailure(
        `${flag}: each asset has an option of its own: ${flag} ${symbol}=${files[0]} ${flag} ${second}`,
      )
    byAsset.set(symbol, [...(byAsset.get(symbol) ?? []), ...files])
  }
  return byAsset
}
