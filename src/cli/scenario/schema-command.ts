import { Command } from 'commander'
import { CliFailure, exitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim schema scenario`: the JSON Schema (draft 7) of scenario files, for editors, or their reference for people. */
export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('print a JSON Schema, for editors')
    .argument('<what>', 'scenario')
    .option('--markdown', 'print the reference of the language as Markdown', false)
    .action(async (what: string, options: { readonly markdown: boolean }) => {
      if (what !== 'scenario')
        throw new CliFailure(exitCode.usage, `there is no schema of "${what}"; there is one of scenario`)
      if (options.markdown) {
        const { scenarioReference } = await import('../../scenario/schema/reference.ts')
        terminal.out(scenarioReference())
        return
      }
      const { editorSchema } = await import('../../scenario/schema/editor-schema.ts')
      terminal.out(`${JSON.stringify(editorSchema(), null, 2)}\n`)
    })
}
