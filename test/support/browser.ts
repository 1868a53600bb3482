import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const flags = ['no-sandbox', 'disable-gpu', 'disable-quic', 'no-first-run', 'disable-background-networking']

/** The Chromium that `.ci/run` installs, or the one that CHROMIUM names. Rejects if there is none, so no test is skipped. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) throw new Error(`install Chromium, or set CHROMIUM (${executablePath})`)
  return await chromium.launch({ executablePath, args: flags.map((flag) => `--${flag}`) })
}
