import { defineCommand } from '../define-command.ts'
import { ChildExit } from '../failure.ts'
import { accountFlag, configFlag, type FlagsOf } from '../flags.ts'
import { runChild } from '../run-child.ts'
import { buildEnvironment, environmentNames } from '../serve/child-environment.ts'
import { startLocalVenue, worldFlags } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'

const execFlags = {
  ...worldFlags,
  account: accountFlag('give the program the key of'),
  config: configFlag,
}

type ExecOptions = FlagsOf<typeof execFlags>

export const execCommand = defineCommand({
  flags: execFlags,
  takes: { '<command...>': 'the program and its arguments, after --' },
  note: `The program finds ${environmentNames}.`,
  act: exec,
})

/** Runs a program beside a venue of its own. The venue starts before the program and closes after it has ended. */
async function exec(options: ExecOptions, terminal: Terminal, words: readonly string[]): Promise<void> {
  const { server, world, close } = await startLocalVenue(options, terminal)
  let code = 0
  try {
    const env = buildEnvironment(terminal, server, world, options.account ?? null, options)
    const onOutput = (text: string, isErr: boolean): void => (isErr ? terminal.err(text) : terminal.out(text))
    const end = await runChild(words, {
      cwd: terminal.cwd,
      env,
      timeoutMillis: null,
      // On a terminal the program inherits stdin and stdout, so that colours and questions work.
      onOutput: terminal.isOutTty ? null : onOutput,
      onStop: terminal.onStop,
    })
    code = end.code
  } finally {
    await close()
  }
  if (code !== 0) throw new ChildExit(code)
}
