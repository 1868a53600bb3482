import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, parseJson } from '../../api/json.ts'

/*
 * Where an import may lead. Node chooses one file by conditions (`import`, `require`, `node` and others); here every
 * file that some condition names is listed, so that an identity built of them is never narrower than what is loaded.
 */

const fileEndings = ['', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js']

/** Finds the file of a path as loaders of TypeScript do: `./x.js` may be `./x.ts`. Null where there is none. */
export function findFile(path: string): string | null {
  const bases = [path, path.replace(/\.([cm]?)js$/, '.$1ts')]
  const candidates = bases.flatMap((base) => fileEndings.map((ending) => base + ending))
  const found = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
  return found === undefined ? null : realpathSync(found)
}

/**
 * Lists the files that a specifier may name in a file: a relative path, a name of package.json's `imports` such as
 * `#own/x`, the package's own name, or a package of any `node_modules` above. The package.json that decided is among
 * them. Node's own modules, and otcsim itself, for which its version stands, give none.
 */
export function listImportedFiles(specifier: string, importer: string): readonly string[] {
  const folder = dirname(importer)
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return listFound([join(folder, specifier)])
  if (specifier.startsWith('#')) {
    const manifest = findManifest(folder)
    return manifest === null ? [] : listTargets(manifest, manifest.fields['imports'], specifier)
  }
  const named = /^((?:@[^/]+\/)?[^/@:]+)(?:\/(.+))?$/.exec(specifier)
  const [, name = '', inside] = named ?? []
  if (named === null || name === ownName) return []
  const manifest = findPackage(folder, name)
  if (manifest === null) return []
  const { exports } = manifest.fields
  const subpath = inside === undefined ? '.' : `./${inside}`
  if (exports !== undefined) {
    const isMap = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'))
    return listTargets(manifest, isMap ? exports : { '.': exports }, subpath)
  }
  const entries =
    inside === undefined ? [manifest.fields['main'], manifest.fields['module'], 'index'] : [inside]
  const paths = entries.flatMap((entry) => (typeof entry === 'string' ? [join(manifest.folder, entry)] : []))
  return [manifest.path, ...listFound(paths)]
}

const ownName = 'otcsim'

interface Manifest {
  readonly path: string
  readonly folder: string
  readonly fields: Readonly<Record<string, unknown>>
}

function readManifest(folder: string): Manifest | null {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return null
  const fields = parseJson(readFileSync(path, 'utf8'))
  return isObject(fields) ? { path: realpathSync(path), folder: realpathSync(folder), fields } : null
}

/** Finds the package.json that a folder belongs to. */
function findManifest(folder: string): Manifest | null {
  const found = readManifest(folder)
  const above = dirname(folder)
  return found ?? (above === folder ? null : findManifest(above))
}

/** Finds a package by its name: the one that the folder belongs to, if it exports itself, or one installed above. */
function findPackage(folder: string, name: string): Manifest | null {
  const own = findManifest(folder)
  if (own !== null && own.fields['name'] === name && own.fields['exports'] !== undefined) return own
  for (let at = folder; ; at = dirname(at)) {
    const found = readManifest(join(at, 'node_modules', name))
    if (found !== null) return found
    if (dirname(at) === at) return null
  }
}

/** Lists the files that a map of `imports` or `exports` gives a name, under any condition. */
function listTargets(manifest: Manifest, map: unknown, name: string): readonly string[] {
  if (!isObject(map)) return []
  const paths: string[] = []
  const others: string[] = []
  for (const [key, target] of Object.entries(map)) {
    const [start = '', end] = key.split('*')
    const isMatch =
      end === undefined
        ? key === name
        : name.length >= key.length - 1 && name.startsWith(start) && name.endsWith(end)
    if (!isMatch) continue
    const star = end === undefined ? '' : name.slice(start.length, name.length - end.length)
    for (const text of listTexts(target).map((one) => one.replaceAll('*', star)))
      (text.startsWith('./') ? paths : others).push(text)
  }
  const elsewhere = others.flatMap((other) => listImportedFiles(other, manifest.path))
  return [manifest.path, ...listFound(paths.map((path) => join(manifest.folder, path))), ...elsewhere]
}

function listTexts(target: unknown): readonly string[] {
  if (typeof target === 'string') return [target]
  if (Array.isArray(target)) return target.flatMap(listTexts)
  return isObject(target) ? Object.values(target).flatMap(listTexts) : []
}

function listFound(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => findFile(path) ?? []))]
}
