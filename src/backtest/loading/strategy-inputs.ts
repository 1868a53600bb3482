import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFile, listImportedFiles } from './package-files.ts'

/** What decides how a strategy behaves, besides its market, parameters and options. */
export interface StrategyInputs {
  /** The absolute paths of its file, of all that it imports, and of the files that it names where it reads. */
  readonly files: ReadonlySet<string>
  /** The names of the environment variables that its own files name. */
  readonly variables: ReadonlySet<string>
  /** Whether its own files ask for the local time or language. */
  readonly isLocal: boolean
  /**
   * Where something comes in that cannot be known beforehand, such as a file with a computed name, or the network, which
   * an installed package may ask, too.
   */
  readonly unknown: readonly StrategyInput[]
  /** Where its own files look at the environment as a whole, or by computed names. */
  readonly environment: readonly StrategyInput[]
}

/** A place in a file where something comes in. */
export interface StrategyInput {
  readonly path: string
  readonly line: number
  readonly what: string
}

/**
 * Finds what decides a strategy, by the texts of its files. Imports are followed into packages, too; what is read is
 * looked for in own files only, those outside of `node_modules`.
 *
 * Choice: texts are searched by patterns that find too much rather than too little. What looks like an import inside of
 * a comment does no harm, because usually no such file exists.
 */
export function findStrategyInputs(file: string): StrategyInputs {
  const files = new Set<string>()
  const variables = new Set<string>()
  const unknown: StrategyInput[] = []
  const environment: StrategyInput[] = []
  let isLocal = false
  const waiting = [file]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    const specifiers = listSpecifiers(text)
    for (const { specifier } of specifiers) waiting.push(...listImportedFiles(specifier, path))
    const toInput = ({ index, what }: Found): StrategyInput => ({
      path,
      line: text.slice(0, index).split('\n').length,
      what,
    })
    const outside = specifiers.find((one) => isOutside(one, text, isInstalled(path)))
    if (outside !== undefined) unknown.push(toInput({ ...outside, what: `imports '${outside.specifier}'` }))
    if (isInstalled(path)) continue
    const reads = findReads(text, path)
    waiting.push(...reads.files)
    unknown.push(...[...reads.unknown, ...findGlobalRequests(text)].map(toInput))
    for (const name of listVariables(text)) variables.add(name)
    environment.push(...findWholeEnvironment(text).map(toInput))
    isLocal ||= localPattern.test(text)
  }
  return { files, variables, isLocal, unknown, environment }
}

/** Returns whether a file belongs to an installed package, whose text `npm ci` keeps equal. */
export const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)

