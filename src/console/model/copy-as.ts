import type { AccountKeys, LoggedRequest } from './documents.ts'

type Sent = Pick<LoggedRequest, 'method' | 'path' | 'query' | 'requestBody'>

interface Key {
  readonly apiKey: string
  readonly apiSecret: string
}

/** A line for any shell with curl and openssl; the signature is made when it runs, so it never expires. */
export function curlLine(origin: string, sent: Sent, key: Key): string {
  const { method, path, query, requestBody } = sent
  const body = requestBody === '' ? '' : quoted(requestBody)
  const message = `"$T"${quoted(`${method}${path}${query}`)}${body}`
  const signature = `$(printf %s ${message} | openssl dgst -sha256 -hmac ${quoted(key.apiSecret)} | sed 's/.* //')`
  const parts = [
    `curl -s -X ${method} ${quoted(`${origin}${path}${query}`)}`,
    `-H ${quoted(`X-API-Key: ${key.apiKey}`)} -H "X-API-Timestamp: $T" -H "X-API-Signature: ${signature}"`,
    ...(body === '' ? [] : [`-H 'Content-Type: application/json' -d ${body}`]),
  ]
  return `T=$(date +%s)000; ${parts.join(' ')}`
}

/** The same with our own program, which signs the request itself. */
export function otcsimLine(origin: string, sent: Sent, key: Key): string {
  return programLine(origin, sent, `--key ${quoted(key.apiKey)} --secret ${quoted(key.apiSecret)}`)
}

/** A first request of an account to paste. In the default world its name will do. */
export function tryLine(
  origin: string,
  {
    world,
    account,
    keys,
  }: { readonly world: string; readonly account: string; readonly keys: readonly AccountKeys[] },
  method: string,
  path: string,
  body?: object,
): string {
  const sent = { method, path, query: '', requestBody: body === undefined ? '' : JSON.stringify(body) }
  const [key] = keys.find(({ id }) => id === account)?.keys ?? []
  if (key === undefined || world === 'default')
    return programLine(origin, sent, `--account ${quoted(account)}`)
  return otcsimLine(origin, sent, key)
}

const usualOrigin = 'http://127.0.0.1:4010'

function programLine(origin: string, { method, path, query, requestBody }: Sent, signer: string): string {
  const target = quoted(`${path.replace(/^\/api\/sdk/, '')}${query}`)
  const place = origin === usualOrigin ? '' : ` --url ${origin}`
  const body = requestBody === '' ? '' : ` -d ${quoted(requestBody)}`
  return `npx otcsim curl${place} ${signer} ${method} ${target}${body}`
}

/** Words that need no quotes stay as they are. */
function quoted(text: string): string {
  return /^[\w./:=?&-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
