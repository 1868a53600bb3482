import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createConsumer, root } from '../package/consumer.ts'
import { copyInto, listRunners, runnerPackages } from '../package/failing-tests.ts'
import { launchBrowser } from '../support/browser.ts'

/*
 * From what a failing test of each runner prints to its cause in the console: the printed command is the one action, and
 * the page it opens has the right thing selected. Needs `npm run build`.
 * @module-tag chromium
 */

const consumer = createConsumer(runnerPackages)
const runners = listRunners(copyInto(consumer))

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** Runs the command that a failing test has printed, and opens the address that it serves. */
async function openFailure(command: string, cwd: string): Promise<Page> {
  const words = command.replace('npx --no otcsim ', '').split(' ')
  const served = spawn(process.execPath, [join(root, 'dist', 'cli.cjs'), ...words, '--no-open'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    served.kill()
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    const hear = (text: Buffer): void => {
      said += text.toString()
      const [address] = /http:\S+\/__admin\/console\/#\S+(?=\s)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    }
    served.stdout.on('data', hear)
    served.stderr.on('data', hear)
    served.once('exit', () => reject(new Error(said)))
  })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  onTestFinished(() => page.close())
  await page.goto(url)
  return page
}

/** The lines of a runner's output that are about one test: from its name to the command that opens the console. */
function findCommand(said: string, sentence: RegExp): string {
  const from = said.search(sentence)
  const [, command = ''] = /to see it: (npx --no otcsim show \S+)/.exec(said.slice(from)) ?? []
  expect(command, said).not.toBe('')
  return command
}

const selected = (page: Page) => page.locator('[aria-pressed="true"]', { hasText: 'ord_1' })

describe('a failing test leads to its cause', { timeout: 330_000 }, () => {
  for (const { name, tags, make, start } of runners) {
    it(`from the output of ${name}`, { tags }, async () => {
      const folder = make()
      const [program, ...words] = start(folder)
      const { said } = await consumer.run(program, words, folder)

      const resting = await openFailure(findCommand(said, /ord_1 \(buy 0\.1 BTC @ 90,000\) is open/), folder)
      await resting.locator('.banner.failure .answer', { hasText: 'ord_1' }).waitFor()
      await selected(resting).first().waitFor()
      await resting.locator('.inspector', { hasText: 'POST /api/sdk/orders' }).waitFor()
      expect(await resting.locator('label:has-text("Account") select').inputValue()).toBe('trader')

      const lost = await openFailure(findCommand(said, /the answer of POST \/orders .* was lost/), folder)
      await lost.locator('.banner.failure .answer', { hasText: 'flt_1 reset_peer' }).waitFor()
      await lost.locator('.inspector', { hasText: 'flt_1' }).waitFor()

      const silent = await openFailure(findCommand(said, /nothing was asked/), folder)
      await silent.locator('.banner.failure .answer', { hasText: 'nothing was asked' }).waitFor()
    })
  }
})
