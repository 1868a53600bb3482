import { Command } from 'commander'
import { defaultPort } from '../default-port.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { gatherPairList, isPairs } from '../option-parsers.ts'
import { applySettings } from '../settings.ts'
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
    .option('--url <address>', 'the server that the document names', `http://127.0.0.1:${defaultPort}`)
    .option(
      '--readings <key=value>',
      'how to read an open point of the specification; several by commas, or many times',
      gatherPairList,
    )
    .option('--config <file>', 'the configuration file, for options that no flag or variable sets')
    .action(async (_options: unknown, command: Command) => {
      await applySettings(command, terminal)
      const { openApi } = await import('../../api/openapi/openapi.ts')
      const { resolveReadings } = await import('../../api/readings/readings.ts')
      const options: OpenApiOptions = command.opts()
      const overrides = isPairs(options.readings) ? Object.fromEntries(options.readings) : {}
      const readings = resolveReadings(overrides)
      if (!readings.ok) {
        const { field, reason, hint } = readings.flaw
        const meant = hint === undefined ? '' : ` (${hint})`
        throw new CliFailure(exitCode.usage, `--readings ${field}: ${reason}${meant}`)
      }
      const url = options.url.replace(/\/+$/, '')
      if (!/^https?:\/\//.test(url) || !URL.canParse(url))
        throw new CliFailure(
          exitCode.usage,
          `--url ${options.url}: expected an address with http:// or https://`,
        )
      const document = openApi({ version, servers: [url], readings: readings.value })
      terminal.out(`${JSON.stringify(document, null, 2)}\n`)
    })
}
