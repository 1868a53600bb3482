import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * The digest of a strategy's file and of all its own files that it imports, by their contents and their places
 * relative to each other. Packages are left out: like the version of Node, they are what `npm ci` keeps equal.
 */
export function strategyDigest(file: string): string {
  const hash = createHash('sha256')
  const texts = new Map<string, string>()
  gather(file, texts)
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

function gather(file: string, texts: Map<string, string>): void {
  if (texts.has(file)) return
  const text = readFileSync(file, 'utf8')
  texts.set(file, text)
  for (const [, specifier = ''] of text.matchAll(importPattern)) {
    const found = resolveFile(join(dirname(file), specifier))
    if (found !== null) gather(found, texts)
  }
}

/**
 * Relative specifiers of imports, re-exports, import() and require(). One inside a text does no harm: no such file
 * exists.
 */
const importPattern = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g

const endings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** As loaders of TypeScript find it: `./x.js` may be `./x.ts`. */
function resolveFile(path: string): string | null {
  const bases = [path, path.replace(/\.([cm]?)js$/, '.$1ts')]
  const candidates = bases.flatMap((base) => endings.map((ending) => base + ending))
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null
}
