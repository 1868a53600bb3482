import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isStrategy, type Strategy, strategyProblem } from '../strategy.ts'
import { digestModules } from './strategy-identity.ts'

/** The error for a strategy file that cannot be used; the message says why, and what to do. */
export class StrategyFileError extends Error {
  override readonly name = 'StrategyFileError'
}

/**
 * Loads the strategy in a file: its default export, else the only strategy among its exports. Node runs TypeScript
 * where it can strip types; otherwise tsx does, from the strategy's own folder or ours.
 *
 * Rejects with a StrategyFileError when there is no such file, no strategy in it, no tsx where one is needed, or when
 * the file throws. Node keeps modules for as long as its thread lives; a file that was loaded before and has changed
 * since, or whose imports have, is refused, because its old code would run.
 */
export async function loadStrategy(file: string, cwd: string): Promise<Strategy> {
  const path = resolve(cwd, file)
  if (!existsSync(path)) throw new StrategyFileError(`cannot read ${file}: there is no such file`)
  if (statSync(path).isDirectory()) throw new StrategyFileError(`cannot read ${file}: it is a directory`)
  let module: unknown
  try {
    module = await importFile(path)
  } catch (cause) {
    if (cause instanceof StrategyFileError) throw cause
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\nRequire stack:')
    const isAlone = reason.includes("'otcsim/backtest'")
    const hint = isAlone ? '\ninstall otcsim where the strategy is: npm install --save-dev otcsim' : ''
    throw new StrategyFileError(`${file}: ${reason}${hint}`, { cause })
  }
  const found = findStrategies(module)
  const [first] = found
  if (found.length === 1 && first !== undefined) return first
  if (found.length > 1) {
    throw new StrategyFileError(
      `${file} exports ${found.length} strategies: make the one that is meant the default`,
    )
  }
  throw new StrategyFileError(`${file} exports no strategy: ${explainMissingStrategy(module)}`)
}

async function importFile(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href
  if (!/\.[cm]?ts$/.test(path) || canRunTypeScript()) return importOnce(path, url)
  const tsImport = await findTsx(path)
  // Node ignores the paths of a tsconfig.json when it strips types, so tsx must ignore them, too.
  return tsImport(url, { parentURL: url, tsconfig: false })
}

/** The digests of the modules of each file that this thread has imported: those that Node keeps, too. */
const importedModules = new Map<string, string>()

async function importOnce(path: string, url: string): Promise<unknown> {
  const digest = digestModules(path)
  if ((importedModules.get(path) ?? digest) !== digest)
    throw new StrategyFileError(
      `${path}, or a file that it imports, was changed since this process loaded it, and Node would run the old code: start a new process`,
    )
  importedModules.set(path, digest)
  const module: unknown = await import(url)
  if (digestModules(path) !== digest) throw new StrategyFileError(`${path} was changed while it was loaded`)
  return module
}

/** Returns whether this runtime imports TypeScript by itself. Node says so since 22.10; the test runner always does. */
function canRunTypeScript(): boolean {
  const { features } = process
  const isStripping = 'typescript' in features && Boolean(features.typescript)
  return isStripping || process.env['VITEST'] !== undefined
}

interface TsImportOptions {
  readonly parentURL: string
  readonly tsconfig: false
}

type TsImport = (specifier: string, options: TsImportOptions) => Promise<unknown>

async function findTsx(path: string): Promise<TsImport> {
  for (const from of [path, import.meta.url]) {
    let tsx: string
    try {
      // tsx's CommonJS entry cannot be loaded by import(), so the ES module is named by its path.
      tsx = new URL('dist/esm/api/index.mjs', pathToFileURL(createRequire(from).resolve('tsx/package.json')))
        .href
    } catch {
      continue
    }
    const api: unknown = await import(tsx)
    const tsImport = findExport(api, 'tsImport') ?? findExport(findExport(api, 'default'), 'tsImport')
    if (isFunction(tsImport)) return async (specifier, options) => tsImport(specifier, options)
  }
  throw new StrategyFileError(
    `${path} is TypeScript, which Node ${process.versions.node} does not run: install tsx (npm install --save-dev tsx), or take Node 22.18 or later`,
  )
}

function isFunction(value: unknown): value is (...given: readonly unknown[]) => unknown {
  return typeof value === 'function'
}

/**
 * Finds the strategies that a module exports. Where the file is taken for a CommonJS module, the default export is
 * wrapped twice.
 */
function findStrategies(module: unknown): readonly Strategy[] {
  const preferred = [findExport(module, 'default'), findExport(findExport(module, 'default'), 'default')]
  const chosen = preferred.find(isStrategy)
  if (chosen !== undefined) return [chosen]
  const values = typeof module === 'object' && module !== null ? Object.values(module) : []
  return [...new Set(values.filter(isStrategy))]
}

function findExport(module: unknown, name: string): unknown {
  if (typeof module !== 'object' || module === null) return undefined
  return Object.entries(module).find(([key]) => key === name)?.[1]
}

function explainMissingStrategy(module: unknown): string {
  const value = findExport(module, 'default')
  if (value === undefined) return 'write `export default defineStrategy({ ... })`'
  return strategyProblem(value) ?? 'write `export default defineStrategy({ ... })`'
}
