import { spawn } from 'node:child_process'
import type { Terminal } from '../terminal.ts'

/**
 * Opens a page in the user's browser. Nothing happens where there is no user (no terminal, no desktop), or where the
 * desktop cannot do it: the address has been printed.
 */
export function openPage(url: string, terminal: Terminal): void {
  const words = terminal.isErrTty ? openerOf(process.platform, terminal.env) : null
  if (words === null) return
  const [program = '', ...rest] = words
  const child = spawn(program, [...rest, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

/** What opens an address on a platform; null where there is no desktop to do it. */
export function openerOf(
  platform: string,
  env: { readonly [name: string]: string | undefined },
): readonly string[] | null {
  if (platform === 'darwin') return ['open']
  // The empty word is the window's title; without it `start` would take the address for that.
  if (platform === 'win32') return ['cmd', '/c', 'start', '']
  const hasDesktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
  return hasDesktop ? ['xdg-open'] : null
}
