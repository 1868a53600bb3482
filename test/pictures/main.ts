import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startVenue } from '../../src/testing/entry.ts'
import { launchBrowser } from '../support/browser.ts'

/*
 * `npx tsx test/pictures/main.ts` makes the pictures of the guides, from fixed seeds: the console in the middle of a crash, and the report
 * of a backtest, as a user sees them.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'otcsim-pictures-'))
const browser = await launchBrowser()
const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1440, height: 1080 } })

await pictureConsole()
await pictureReport()

await browser.close()
rmSync(folder, { recursive: true })

async function pictureConsole(): Promise<void> {
  const venue = await startVenue({ scenario: 'flash-crash', clock: { mode: 'manual' } })
  const { world } = venue
  const trader = world.client('trader')
  world.advance('30m')
  for (const price of [58_500, 57_000, 54_000, 51_500]) {
    const clientOrderId = `bid-${price}`
    await trader.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.25, price, clientOrderId })
    world.advance('2m')
  }
  // Refused, so that the picture has a refusal and its reason.
  await trader.orders.create({ side: 'buy', asset: 'BTC', quantity: 9, price: 60_000 }).catch(() => null)
  world.advance('45s')
  await page.goto(`${venue.adminUrl}/console/#world=default&account=trader&asset=BTC`)
  await page.getByText('422 order value').first().click()
  await page.getByText('still reading').waitFor({ state: 'hidden' })
  const drawn = page.waitForResponse((response) => response.url().includes('/history/prices'))
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await drawn
  await page.screenshot({ path: join(root, 'src/console/console.png') })
  await venue.close()
}

async function pictureReport(): Promise<void> {
  const report = join(folder, 'report.html')
  const strategy = 'scenarios/strategies/market-maker.ts'
  const words = [
    'backtest',
    strategy,
    '--scenario',
    'calm',
    '--to',
    '12h',
    '--equity-grid',
    '1m',
    '--html',
    report,
  ]
  execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), ...words], { cwd: root, stdio: 'ignore' })
  await page.goto(pathToFileURL(report).href)
  // Its charts say more than its first screen.
  await page
    .getByRole('heading', { name: 'Equity and drawdown' })
    .evaluate((heading) => heading.scrollIntoView())
  await page.screenshot({ path: join(root, 'src/backtest/report/report.png') })
}
