import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core'
import { unpackedChromium } from './packed-chromium.ts'
import { findProgram, isMissing, lackOf } from './wanted-programs.ts'

const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking']

/** An installed Chromium, or the packed one. Files of tests that launch it have the tag `chromium`. */
export async function launchBrowser(): Promise<Browser> {
  if (isMissing('chromium')) throw new Error(lackOf('chromium'))
  const args = flags.map((flag) => `--${flag}`)
  const installed = findProgram('chromium')
  if (installed !== null) return await chromium.launch({ executablePath: installed, args })
  const { executablePath, env } = await unpackedChromium()
  // Under LANG=C its language is `en-US@posix`, which Intl refuses.
  return await chromium.launch({ executablePath, args, env: { ...process.env, ...env, LANG: 'en_US.UTF-8' } })
}

interface Expected {
  readonly request: (url: string) => boolean
  readonly message: (message: ConsoleMessage) => boolean
}

/** A page's uncaught errors, and those of its requests and console messages that are not expected, as they come. */
export function complaintsOf(page: Page, expected: Expected): readonly string[] {
  const complaints: string[] = []
  page.on('request', (request) => {
    if (!expected.request(request.url())) complaints.push(request.url())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (!expected.message(message)) complaints.push(message.text())
  })
  return complaints
}

/** Waits until a console has read its world's past: until then keys and buttons that go through it do nothing. */
export const waitForPast = (page: Page): Promise<void> =>
  page.locator('.timeline-bar', { hasText: /^(?!.*still reading).* moments?/ }).waitFor()

export const isNoError = (message: ConsoleMessage): boolean => message.type() !== 'error'

/** Browsers log an answer of 400 or more as an error, also where the page expects a refusal. */
export const isRefusalOrNoError = (message: ConsoleMessage): boolean =>
  isNoError(message) || message.text().includes('status of 40')
