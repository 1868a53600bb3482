import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
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
   * The places in its own files where something comes in that cannot be known beforehand, such as a file with a
   * computed name, with what it is.
   */
  readonly unknown: readonly string[]
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
  const unknown: string[] = []
  let isLocal = false
  const waiting = [file]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue
    const text = readFileSync(path, 'utf8')
    for (const specifier of listSpecifiers(text)) waiting.push(...listImportedFiles(specifier, path))
    if (isInstalled(path)) continue
    const reads = findReads(text, path)
    waiting.push(...reads.files)
    unknown.push(...reads.unknown.map((place) => `${path}:${place}`))
    for (const name of listVariables(text)) variables.add(name)
    isLocal ||= localPattern.test(text)
  }
  return { files, variables, isLocal, unknown }
}

/** Returns whether a file belongs to an installed package, whose text `npm ci` keeps equal. */
export const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)

const localPattern =
  /\.get(?:Hours|Minutes|Day|Date|Month|FullYear|TimezoneOffset)\(|\.toLocale\w*\(|\bIntl\b|\bnew Date\([^()]*,/

/** Lists the specifiers of imports, re-exports, import(), require() and what createRequire() has made. */
function listSpecifiers(text: string): readonly string[] {
  const made = [...text.matchAll(/([\w$]+)\s*=\s*(?:\w+\.)?createRequire\b/g)].map(([, name = '']) => name)
  const callers = [
    '\\bfrom',
    '\\bimport',
    '\\brequire',
    '\\bresolve',
    ...made.map((name) => `\\b${quoteName(name)}`),
  ]
  const pattern = new RegExp(`(?:${callers.join('|')})\\s*\\(?\\s*(['"\`])([^'"\`\\n]+)\\1`, 'g')
  return [...text.matchAll(pattern)].map(([, , specifier = '']) => specifier)
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
  /** The lines with what is read there, such as `12 readFileSync(path)`. */
  readonly unknown: readonly string[]
}

/** Calls that read a file, or whose name says so: those of Node, and helpers such as `loadCsv('weights.csv')`. */
const readingCall =
  /\b(\w*(?:read|load|open|exists|stat|import|require|resolve|URL|Worker|Database)\w*)\s*\(/gi

/** Calls that certainly read a file, so that one whose name is not found is unknown. */
const certainRead =
  /^(?:readFileSync|readFile|createReadStream|openSync|openAsBlob|readdirSync|readdir|opendirSync|opendir|existsSync|statSync|lstatSync|DatabaseSync|import|require|Worker)$/

/** Modules that bring in what no file holds. */
const outsideModule = /['"](?:node:)?(child_process|https?|http2|net|dgram|dns|tls|os)(?:\/promises)?['"]/

/** Finds the files that calls in a text name, by literals or by a variable that is bound to one. */
function findReads(text: string, path: string): Reads {
  const files: string[] = []
  const unknown: string[] = []
  const tell = (place: number, what: string): void => {
    unknown.push(`${text.slice(0, place).split('\n').length} ${what}`)
  }
  for (const { 0: whole, 1: name = '', index } of text.matchAll(readingCall)) {
    const start = index + whole.length
    const given = text.slice(start, start + findEnd(text.slice(start, start + 1_000)))
    const isWritten = /\b(?:write|append|create(?!Read))\w*\(\s*(?:new\s+)?$/.test(text.slice(0, index))
    const isDeclared = /\bfunction\s*\*?\s*$/.test(text.slice(0, index)) || isInComment(text, index)
    if (isWritten || isDeclared) continue
    const found = listNamedFiles(given, path, text)
    files.push(...found)
    if (found.length > 0 || !certainRead.test(name) || isPackage(name, given)) continue
    tell(index, `${name}(${given.replaceAll(/\s+/g, ' ').slice(0, 60)})`)
  }
  const renamed = /\b(?:readFileSync|readFile|createReadStream|openSync|readdirSync|readdir)\s+as\s+\w+/.exec(
    text,
  )
  if (renamed !== null) tell(renamed.index, renamed[0])
  const outside = outsideModule.exec(text)
  if (outside !== null) tell(outside.index, `imports ${outside[0]}`)
  const asks = /(?<![.\w])fetch\s*\(/.exec(text)
  if (asks !== null) tell(asks.index, 'fetch()')
  return { files, unknown }
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

/** Lists the existing files that the arguments of a call name, all those of a folder included. */
function listNamedFiles(given: string, path: string, text: string): readonly string[] {
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

/** Lists the file that a literal names from the file's own folder or from the current one, or the files of a folder. */
function listFilesAt(literal: string, path: string): readonly string[] {
  const isUrl = literal.startsWith('file:')
  if (!isUrl && /^[a-z]+:/i.test(literal) && !/^[a-z]:[\\/]/i.test(literal)) return []
  const name = isUrl ? fileURLToPath(literal) : literal
  return [...new Set([resolve(dirname(path), name), resolve(name)])].flatMap((place) => {
    const found = findFile(place)
    if (found !== null) return [found]
    return /^\.*[\\/]?$/.test(literal) || !existsSync(place) ? [] : listFolder(place)
  })
}

const maximumFolderFiles = 10_000

function listFolder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .slice(0, maximumFolderFiles)
    .map((name) => join(folder, name))
    .filter((path) => !isInstalled(path) && statSync(path).isFile())
    .map((path) => realpathSync(path))
}
