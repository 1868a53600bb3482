import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { evidenceVariable, readWorldUses, type WorldUse } from '../../testing/test-settings.ts'
import { defineCommand } from '../define-command.ts'
import { describeOtherRequests, findLack, formatEvidence } from '../evidence.ts'
import { ChildExit, CliFailure, exitCode } from '../failure.ts'
import { accountFlag, aSwitch, configFlag, type FlagsOf } from '../flags.ts'
import { runChild } from '../run-child.ts'
import { buildEnvironment, environmentNames } from '../serve/child-environment.ts'
import { type LocalVenue, startLocalVenue, worldFlags } from '../serve/local-venue.ts'
import type { Terminal } from '../terminal.ts'

const execFlags = {
  ...worldFlags,
  account: accountFlag('give the program the key of'),
  allowNoRequests: aSwitch('do not fail where the program asks the venue for nothing', { default: false }),
  config: configFlag,
}

type ExecOptions = FlagsOf<typeof execFlags>

export const execCommand = defineCommand({
  flags: execFlags,
  takes: { '<command...>': 'the program and its arguments, after --' },
  note: `The program finds ${environmentNames}.`,
  act: exec,
})

/**
 * Runs a program beside a venue of its own. The venue starts before the program and closes after it has ended. Choice:
 * a program that has asked neither the venue nor worlds of its own for an operation has tested nothing, so that it fails,
 * unless it may.
 */
async function exec(options: ExecOptions, terminal: Terminal, words: readonly string[]): Promise<void> {
  const venue = await startLocalVenue(options, terminal)
  const evidenceFile = join(tmpdir(), `otcsim-${randomUUID()}.evidence`)
  try {
    const code = await runProgram(venue, evidenceFile, options, terminal, words)
    const uses = gatherUses(venue, evidenceFile, terminal.env[evidenceVariable])
    if (code !== 0) throw new ChildExit(code)
    const lookedAt = { requests: uses.reduce((sum, { requests }) => sum + requests, 0) }
    terminal.err(`${formatEvidence(lookedAt)}\n`)
    const others = describeOtherRequests(uses.reduce((sum, { otherRequests = 0 }) => sum + otherRequests, 0))
    if (others !== null) terminal.err(`${others}\n`)
    const lack = options.allowNoRequests === true ? null : findLack(lookedAt, ['requests'])
    if (lack !== null)
      throw new CliFailure(exitCode.expectationFailed, `${lack}; --allow-no-requests lets the program pass`)
  } finally {
    rmSync(evidenceFile, { force: true })
    await venue.close()
  }
}

async function runProgram(
  { server, world }: LocalVenue,
  evidenceFile: string,
  options: ExecOptions,
  terminal: Terminal,
  words: readonly string[],
): Promise<number> {
  const env = buildEnvironment(terminal, server, world, options.account ?? null, options)
  const onOutput = (text: string, isErr: boolean): void => (isErr ? terminal.err(text) : terminal.out(text))
  const end = await runChild(words, {
    cwd: terminal.cwd,
    env: { ...env, [evidenceVariable]: evidenceFile },
    timeoutMillis: null,
    // On a terminal the program inherits stdin and stdout, so that colours and questions work.
    onOutput: terminal.isOutTty ? null : onOutput,
    onStop: terminal.onStop,
  })
  return end.code
}

/**
 * Lists what the venue and the worlds that tests made by themselves have met. A command around this one, which asked
 * for the same in the file `outer`, gets all of it, too.
 */
function gatherUses({ watch }: LocalVenue, file: string, outer: string | undefined): readonly WorldUse[] {
  const served: WorldUse = watch.take()
  if (outer !== undefined && outer !== '') {
    const made = existsSync(file) ? readFileSync(file, 'utf8') : ''
    appendFileSync(outer, `${JSON.stringify(served)}\n${made}`)
  }
  return [served, ...readWorldUses(file)]
}
