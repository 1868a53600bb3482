import { existsSync } from 'node:fs'
import { type Browser, type ConsoleMessage, chromium, type Page } from 'playwright-core'

const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking']

/**
 * The Chromium that `.ci/run` installs, or the one that CHROMIUM names. Rejects if there is none, so no test is
 * skipped.
 */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) throw new Error(`install Chromium, or set CHROMIUM (${executablePath})`)
  return await chromium.launch({ executablePath, args: flags.map((flag) => `--${flag}`) })
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

export const isNoError = (message: ConsoleMessage): boolean => message.type() !== 'error'

/** Browsers log an answer of 400 or more as an error, also where the page expects a refusal. */
export const isRefusalOrNoError = (message: ConsoleMessage): boolean =>
  isNoError(message) || message.text().includes('status of 40')
