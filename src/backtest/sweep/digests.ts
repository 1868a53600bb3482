import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Hash128 } from '../../numeric/hash.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'

/**
 * Computes the digest of a strategy's file and of all its own files that it imports, from their texts and their paths
 * relative to each other. Packages are left out: like the version of Node, they are what `npm ci` keeps equal.
 */
export function strategyDigest(file: string): string {
  const hash = createHash('sha256')
  const texts = new Map<string, string>()
  collectFiles(file, texts)
  const root = dirname(file)
  const named = [...texts].map(([path, text]) => [relative(root, path).replaceAll('\\', '/'), text] as const)
  named.sort(([left], [right]) => (left < right ? -1 : 1))
  for (const [path, text] of named) {
    // A checkout may have changed the line ends; the program is the same.
    const lines = text.replaceAll('\r\n', '\n')
    hash.update(`${path === '' ? '.' : path}\n${lines.length}\n${lines}\n`)
  }
  return hash.digest('hex').slice(0, 32)
}

function collectFiles(file: string, texts: Map<string, string>): void {
  if (texts.has(file)) return
  const text = readFileSync(file, 'utf8')
  texts.set(file, text)
  for (const [, specifier = ''] of text.matchAll(importPattern)) {
    const found = resolveFile(join(dirname(file), specifier))
    if (found !== null) collectFiles(found, texts)
  }
}

/**
 * Matches relative specifiers of imports, re-exports, import() and require(). One inside a string does no harm, because
 * no such file exists.
 */
const importPattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

const fileEndings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** Finds the file of a relative import as loaders of TypeScript do: `./x.js` may be `./x.ts`. */
function resolveFile(path: string): string | null {
  const bases = [path, path.replace(/\.([cm]?)js$/, '.$1ts')]
  const candidates = bases.flatMap((base) => fileEndings.map((ending) => base + ending))
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null
}

/**
 * Computes the digest of a compiled scenario, recordings included. Unlike a digest of its text, it does not depend on
 * comments, the order of keys or the place of the file. It includes the scenario's own seed, which a run replaces.
 */
export function scenarioDigest(scenario: CompiledScenario): string {
  const hash = new Hash128()
  addValue(hash, scenario)
  return hash.digest()
}

/** Fields that say where something stands in a file; they do not change what the scenario does. */
const leftOut: ReadonlySet<string> = new Set(['file', 'place', 'momentPlace'])

function addValue(hash: Hash128, value: unknown): void {
  if (value instanceof Map) {
    hash.addText('map')
    for (const [key, item] of value) addEntry(hash, String(key), item)
    hash.addText('end')
  } else if (Array.isArray(value) || value instanceof Float64Array) {
    hash.addText('list')
    for (const item of value) addValue(hash, item)
    hash.addText('end')
  } else if (typeof value === 'object' && value !== null) {
    hash.addText('record')
    for (const [key, item] of Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      if (!leftOut.has(key)) addEntry(hash, key, item)
    hash.addText('end')
  } else if (typeof value === 'number') {
    hash.addInteger(value)
  } else {
    hash.addText(`${typeof value} ${String(value)}`)
  }
}

function addEntry(hash: Hash128, key: string, value: unknown): void {
  hash.addText(key)
  addValue(hash, value)
}
