import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, pageText } from '../../pages/page.ts'
import type { ZoomChart } from '../../pages/pictures.ts'

export function createZoomPage(page: Page, zooms: readonly ZoomChart[], assets: PageAssets): string {
  const { plotStyle, pageScript } = assets
  const data = { id: 'zoom-data', value: zooms }
  const script = { style: plotStyle, scripts: [pageScript], data }
  return pageText(zooms.length === 0 ? page : { ...page, script }, sourceHash)
}

/** What a page's policy calls a text that stands in it. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** What the build prepares for reports: our script for zooming, with uPlot in it, and uPlot's style. */
export interface PageAssets {
  readonly plotStyle: string
  readonly pageScript: string
}

/** Reads them once. Throws where the package has not been built. */
export function pageAssets(): PageAssets {
  if (cachedAssets !== null) return cachedAssets
  const folder = findAssetFolder()
  if (folder === null) throw new Error('reports need the built package: npm run build')
  const read = (name: string): string => toScriptText(readFileSync(join(folder, name), 'utf8'))
  cachedAssets = {
    plotStyle: read('uPlot.min.css'),
    pageScript: read('report.js'),
  }
  return cachedAssets
}

let cachedAssets: PageAssets | null = null

/** A script within a page: one form of line ends, because browsers hash it, and no early end. */
const toScriptText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('</script', '<\\/script').trim()

/** Beside the bundle, or where the build puts it, relative to this source file. */
function findAssetFolder(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, 'report'), join(here, '..', '..', '..', 'dist', 'report')]
  return candidates.find((candidate) => existsSync(join(candidate, 'report.js'))) ?? null
}
