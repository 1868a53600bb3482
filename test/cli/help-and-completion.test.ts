import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { parseConditions } from '../../src/cli/backtest/backtest-outputs.ts'
import { type CommandContext, loadEveryCommand } from '../../src/cli/command-context.ts'
import { commands } from '../../src/cli/commands.ts'
import { examples } from '../../src/cli/main.ts'
import { figureRow } from '../../src/metrics/metrics.ts'
import { findProgram } from '../support/wanted-programs.ts'
import { bufferTerminal, otcsim } from './harness.ts'

/** Splits a command line as a shell does, up to the first operator of the shell. */
function shellWords(text: string): readonly string[] {
  const words = [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word)
  const end = words.findIndex((word) => word === '>' || word === '|')
  return words
    .slice(0, end === -1 ? undefined : end)
    .map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

describe('help', () => {
  it('has examples of every command, each in words that the command takes', async () => {
    const rows = Object.entries(examples).flatMap(([name, own]) =>
      own.map(([words]) => [name, words] as const),
    )
    const context: CommandContext = { ...bufferTerminal({}).terminal, commands }
    const built = await loadEveryCommand(context)
    const names = built.flatMap((one) => [
      one.name(),
      ...one.commands.map((part) => `${one.name()} ${part.name()}`),
    ])
    expect(Object.keys(examples).toSorted()).toEqual(names.toSorted())
    for (const [name, words] of rows) {
      const given = shellWords(words)
      expect(given.join(' ').startsWith(name), words).toBe(true)
      const row = commands.find((one) => one.name === given[0])
      const command = row === undefined ? undefined : (await row.load())(row.name, context)
      let isCalled = false
      for (const one of command === undefined ? [] : [command, ...command.commands])
        one
          .exitOverride()
          .configureOutput({ writeErr: () => {} })
          .action(() => {
            isCalled = true
          })
      await command?.enablePositionalOptions().parseAsync(given.slice(1), { from: 'user' })
      expect(isCalled, words).toBe(true)
    }
  })

  it('names figures that there are in the conditions of its examples', () => {
    const conditions = Object.entries(examples)
      .filter(([command]) => command === 'backtest')
      .flatMap(([, own]) => own.map(([words]) => shellWords(words)))
      .flatMap((words) => words.filter((_, place) => words[place - 1] === '--assert'))
    expect(conditions.length).toBeGreaterThan(0)
    for (const { name } of parseConditions(conditions))
      expect([name, figureRow(name)]).not.toEqual([name, null])
  })

  it('puts every option of a long help under a heading that says more than "Options"', async () => {
    for (const { name } of commands) {
      const { out } = await otcsim([name, '--help'])
      const [, rest = ''] = out.split('\nOptions:\n')
      if (out.includes('World and market:'))
        expect(rest.split('\n\n')[0]?.trim(), name).toMatch(/^-h, --help/)
    }
  })
})

describe('otcsim completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('knows every command and option in %s', async (shell) => {
    const { code, out } = await otcsim(['completion', shell])
    expect(code).toBe(0)
    for (const command of await loadEveryCommand({ ...bufferTerminal({}).terminal, commands })) {
      expect(out).toContain(command.name())
      for (const { long } of command.options)
        expect(out).toContain(shell === 'fish' ? `-l ${long?.slice(2)}` : long)
    }
  })

  it('refuses other shells by name', async () => {
    const { code, err } = await otcsim(['completion', 'tcsh'])
    expect([code, err.split('\n')[0]]).toEqual([
      2,
      "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish, powershell.",
    ])
  })

  it.each<[string, readonly string[], readonly string[]]>([
    ['commands', ['otcsim', 'se'], ['serve']],
    ['options', ['otcsim', 'serve', '--journal-'], ['--journal-dir', '--journal-sync']],
    ['values of an option', ['otcsim', 'serve', '--clock', ''], ['realtime', 'manual', 'auto']],
    ['shipped scenarios', ['otcsim', 'serve', '--scenario', 'thin'], ['thin-book']],
    ['parts of a command', ['otcsim', 'sweep', 'me'], ['merge']],
    ['options of a part', ['otcsim', 'sweep', 'run', 'p', '--sh'], ['--shard']],
    ['words of an argument', ['otcsim', 'completion', 'f'], ['fish']],
    ['commands after help', ['otcsim', 'help', 'drif'], ['drift']],
  ])('completes %s in bash', { tags: ['bash'] }, async (_, words, expected) => {
    const { out } = await otcsim(['completion', 'bash'])
    const script = `cd /; ${out}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _otcsim
printf '%s\\n' "\${COMPREPLY[@]}"`
    const said = execFileSync(findProgram('bash') ?? 'bash', ['--norc', '-c', script], { encoding: 'utf8' })
    expect(said.trim().split('\n')).toEqual(expect.arrayContaining([...expected]))
  })
})
