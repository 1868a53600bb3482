import { createHash, type Hash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'
import { findStrategyInputs, isInstalled, type StrategyInput } from './strategy-inputs.ts'

/** How a strategy is known: by all that decides what it does, besides its market, parameters and options. */
export interface StrategyDigest {
  /** The digest itself: 32 hex digits. */
  readonly digest: string
  /** The environment variables that its own files name; their values are part of the digest. */
  readonly variables: readonly string[]
  /**
   * What comes in that cannot be known beforehand, as `file:line what`, with files as seen from the strategy's folder; the
   * digest does not cover it.
   */
  readonly unknown: readonly string[]
  /**
   * The places where its own files read the environment as a whole, or variables of computed names. They are safe in a
   * thread that has no variables but those named in `variables`, and otherwise count as unknown inputs.
   */
  readonly environment: readonly string[]
  /** The absolute paths of all files in the digest. */
  readonly files: readonly string[]
}

/**
 * Computes the digest of a strategy: of its file, of all that it imports, packages included, of the files that it names
 * where it reads, and of the environment variables that it names. Files count by their contents and by their paths
 * relative to each other; for otcsim itself its version stands.
 */
export function identifyStrategy(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): StrategyDigest {
  const main = realpathSync(file)
  const inputs = findStrategyInputs(main)
  const hash = hashFiles(inputs.files, dirname(main))
  const variables = [...inputs.variables].sort()
  for (const name of variables) hash.update(`variable ${name} ${JSON.stringify(environment[name] ?? null)}\n`)
  if (inputs.isLocal) {
    const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    hash.update(`local ${timeZone} ${locale}\n`)
  }
  const name = ({ path, line, what }: StrategyInput): string =>
    `${path === main ? basename(main) : nameFile(path, dirname(main))}:${line} ${what}`
  return {
    digest: hash.digest('hex').slice(0, 32),
    variables,
    unknown: inputs.unknown.map(name),
    environment: inputs.environment.map(name),
    files: [...inputs.files],
  }
}

/**
 * Computes the digest of the modules that a strategy consists of: what Node keeps in memory once it has loaded them.
 */
export function digestModules(file: string): string {
  const main = realpathSync(file)
  const modules = [...findStrategyInputs(main).files].filter((path) => /\.[cm]?[jt]sx?$|\.json$/.test(path))
  return hashFiles(modules, dirname(main)).digest('hex')
}

/** Hashes files by their names and contents, in the order of their names. */
function hashFiles(files: Iterable<string>, folder: string): Hash {
  const hash = createHash('sha256')
  const named = [...files].map((path) => [nameFile(path, folder), path] as const)
  named.sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [name, path] of named) {
    const contents = readContents(path)
    hash.update(`${name}\n${contents.length}\n`)
    hash.update(contents)
    hash.update('\n')
  }
  return hash
}

/** Names a file by its path from the strategy's folder; one of a package from `node_modules`, wherever that lies. */
function nameFile(path: string, folder: string): string {
  const name = relative(folder, path).replaceAll('\\', '/')
  const inside = isInstalled(path) ? /^.*\/(node_modules\/.*)$/.exec(path.replaceAll('\\', '/')) : null
  return inside?.[1] ?? (name === '' ? '.' : name)
}

/** Reads what counts of a file: a package.json also holds much that decides nothing. */
function readContents(path: string): string | Buffer {
  const bytes = readFileSync(path)
  if (!/\.(?:[cm]?[jt]sx?|json)$/.test(path)) return bytes
  // A checkout may have changed the line ends; the program is the same.
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  const manifest = basename(path) === 'package.json' ? parseJson(text) : null
  if (!isObject(manifest)) return text
  const deciding = [
    'name',
    'type',
    'main',
    'module',
    'exports',
    'imports',
    ...(isInstalled(path) ? ['version'] : []),
  ]
  return JSON.stringify(deciding.map((field) => [field, manifest[field]]))
}
