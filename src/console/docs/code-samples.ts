import { hashedSecret } from '../../client/sign.ts'
import type { PageKey, PageRequest } from './sign-request.ts'

/*
 * Programs that send a request of the docs page again. They sign anew, because a signature is good for 30 seconds, with
 * the secret of the key that the page used: keys of a simulated venue are public test values.
 */

export interface CodeSample {
  readonly title: string
  /** What Swagger UI colours it as. */
  readonly syntax: string
  /** The program; `key` is null where the request is not signed. */
  readonly write: (request: PageRequest, key: PageKey | null) => string
}

export const codeSamples: { readonly [language: string]: CodeSample } = {
  javascript: { title: 'JavaScript', syntax: 'javascript', write: javascript },
  python: { title: 'Python', syntax: 'python', write: python },
}

function javascript(request: PageRequest, key: PageKey | null): string {
  const { method, body, headers, target } = partsOf(request, key)
  const signature = `createHmac('sha256', ${quoted(hmacKey(key))}).update(text).digest('hex')`
  return [
    ...(key === null ? [] : ["import { createHmac } from 'node:crypto'", '']),
    `const body = ${quoted(body)}`,
    ...(key === null
      ? []
      : [
          'const timestamp = String(Date.now())',
          `const text = timestamp + '${method}' + ${quoted(target)} + body`,
          `const signature = ${signature}`,
        ]),
    `const response = await fetch(${quoted(request.url)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers,
    '  },',
    ...(body === '' ? [] : ['  body,']),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}

function python(request: PageRequest, key: PageKey | null): string {
  const { method, body, headers, target } = partsOf(request, key)
  const signature = `hmac.new(${quoted(hmacKey(key))}.encode(), text.encode(), hashlib.sha256).hexdigest()`
  return [
    ...(key === null ? [] : ['import hashlib', 'import hmac', 'import time']),
    'import urllib.error',
    'import urllib.request',
    '',
    `body = ${quoted(body)}`,
    ...(key === null
      ? []
      : [
          'timestamp = str(int(time.time() * 1000))',
          `text = timestamp + '${method}' + ${quoted(target)} + body`,
          `signature = ${signature}`,
        ]),
    'headers = {',
    ...headers,
    '}',
    `request = urllib.request.Request(${quoted(request.url)}, body.encode() or None, headers, method='${method}')`,
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refusal:',
    '    response = refusal',
    'print(response.status, response.read().decode())',
  ].join('\n')
}

/** A text in the quotes of JSON, which both languages read alike. */
const quoted = (text: string): string => JSON.stringify(text)

const hmacKey = (key: PageKey | null): string =>
  key === null ? '' : key.hashesSecret ? hashedSecret(key.apiSecret) : key.apiSecret

/** The target as the key's world wants it signed, and the lines of the headers, which both languages write alike. */
function partsOf({ url, method = 'GET', body, headers }: PageRequest, key: PageKey | null) {
  const { pathname, search } = new URL(url)
  const made = key === null ? {} : { 'X-API-Timestamp': 'timestamp', 'X-API-Signature': 'signature' }
  const stay = Object.entries(headers).filter(([name]) => !Object.hasOwn(made, name))
  const values = [...stay.map(([name, value]) => [name, quoted(value)]), ...Object.entries(made)]
  return {
    method: method.toUpperCase(),
    body: typeof body === 'string' ? body : '',
    headers: values.map(([name, value]) => `    '${name}': ${value},`),
    target: pathname + (key?.signsQuery === false ? '' : search),
  }
}
