import { hashSecret } from '../../client/sign.ts'
import type { PageKey, PageRequest } from './sign-request.ts'

/*
 * Programs that repeat a request of the docs page. They create their own signature, because one is valid for
 * only 30 seconds, with the secret of the key that the page used: keys of a simulated venue are public test
 * values.
 */

export interface CodeSample {
  readonly title: string
  /** Language by which Swagger UI highlights the program. */
  readonly syntax: string
  /** Writes the program; `key` is null where the request is not signed. */
  readonly write: (request: PageRequest, key: PageKey | null) => string
}

export const codeSamples: { readonly [language: string]: CodeSample } = {
  shell: { title: 'Shell', syntax: 'bash', write: writeShell },
  javascript: { title: 'JavaScript', syntax: 'javascript', write: writeJavascript },
  python: { title: 'Python', syntax: 'python', write: writePython },
}

/** Writes a line for shells with curl and openssl, which signs when it runs. */
function writeShell(request: PageRequest, key: PageKey | null): string {
  const { url, method = 'GET', headers } = request
  const { body, target } = splitRequest(request, key)
  const made = ['X-API-Timestamp', 'X-API-Signature']
  const words = Object.entries(headers)
    .filter(([name]) => !made.includes(name))
    .map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`)
  const message = `"$T"${quoteWord(method.toUpperCase() + target + body)}`
  const signature = `$(printf %s ${message} | openssl dgst -sha256 -hmac ${quoteWord(computeHmacKey(key))} | sed 's/.* //')`
  return [
    ...(key === null ? [] : ['T=$(date +%s)000']),
    [
      `curl -X ${method.toUpperCase()} ${quoteWord(url)}`,
      ...words,
      ...(key === null ? [] : ['-H "X-API-Timestamp: $T"', `-H "X-API-Signature: ${signature}"`]),
      ...(body === '' ? [] : [`-d ${quoteWord(body)}`]),
    ].join(' \\\n  '),
  ].join('\n')
}

/** Quotes a word for POSIX shells: inside single quotes only the quote itself is special. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function writeJavascript(request: PageRequest, key: PageKey | null): string {
  const { method, body, headers, target } = splitRequest(request, key)
  const signature = `createHmac('sha256', ${quote(computeHmacKey(key))}).update(text).digest('hex')`
  return [
    ...(key === null ? [] : ["import { createHmac } from 'node:crypto'", '']),
    `const body = ${quote(body)}`,
    ...(key === null
      ? []
      : [
          'const timestamp = String(Date.now())',
          `const text = timestamp + '${method}' + ${quote(target)} + body`,
          `const signature = ${signature}`,
        ]),
    `const response = await fetch(${quote(request.url)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers,
    '  },',
    ...(body === '' ? [] : ['  body,']),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}

function writePython(request: PageRequest, key: PageKey | null): string {
  const { method, body, headers, target } = splitRequest(request, key)
  const signature = `hmac.new(${quote(computeHmacKey(key))}.encode(), text.encode(), hashlib.sha256).hexdigest()`
  return [
    ...(key === null ? [] : ['import hashlib', 'import hmac', 'import time']),
    'import urllib.error',
    'import urllib.request',
    '',
    `body = ${quote(body)}`,
    ...(key === null
      ? []
      : [
          'timestamp = str(int(time.time() * 1000))',
          `text = timestamp + '${method}' + ${quote(target)} + body`,
          `signature = ${signature}`,
        ]),
    'headers = {',
    ...headers,
    '}',
    `request = urllib.request.Request(${quote(request.url)}, body.encode() or None, headers, method='${method}')`,
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refusal:',
    '    response = refusal',
    'print(response.status, response.read().decode())',
  ].join('\n')
}

/** Quotes a text as JSON, which both languages read alike. */
const quote = (text: string): string => JSON.stringify(text)

const computeHmacKey = (key: PageKey | null): string =>
  key === null ? '' : key.hashesSecret ? hashSecret(key.apiSecret) : key.apiSecret

/**
 * Returns the parts of a request that both languages write alike: the target as the key's world wants it
 * signed, and the lines of the headers.
 */
function splitRequest({ url, method = 'GET', body, headers }: PageRequest, key: PageKey | null) {
  const { pathname, search } = new URL(url)
  const made = key === null ? {} : { 'X-API-Timestamp': 'timestamp', 'X-API-Signature': 'signature' }
  const stay = Object.entries(headers).filter(([name]) => !Object.hasOwn(made, name))
  const values = [...stay.map(([name, value]) => [name, quote(value)]), ...Object.entries(made)]
  return {
    method: method.toUpperCase(),
    body: typeof body === 'string' ? body : '',
    headers: values.map(([name, value]) => `    '${name}': ${value},`),
    target: pathname + (key?.signsQuery === false ? '' : search),
  }
}
