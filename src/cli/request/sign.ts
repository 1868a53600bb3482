import { chosenReadings } from '../chosen-readings.ts'
import { CliFailure, exitCode } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { bodyOf } from './body-of.ts'
import { fullPath, signedHeaders, usualCredentials } from './signing.ts'

export interface SignOptions {
  readonly data?: string
  readonly account: string
  readonly key?: string
  readonly secret?: string
  readonly timestamp?: string
  readonly readings?: unknown
  readonly json?: boolean
}

/** Prints the authentication headers of a request. */
export function printSigned(method: string, path: string, options: SignOptions, terminal: Terminal): void {
  const { key, secret, timestamp = String(Date.now()) } = options
  if ((key === undefined) !== (secret === undefined)) {
    throw new CliFailure(exitCode.usage, '--key and --secret go together')
  }
  if (!/^[0-9]{1,16}$/.test(timestamp)) {
    throw new CliFailure(
      exitCode.usage,
      `--timestamp: expected milliseconds since 1970, found "${timestamp}"`,
    )
  }
  if (!/^[A-Za-z]{1,20}$/.test(method))
    throw new CliFailure(exitCode.usage, `"${method}" is not an HTTP method`)
  const credentials =
    key === undefined || secret === undefined
      ? usualCredentials(options.account)
      : { apiKey: key, apiSecret: secret }
  const rules = chosenReadings(options.readings)
  const body = bodyOf(options.data, terminal)
  const headers = signedHeaders({ method, path: fullPath(path), body, timestamp }, { ...credentials, rules })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  terminal.out(options.json === true ? `${JSON.stringify(headers)}\n` : lines.join(''))
}
