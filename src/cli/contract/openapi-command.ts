import { Command } from 'commander'
import { usualAddress } from '../default-port.ts'
import { gatherPairList, parseAddress } from '../option-parsers.ts'
import { applySettings, configOption } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'

interface OpenApiOptions {
  readonly url: string
  readonly readings?: unknown
}

/** `otcsim openapi`: the interface as an OpenAPI 3.1 document. No server is needed. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command('openapi')
    .description('print the interface as an OpenAPI 3.1 document')
    .option('--url <address>', 'the server that the document names', parseAddress, usualAddress)
    .option(
      '--readings <key=value>',
      'how to read an open point of the specification; several comma-separated, or repeated',
      gatherPairList,
    )
    .addOption(configOption())
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { openApi } = await import('../../api/openapi/openapi.ts')
      const { chosenReadings } = await import('../chosen-readings.ts')
      const options: OpenApiOptions = command.opts()
      const readings = chosenReadings(options.readings)
      const document = openApi({ version, servers: [options.url], readings })
      terminal.out(`${JSON.stringify(document, null, 2)}\n`)
    })
}
