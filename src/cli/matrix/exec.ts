import { Command } from 'commander'
import { ChildExit } from '../failure.ts'
import { accountFlag, addFlags, configFlag, type FlagsOf } from '../flags.ts'
import { runChild } from '../run-child.ts'
import { environmentOf, startLocalVenue, worldFlags } from '../serve/local-venue.ts'
import { applySettings } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

const execFlags = {
  ...worldFlags,
  account: accountFlag('give the program the key of'),
  config: configFlag,
}

type ExecOptions = FlagsOf<typeof execFlags>

/** `otcsim exec -- COMMAND`: a program beside a venue of its own. */
export function execCommand(terminal: Terminal): Command {
  return addFlags(new Command('exec'), execFlags)
    .argument('<command...>', 'the program and its words, after --')
    .addHelpText(
      'after',
      '\nThe program finds OTC_BASE_URL, OTC_API_KEY, OTC_API_SECRET, OTC_ADMIN_URL, OTC_WORLD and OTC_ACCOUNTS.',
    )
    .action(async (words: readonly string[], _options: unknown, command: Command) => {
      await applySettings(command, terminal)
      await exec(words, command.opts(), terminal)
    })
}

/** Runs a program beside a venue of its own, which exists before the program starts and until it has ended. */
async function exec(words: readonly string[], options: ExecOptions, terminal: Terminal): Promise<void> {
  const { server, world, close } = await startLocalVenue(options, terminal)
  let code = 0
  try {
    const env = { ...terminal.env, ...environmentOf(server, world, options.account ?? null) }
    const said = (text: string, isErr: boolean): void => (isErr ? terminal.err(text) : terminal.out(text))
    const end = await runChild(words, {
      cwd: terminal.cwd,
      env,
      timeoutMillis: null,
      // If there is a terminal, the program has it to itself, for its colours and its questions.
      said: terminal.isOutTty ? null : said,
      onStop: terminal.onStop,
    })
    code = end.code
  } finally {
    await close()
  }
  if (code !== 0) throw new ChildExit(code)
}
