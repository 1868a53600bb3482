import { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** `otcsim readings`: every point that the specification leaves open, and the ways to read it. */
export function readingsCommand(terminal: Terminal): Command {
  return new Command('readings')
    .description('list the open points of the specification and how each can be read')
    .option('--json', 'as JSON, with the place in the specification and the reason')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { readingEntries } = await import('../../api/readings/readings.ts')
      if (json === true) {
        terminal.out(`${JSON.stringify({ readings: readingEntries }, null, 2)}\n`)
        return
      }
      const width = Math.max(...readingEntries.map(({ key }) => key.length))
      for (const { key, default: byDefault, alternatives, why } of readingEntries) {
        terminal.out(
          `${key.padEnd(width)}  ${byDefault} | ${alternatives.join(' | ')}\n${' '.repeat(width + 2)}${why}\n`,
        )
      }
    })
}
