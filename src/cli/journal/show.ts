import { Command } from 'commander'
import { replayJournal, toTheEnd } from '../../world/journals/replay.ts'
import { addFlags, aFlag, aSwitch, type FlagsOf, parsedFlag } from '../flags.ts'
import { parsePort } from '../option-parsers.ts'
import { withJournal } from '../read-journal.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { writeOutput } from '../write-file.ts'
import { refusal, serveShown, showReplayed } from './replay.ts'

const showFlags = {
  port: parsedFlag(parsePort, '<number>', 'where to serve it; 0 takes a free one', { default: 0 }),
  open: { ...aSwitch('serve it only, and open no browser', { default: true }), isNegated: true },
  html: aFlag('<file>', 'write the console with all of that as one file in place of serving it'),
}

type ShowOptions = FlagsOf<typeof showFlags>

/** `otcsim show JOURNAL`: what a failed test prints; the console at the moment of the failure. */
export function showCommand(terminal: Terminal): Command {
  return addFlags(new Command('show'), showFlags)
    .argument('<journal>', 'the file that a failed test has kept, or any other journal')
    .action(async (journal: string, _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      await show(journal, command.opts(), terminal)
    })
}

/**
 * Carries the journal out again and serves the world as it was at its end, with the requests and the failed test that
 * were kept beside it. Errors: as of `replay`.
 */
async function show(file: string, { html, open, port }: ShowOptions, terminal: Terminal): Promise<void> {
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, toTheEnd))
  if (replayed.kind !== 'done') throw refusal(file, replayed, {}, terminal)
  const shown = showReplayed(file, replayed, terminal)
  const { failure } = shown
  if (failure !== null) terminal.err(`${failure.test}\n  ${failure.message.split('\n')[0]}\n`)
  if (html === undefined) await serveShown(shown, { open, port }, terminal)
  else {
    const { showPage } = await import('./show-page.ts')
    writeOutput(terminal, html, await showPage(shown))
  }
}
