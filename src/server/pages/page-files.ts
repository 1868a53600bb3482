import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One file of a page, ready to be sent. */
export interface PageFile {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
}

/** The pages, by the folder that they are built into. */
export const pageNames = ['docs', 'console', 'guides'] as const
export type PageName = (typeof pageNames)[number]

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'
const svg = 'image/svg+xml'

/** The files of each page, by the last part of their path. No other file is ever read. */
const types: { readonly [page in PageName]: ReadonlyMap<string, string> } = {
  docs: new Map([
    ['index.html', html],
    ['docs.css', css],
    ['docs.js', javascript],
    ['icon.svg', svg],
    ['swagger-ui.css', css],
    ['swagger-ui-bundle.js', javascript],
    ['theme.js', javascript],
  ]),
  guides: new Map([
    ['index.html', html],
    ['guides.css', css],
    ['guides.js', javascript],
    ['icon.svg', svg],
    ['theme.js', javascript],
  ]),
  console: new Map([
    ['index.html', html],
    ['console.css', css],
    ['console.js', javascript],
    ['icon.svg', svg],
    ['theme.js', javascript],
  ]),
}

export function isPageFile(page: PageName, name: string): boolean {
  return types[page].has(name)
}

/** Reads each file once, when it is first asked for. Null where the package has not been built. */
export function pageFiles(): (page: PageName, name: string) => PageFile | null {
  const held = new Map<string, PageFile>()
  return (page, name) => {
    const known = held.get(`${page}/${name}`)
    if (known !== undefined) return known
    const type = types[page].get(name)
    const folder = folderOf(page)
    if (type === undefined || folder === null) return null
    const bytes = readFileSync(join(folder, name))
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const file: PageFile = { type, etag, bytes }
    held.set(`${page}/${name}`, file)
    return file
  }
}

/** Beside the bundle, or where the build puts it, relative to this source file. The page itself is built last. */
function folderOf(page: PageName): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, page), join(here, '..', '..', '..', 'dist', page)]
  return (
    candidates.find((folder) => [...types[page].keys()].every((name) => existsSync(join(folder, name)))) ??
    null
  )
}
