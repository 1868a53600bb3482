import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { otcsim, type Served, serve } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { complaintsOf, isNoError, launchBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * Notes on moments in real browsers: everybody who looks at the world has them, and so has who opens its journal.
 * @module-tag chromium
 */

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

/** Opens a console in a browser of its own. */
async function open(address: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const complaints = complaintsOf(page, {
    request: (url) => new URL(url).origin === new URL(address).origin,
    message: isNoError,
  })
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Note on this moment' }).waitFor()
  return { page, complaints, close: () => context.close() }
}

const consoleOf = ({ url }: Served, words = 'world=default') => `${url}/__admin/console/#${words}`
const choice = (page: Page) => page.getByRole('combobox', { name: 'Go to a note' })
const listed = (page: Page) => choice(page).locator('option').allTextContents()

async function writeNote(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Note on this moment' }).fill(text)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
}

it('are seen by another browser at once, and gone from its address when they are removed', async () => {
  const first = await serve(['--port', '0', '--clock', 'manual'], { cwd: temporaryFolder() })
  const [mine, other] = [await open(consoleOf(first)), await open(consoleOf(first))]
  await writeNote(mine.page, 'here it begins')
  await expect.poll(() => listed(other.page)).toEqual(['1 note', expect.stringMatching(/ here it begins$/)])
  await expect.poll(() => new URL(other.page.url()).hash).toContain('here%20it%20begins')
  await adminRequest(first, 'POST', '/worlds/default/clock/advance', { byMs: 60_000 })
  await writeNote(other.page, 'a minute on')
  await expect.poll(() => listed(mine.page)).toHaveLength(3)
  // The first one is removed by the other browser, and goes from the address here, too.
  await choice(other.page).selectOption({ index: 1 })
  await expect
    .poll(() => other.page.getByRole('textbox', { name: 'Note on this moment' }).inputValue())
    .toBe('here it begins')
  await writeNote(other.page, '')
  await expect.poll(() => listed(mine.page)).toEqual(['1 note', expect.stringMatching(/ a minute on$/)])
  expect(new URL(mine.page.url()).hash).not.toContain('begins')
  for (const { complaints, close } of [mine, other]) {
    expect(complaints).toEqual([])
    await close()
  }
})

it('outlive the process, and are in what show makes of the journal', async () => {
  const cwd = temporaryFolder()
  const words = ['--port', '0', '--clock', 'manual', '--journal', 'venue.journal']
  const first = await serve(words, { cwd })
  const before = await open(consoleOf(first))
  await writeNote(before.page, 'here it begins')
  await choice(before.page).waitFor()
  await before.close()
  await first.finished()
  const second = await serve(words, { cwd })
  const later = await open(consoleOf(second))
  await expect.poll(() => listed(later.page)).toEqual(['1 note', expect.stringMatching(/ here it begins$/)])
  await later.close()
  await second.finished()

  const { code } = await otcsim(['show', 'venue.journal', '--html', 'page.html'], { cwd })
  expect(code).toBe(0)
  const page = await browser.newPage()
  await page.goto(`file://${join(cwd, 'page.html')}`)
  await expect.poll(() => listed(page)).toEqual(['1 note', expect.stringMatching(/ here it begins$/)])
  // A recording takes notes into its address alone.
  await writeNote(page, 'changed here')
  await expect.poll(() => new URL(page.url()).hash).toContain('changed%20here')
  expect(readFileSync(join(cwd, 'venue.notes.json'), 'utf8')).not.toContain('changed')
  await page.close()
})

it('come with an address, which writes nothing beside the journal', async () => {
  const served = await serve(['--port', '0', '--clock', 'manual'], { cwd: temporaryFolder() })
  const at = '2026-01-05T00:00:00.000Z'
  const { page, close } = await open(consoleOf(served, `world=default&note=0@${at}:look+here`))
  await expect.poll(() => listed(page)).toEqual(['1 note', expect.stringMatching(/ look here$/)])
  await expect
    .poll(async () => (await adminRequest(served, 'GET', '/worlds/default/notes')).text)
    .toBe('{"notes":[]}')
  await close()
})

it('come with a journal that is dropped on the page, and when they are refused, no world is left of it', async () => {
  const served = await serve(['--port', '0', '--clock', 'manual'], { cwd: temporaryFolder() })
  await adminRequest(served, 'POST', '/worlds/default/clock/advance', { byMs: 60_000 })
  const journal = (await adminRequest(served, 'GET', '/worlds/default/journal')).text
  const { page, close } = await open(consoleOf(served))
  const dropWith = (notes: string) => {
    const files = [
      { name: 'it.journal', text: journal },
      { name: 'it.notes.json', text: notes },
    ]
    return page.evaluate(`{
      const dataTransfer = new DataTransfer()
      for (const { name, text } of ${JSON.stringify(files)}) dataTransfer.items.add(new File([text], name))
      for (const type of ['dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
    }`)
  }
  const countWorlds = async () =>
    Object(JSON.parse((await adminRequest(served, 'GET', '/worlds')).text)).worlds.length
  expect(await countWorlds()).toBe(1)
  const noteAt = (at: string, text: string) => JSON.stringify({ notes: [{ sequence: 1, at, text }] })
  await dropWith(noteAt('2027-01-05T00:01:00.000Z', 'not yet'))
  await page.locator('.message.bad', { hasText: 'notes[0]' }).waitFor()
  expect(await countWorlds()).toBe(1)
  await dropWith(noteAt('2026-01-05T00:01:00.000Z', 'a minute on'))
  await expect.poll(() => listed(page)).toEqual(['1 note', expect.stringMatching(/ a minute on$/)])
  expect(await countWorlds()).toBe(2)
  await close()
})
