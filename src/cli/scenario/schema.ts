import { Command } from 'commander'
import { editorSchema } from '../../scenario/schema/editor-schema.ts'
import { scenarioReference } from '../../scenario/schema/reference.ts'
import { CliFailure, exitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'

/** `otcsim schema scenario`: the JSON Schema (draft 7) of scenario files, for editors, or their reference for people. */
export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .argument('<what>', 'scenario')
    .option('--markdown', 'print the reference of the language as Markdown', false)
    .action(async (what: string, options: { readonly markdown: boolean }) => {
      if (what !== 'scenario')
        throw new CliFailure(exitCode.usage, `there is no schema of "${what}"; there is one of scenario`)
      if (options.markdown) {
        terminal.out(scenarioReference())
        return
      }
      terminal.out(`${JSON.stringify(editorSchema(), null, 2)}\n`)
    })
}
