import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { makeFolders, systemCode } from '../../journal/journal-file.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { millis } from '../../numeric/units.ts'
import type { ListeningServer } from '../../server/listen.ts'
import { type ProxiedExchange, startRecordingProxy } from '../../server/recording-proxy.ts'
import { defineCommand } from '../define-command.ts'
import { CliFailure, exitCode, systemReason, usageFailure, writeReason } from '../failure.ts'
import { aFlag, aSwitch, type FlagsOf, parseAddress, parsedFlag, parsePort } from '../flags.ts'
import { createStopSignal, formatCount, jsonLine, type Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { hideKey, hideSignature } from './recorded-headers.ts'

const recordFlags = {
  target: {
    ...parsedFlag(parseAddress, '<url>', "the venue's base address, without /api/sdk"),
    isRequired: true,
  },
  out: { ...aFlag('<file>', 'the recording: a new HAR file'), isRequired: true },
  port: parsedFlag(parsePort, '<number>', 'where to listen; 0 takes a free one', { default: 4011 }),
  host: aFlag('<address>', 'the address to listen on', { default: '127.0.0.1' }),
  json: aSwitch('machine-readable lines on stdout'),
}

type RecordOptions = FlagsOf<typeof recordFlags>

export const recordCommand = defineCommand({
  flags: recordFlags,
  note: "Give your client this address instead of the venue's. The file has no secrets: keys show as names, signatures not at all.",
  act: record,
})

/**
 * Runs `otcsim record`: passes requests on to a venue and keeps them, until it is told to stop. Errors: the file exists
 * or cannot be written (2); the address is taken (4).
 */
async function record({ target, out, port, host, json }: RecordOptions, terminal: Terminal): Promise<void> {
  if (/\/api\/sdk$/.test(target))
    throw usageFailure(`--target ends with /api/sdk, which requests have themselves`)
  const { signal, ignore } = createStopSignal(terminal)
  const file = createHarFile(resolve(terminal.cwd, out), out)
  let fail: (failure: CliFailure) => void = () => {}
  const ended = new Promise<void>((end, reject) => {
    signal.addEventListener('abort', () => end(), { once: true })
    fail = reject
  })
  const onExchange = (exchange: ProxiedExchange) => {
    try {
      file.add(exchange)
    } catch (error) {
      fail(usageFailure(`cannot write ${out}: ${writeReason(error)}`))
    }
  }
  const server = await listen({ target: new URL(target), host, port, onExchange })
  try {
    if (json === true)
      terminal.out(
        jsonLine({ event: 'ready', url: server.url, port: server.port, pid: process.pid, target, out }),
      )
    else
      terminal.err(`${server.url} passes requests on to ${target} and keeps them in ${out}; Ctrl-C ends it\n`)
    if (!signal.aborted) await ended
  } finally {
    await server.close()
    file.close()
    ignore()
    if (json === true) terminal.out(jsonLine({ event: 'shutdown', exchanges: file.count() }))
    else terminal.err(`${formatCount(file.count(), 'exchange')} in ${out}\n`)
  }
}

async function listen(parts: Parameters<typeof startRecordingProxy>[0]): Promise<ListeningServer> {
  try {
    return await startRecordingProxy(parts)
  } catch (error) {
    const reason = systemCode(error) === 'EADDRINUSE' ? 'the port is in use' : systemReason(error)
    throw new CliFailure(exitCode.unreachable, `cannot listen on ${parts.host}:${parts.port}: ${reason}`)
  }
}

/**
 * Creates a HAR file that is complete after each exchange, so that a killed process leaves a valid file: each entry
 * overwrites the end of the file, and the end is written again after it. An existing file is never overwritten,
 * because it may be another recording.
 */
function createHarFile(path: string, name: string) {
  const open = (): number => {
    try {
      makeFolders(dirname(path))
      return openSync(path, 'wx')
    } catch (error) {
      const isThere = systemCode(error) === 'EEXIST'
      throw usageFailure(
        `cannot write ${name}: ${isThere ? 'it exists, and may be another recording' : writeReason(error)}`,
      )
    }
  }
  const descriptor = open()
  const creator = { name: 'otcsim record', version }
  const begin = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`
  const end = '\n]}}\n'
  let count = 0
  let place = Buffer.byteLength(begin)
  writeSync(descriptor, begin + end, 0)
  return {
    count: () => count,
    add: (exchange: ProxiedExchange) => {
      const entry = `${count === 0 ? '' : ','}\n${formatEntry(exchange)}`
      writeSync(descriptor, entry + end, place)
      place += Buffer.byteLength(entry)
      count += 1
    },
    close: () => closeSync(descriptor),
  }
}

/** Formats an exchange as a line: an entry of HAR 1.2, without what would let its reader in. */
function formatEntry(exchange: ProxiedExchange): string {
  const { startMillis, answeredMillis, endMillis, method, url, status, statusText, failure } = exchange
  const sent = toPairs(exchange.requestHeaders, new URL(url).host)
  const came = toPairs(exchange.headers, null)
  const read = (pairs: readonly Pair[], wanted: string) =>
    pairs.find(({ name }) => name.toLowerCase() === wanted)?.value ?? ''
  const body = decodeBody(exchange.body, read(came, 'content-encoding'))
  const waited = (answeredMillis ?? endMillis) - startMillis
  const text = JSON.stringify({
    startedDateTime: millisToIso(millis(startMillis)),
    time: endMillis - startMillis,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: hideHeaders(sent),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      ...(exchange.requestBody.length === 0
        ? {}
        : { postData: { mimeType: read(sent, 'content-type'), ...toText(exchange.requestBody) } }),
      headersSize: -1,
      bodySize: exchange.requestBody.length,
    },
    response: {
      status,
      statusText,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: hideHeaders(came),
      content: { size: body.length, mimeType: read(came, 'content-type'), ...toText(body) },
      redirectURL: read(came, 'location'),
      headersSize: -1,
      bodySize: exchange.body.length,
    },
    cache: {},
    timings: { send: 0, wait: waited, receive: endMillis - startMillis - waited },
    ...(failure === null ? {} : { comment: failure }),
  })
  // An answer may quote what was sent.
  return hideQuoted(
    hideQuoted(text, read(sent, 'x-api-key'), hideKey),
    read(sent, 'x-api-signature'),
    hideSignature,
  )
}

interface Pair {
  readonly name: string
  readonly value: string
}

/** Lists headers by name and value. `host` is that of the target, in place of our own; null for answers. */
function toPairs(raw: readonly string[], host: string | null): readonly Pair[] {
  const names = raw.filter((_, index) => index % 2 === 0)
  return names.map((name, index) => {
    const isHost = host !== null && name.toLowerCase() === 'host'
    return { name, value: isHost ? host : (raw[2 * index + 1] ?? '') }
  })
}

/** Headers that let their reader in, or may. */
const secretHeader = /cookie|secret|token|passw|passphrase|^(proxy-)?authorization$/i

const hideHeaders = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs
    .filter(({ name }) => !secretHeader.test(name))
    .map(({ name, value }) => {
      if (value === '') return { name, value }
      if (/^x-api-key$/i.test(name)) return { name, value: hideKey(value) }
      return { name, value: /^x-api-signature$/i.test(name) ? hideSignature(value) : value }
    })

/** Replaces a word wherever a line of JSON quotes it. A short one may stand there by chance. */
function hideQuoted(line: string, word: string, hide: (word: string) => string): string {
  return word.length < 6 ? line : line.replaceAll(JSON.stringify(word).slice(1, -1), hide(word))
}

/** Undoes the compression of a body, so that readers of HAR find its text. What can't be undone stays as it is. */
function decodeBody(body: Buffer, coding: string): Buffer {
  try {
    switch (coding.toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body)
      case 'deflate':
        return inflateSync(body)
      case 'br':
        return brotliDecompressSync(body)
      default:
        return body
    }
  } catch {
    return body
  }
}

const toText = (body: Buffer): object =>
  isUtf8(body) ? { text: body.toString('utf8') } : { text: body.toString('base64'), encoding: 'base64' }
