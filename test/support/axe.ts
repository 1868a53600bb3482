import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds in a part of a page, of whatever impact, by WCAG 2.2 A and AA and by its own practices; one line per element. */
export async function accessibilityFlaws(page: Page, part = 'html'): Promise<readonly string[]> {
  // The pages' content security policy blocks added scripts; `evaluate` is not subject to it.
  await page.evaluate(axe)
  return page.evaluate(async (selector) => {
    const { violations } = await Reflect.get(globalThis, 'axe').run(selector, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
    )
  }, part)
}
