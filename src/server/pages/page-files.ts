import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One file of a page, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
}

/** What the docs page is made of, by the last part of its path. Nothing else is ever read. */
const types: ReadonlyMap<string, string> = new Map([
  ['index.html', 'text/html; charset=utf-8'],
  ['docs.css', 'text/css; charset=utf-8'],
  ['docs.js', 'text/javascript; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
])

export function isPageFile(name: string): boolean {
  return types.has(name)
}

/** Reads each file when it is first asked for, and once. Null where the package has not been built. */
export function pageFiles(): (name: string) => PageFile | null {
  const held = new Map<string, PageFile>()
  return (name) => {
    const known = held.get(name)
    if (known !== undefined) return known
    const type = types.get(name)
    const folder = folderOfPages()
    if (type === undefined || folder === null) return null
    const bytes = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const file: PageFile = { type, etag, bytes }
    held.set(name, file)
    return file
  }
}

/** Beside the bundle, or where the build puts it, seen from this source file. */
function folderOfPages(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, 'docs'), join(here, '..', '..', '..', 'dist', 'docs')]
  return candidates.find((candidate) => existsSync(join(candidate, 'swagger-ui-bundle.js'))) ?? null
}
