import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Page, renderPage } from '../../pages/page.ts'
import type { ZoomChart } from '../../pages/pictures.ts'

export function createZoomPage(page: Page, zooms: readonly ZoomChart[], assets: PageAssets): string {
  const { plotStyle, pageScript } = assets
  const data = { id: 'zoom-data', value: zooms }
  const script = { style: plotStyle, scripts: [pageScript], data }
  return renderPage(zooms.length === 0 ? page : { ...page, script }, hashSource)
}

/** Returns the source expression that allows an inline script or style with this text in a Content-Security-Policy. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** The files that the build prepares for reports: the zoom script, which includes uPlot, and uPlot's style. */
export interface PageAssets {
  readonly plotStyle: string
  readonly pageScript: string
}

/**
 * Reads the files that reports embed; later calls return them from memory. Throws where the package has not been built.
 */
export function readPageAssets(): PageAssets {
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

/**
 * Prepares a script for embedding: line feeds alone, because browsers hash the text in that form, and no `</script` in
 * it.
 */
const toScriptText = (text: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('</script', '<\\/script').trim()

/**
 * Finds the folder of the built files: beside the bundle, or in `dist` relative to this source file. Returns null where
 * there is none.
 */
function findAssetFolder(): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  const candidates = [join(here, 'report'), join(here, '..', '..', '..', 'dist', 'report')]
  return candidates.find((candidate) => existsSync(join(candidate, 'report.js'))) ?? null
}
