import { Command } from 'commander'
import { CliFailure, exitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** `otcsim schema scenario`: the JSON Schema (draft 7) of scenario files, for editors. */
export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('print a JSON Schema, for editors')
    .argument('<what>', 'scenario')
    .action(async (what: string) => {
      if (what !== 'scenario')
        throw new CliFailure(exitCode.usage, `there is no schema of "${what}"; there is one of scenario`)
      const { scenarioSchema } = await import('../scenario/schema.ts')
      terminal.out(`${JSON.stringify(scenarioSchema, null, 2)}\n`)
    })
}
