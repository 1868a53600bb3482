import { watch } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Terminal } from '../terminal.ts'

/** Editors write a file in several steps; what comes within this time is one change. */
const settleMillis = 100

/**
 * Runs all scenarios, and then each one again whose files have changed, until the terminal asks to stop. `filesOf`
 * says which files a scenario is read from.
 */
export function watchFiles(
  scenarios: readonly string[],
  runAgain: (scenarios: readonly string[]) => Promise<unknown>,
  filesOf: (scenario: string) => readonly string[],
  terminal: Terminal,
): Promise<void> {
  return new Promise((settle, fail) => {
    const watchers = new Map<string, ReturnType<typeof watch>>()
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | null = null
    let isRunning = false
    const end = (): void => {
      if (timer !== null) clearTimeout(timer)
      for (const watcher of watchers.values()) watcher.close()
      silence()
      settle()
    }
    const silence = terminal.onStop(end)
    const work = async (chosen: readonly string[]): Promise<void> => {
      isRunning = true
      await runAgain(chosen)
      for (const scenario of scenarios) watchFoldersOf(scenario)
      terminal.err(
        `watching ${scenarios.length === 1 ? 'it' : `${scenarios.length} scenarios`} for changes\n`,
      )
      isRunning = false
      plan()
    }
    const plan = (): void => {
      if (isRunning || changed.size === 0) return
      if (timer !== null) clearTimeout(timer)
      timer = setTimeout(() => {
        const chosen = scenarios.filter((scenario) =>
          filesOf(scenario).some((file) => changed.has(resolve(terminal.cwd, file))),
        )
        changed.clear()
        if (chosen.length > 0) work(chosen).catch(fail)
      }, settleMillis)
    }
    // Folders, not files: an editor may put a new file in the old one's place.
    const watchFoldersOf = (scenario: string): void => {
      for (const file of filesOf(scenario)) {
        const folder = dirname(resolve(terminal.cwd, file))
        if (watchers.has(folder)) continue
        const watcher = watch(folder, (_, name) => {
          if (name === null) return
          changed.add(resolve(folder, basename(name)))
          plan()
        })
        watchers.set(folder, watcher)
      }
    }
    for (const scenario of scenarios) watchFoldersOf(scenario)
    work(scenarios).catch(fail)
  })
}