const localPattern =
  /\.get(?:Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)\(|\.toLocale\w*\(|\bIntl\b|\bnew Date\([^()]*,/

/** Something in a text, at an index. */
interface Found {
  readonly index: number
  readonly what: string
}

interface Specifier {
  readonly index: number
  readonly specifier: string
}

/** Lists the specifiers of imports, re-exports, import(), require() and what createRequire() has made. */
function listSpecifiers(text: string): readonly Specifier[] {
  const made = [...text.matchAll(/([\w$]+)\s*=\s*(?:\w+\.)?createRequire\b/g)].map(([, name = '']) => name)
  const callers = [
    '\\bfrom',
    '\\bimport',
    '\\brequire',
    '\\bresolve',
    '\\bgetBuiltinModule',
    ...made.map((name) => `\\b${quoteName(name)}`),
  ]
  const pattern = new RegExp(`(?:${callers.join('|')})\\s*\\(?\\s*(['"\`])([^'"\`\\n]+)\\1`, 'g')
  return [...text.matchAll(pattern)].map(({ 2: specifier = '', index }) => ({ index, specifier }))
}

/**
 * Returns whether an import brings in what no file holds: subprocesses, the network, the machine. Types bring in nothing.
 * The packages in use here look at the machine for colours and the like, and so may others.
 */
function isOutside({ index, specifier }: Specifier, text: string, isPackage: boolean): boolean {
  const [, name = ''] = /^(?:node:)?(\w+)(?:\/promises)?$/.exec(specifier) ?? []
  if (!askingModules.has(name) && (isPackage || !machineModules.has(name))) return false
  const statement = text.slice(text.lastIndexOf('import', index), index)
  return !/^import\s+type\b[^;'"`]*$/.test(statement) && (isPackage || !isInComment(text, index))
}

const askingModules: ReadonlySet<string> = new Set([
  ...['child_process', 'cluster', 'dgram', 'http', 'http2', 'https', 'net', 'tls'],
])
const machineModules: ReadonlySet<string> = new Set(['dns', 'os'])

/** Finds where a text asks the network by what is there without an import. */
function findGlobalRequests(text: string): readonly Found[] {
  const pattern =
    /(?<![.\w'"`])(fetch\s*\(|new\s+(?:WebSocket|EventSource|XMLHttpRequest)\b)|\bglobalThis\s*\.\s*fetch\b/g
  const first = [...text.matchAll(pattern)].find(({ index }) => !isInComment(text, index))
  if (first === undefined) return []
  const [whole] = first
  return [{ index: first.index, what: whole.replaceAll(/\s+/g, ' ').replace(/\s*\($/, '()') }]
}

/** Finds where a text looks at the environment as a whole, or by a computed name. */
function findWholeEnvironment(text: string): readonly Found[] {
  return [...text.matchAll(/\benv\b(?!\s*(?:\?\.|\.)\s*[A-Za-z_])/g)]
    .filter(({ index }) => {
      const [before, after] = [text.slice(0, index), text.slice(index + 'env'.length)]
      const isEnvironment = /\bprocess\s*(?:\?\.|\.)\s*$/.test(before) || /^\s*(?:\?\.)?\[/.test(after)
      const isNamed = /^\s*(?:\?\.)?\[\s*(['"`])\w+\1\s*\]/.test(after)
      const isTaken = /\{[^{}.]*\}\s*=\s*(?:[\w.]+\.)?$/.test(before)
      return isEnvironment && !isNamed && !isTaken && !isInComment(text, index)
    })
    .map(({ index }) => ({ index, what: 'all of process.env' }))
}

const quoteName = (name: string): string => name.replaceAll('$', '\\$')

/** Lists the names of environment variables: `process.env.NAME`, `env['NAME']`, `const { NAME } = process.env`. */
function listVariables(text: string): readonly string[] {
  const single = [...text.matchAll(/\benv\s*(?:\?\.|\.)\s*([A-Za-z_]\w*)/g)]
  const quoted = [...text.matchAll(/\benv\s*(?:\?\.)?\[\s*(?:'|"|`)(\w+)(?:'|"|`)\s*\]/g)]
  const several = [...text.matchAll(/\{([^{}]*)\}\s*=\s*(?:[\w.]+\.)?env\b/g)].flatMap(([, names = '']) => [
    ...names.matchAll(/(?:^|,)\s*['"]?([A-Za-z_]\w*)/g),
  ])
  return [...single, ...quoted, ...several].map(([, name = '']) => name)
}

interface Reads {
  readonly files: readonly string[]
  readonly unknown: readonly Found[]
}

/** Calls that read a file, or whose name says so: those of Node, and helpers such as `loadCsv('weights.csv')`. */
const readingCall =
  /\b(\w*(?:read|load|open|exists|stat|import|require|resolve|URL|Worker|Database)\w*)\s*\(/gi

const fileFunctions =
  'readFileSync|readFile|createReadStream|openSync|openAsBlob|readdirSync|readdir|opendirSync|opendir|existsSync|statSync|lstatSync|DatabaseSync'

/** Calls that certainly read a file, so that one whose name is not found is unknown. */
const certainRead = new RegExp(`^(?:${fileFunctions}|import|require|Worker)$`)

/** Finds the files that calls in a text name, by literals or by a variable that is bound to one. */
function findReads(text: string, path: string): Reads {
  const files: string[] = []
  const unknown: Found[] = []
  for (const { 0: whole, 1: name = '', index } of text.matchAll(readingCall)) {
    const start = index + whole.length
    const given = text.slice(start, start + findEnd(text.slice(start, start + 1_000)))
    const isWritten = /\b(?:write|append|create(?!Read))\w*\(\s*(?:new\s+)?$/.test(text.slice(0, index))
    const isDeclared = /\bfunction\s*\*?\s*$/.test(text.slice(0, index)) || isInComment(text, index)
    if (isWritten || isDeclared) continue
    const found = listNamedFiles(given, path, text)
    files.push(...found.flatMap((part) => part ?? []))
    const isAllKnown = found.length > 0 && found.every((part) => part !== null)
    if (isAllKnown || !certainRead.test(name) || isPackage(name, given)) continue
    unknown.push({ index, what: `${name}(${given.replaceAll(/\s+/g, ' ').slice(0, 60)})` })
  }
  return { files, unknown: [...unknown, ...findRenamedReads(text)] }
}

/** Finds the first function that reads files and is not called by its own name, so that its calls are not seen. */
function findRenamedReads(text: string): readonly Found[] {
  for (const { 0: name, index } of text.matchAll(new RegExp(`\\b(?:${fileFunctions})\\b(?!\\s*\\()`, 'g'))) {
    const [before, after] = [text.slice(0, index), text.slice(index + name.length)]
    // Names that are imported, or taken from a module, as they are.
    const isListed = /\{[\w\s,$]*$/.test(before) && /^\s*[,}]/.test(after)
    const isWord = /['"`]$/.test(before) && !/\[\s*['"`]$/.test(before)
    if (isListed || isWord || isInComment(text, index)) continue
    return [{ index, what: `${name}${/^\s*(?:as|:)\s*[\w$]+/.exec(after)?.[0] ?? ' by another name'}` }]
  }
  return []
}

/** Returns whether an import names a package or a module of Node's: no file of one's own. */
const isPackage = (name: string, given: string): boolean =>
  /^(?:import|require)$/i.test(name) && /^\s*(['"`])(?!\.{0,2}\/)[^'"`$]+\1/.test(given)

/** Returns whether a place in a text is in a comment of its line. */
function isInComment(text: string, place: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', place) + 1, place)
  return /^\s*(?:\*|\/\*)|(?:^|[^:])\/\//.test(line)
}

/** Returns the length of a call's arguments: up to the parenthesis that closes it. */
function findEnd(text: string): number {
  let depth = 1
  for (let place = 0; place < text.length; place += 1) {
    if (text[place] === '(') depth += 1
    if (text[place] === ')') depth -= 1
    if (depth === 0) return place
  }
  return text.length
}

/** Lists the existing files that the arguments of a call name; null stands for a folder whose files are not listed. */
function listNamedFiles(given: string, path: string, text: string): readonly (string | null)[] {
  const bound = [...given.matchAll(/(?<![.\w'"`])[A-Za-z_$][\w$]*/g)].flatMap(([name]) =>
    [
      ...text.matchAll(
        new RegExp(
          `(?:const|let|var)\\s+${quoteName(name)}\\b[^=;\\n]*=([^;\\n]*)|\\b${quoteName(name)}\\s+of\\b([^;\\n]*)`,
          'g',
        ),
      ),
    ].map(([, value = '', values = '']) => value + values),
  )
  return listLiterals([given, ...bound].join('\n')).flatMap((literal) => listFilesAt(literal, path))
}

/** Lists what may be a literal of a text: all that stands between two equal quotes of a line. */
function listLiterals(text: string): readonly string[] {
  return [
    ...new Set([...text.matchAll(/(?=(['"`])([^'"`\n]{1,300})\1)/g)].map(([, , literal = '']) => literal)),
  ]
}

/**
 * Lists the file that a literal names from the file's own folder or from the current one, or the files of a folder; null
 * for a folder that holds the strategy or too much to be listed.
 */
function listFilesAt(literal: string, path: string): readonly (string | null)[] {
  const isUrl = literal.startsWith('file:')
  if (!isUrl && /^[a-z]+:/i.test(literal) && !/^[a-z]:[\\/]/i.test(literal)) return []
  const name = isUrl ? fileURLToPath(literal) : literal
  return [...new Set([resolve(dirname(path), name), resolve(name)])].flatMap(
    (place): readonly (string | null)[] => {
      const found = findFile(place)
      if (found !== null) return [found]
      return /^\.*[\\/]?$/.test(literal) || !existsSync(place) ? [] : (listFolder(place, path) ?? [null])
    },
  )
}

const maximumFolderFiles = 10_000

/** Lists the files of a folder; null where it holds the strategy itself, can't be read, or has too many files. */
function listFolder(folder: string, strategy: string): readonly string[] | null {
  const inside = relative(folder, strategy)
  if (!isAbsolute(inside) && !/^\.\.(?:[\\/]|$)/.test(inside)) return null
  let names: readonly string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return null
  }
  if (names.length > maximumFolderFiles) return null
  return names
    .map((name) => join(folder, name))
    .filter((path) => !isInstalled(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => realpathSync(path))
}
