import type { LoggedRequest } from './documents.ts'

type Sent = Pick<LoggedRequest, 'method' | 'path' | 'query' | 'requestBody'>

/** A line for any shell with curl and openssl; the signature is made when it runs, so it never grows old. */
export function curlLine(
  origin: string,
  sent: Sent,
  key: { readonly apiKey: string; readonly apiSecret: string },
): string {
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

/** The same with our own program, which signs by itself. */
export function otcsimLine(origin: string, sent: Sent, apiKey: string): string {
  const { method, path, query, requestBody } = sent
  const target = quoted(`${path.replace(/^\/api\/sdk/, '')}${query}`)
  const body = requestBody === '' ? '' : ` -d ${quoted(requestBody)}`
  return `npx otcsim curl --url ${origin} --key ${quoted(apiKey)} ${method} ${target}${body}`
}

/** Words that need no quotes stay as they are. */
function quoted(text: string): string {
  return /^[\w./:=?&-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
