import { jsonField } from '../../api/json.ts'
import { hashSecret, sign } from '../../client/sign.ts'

/** Part of a Swagger UI request that the page changes. It is changed in place, as Swagger UI expects. */
export interface PageRequest {
  url: string
  method?: string
  body?: unknown
  headers: Record<string, string>
}

/** Key of a world, with that world's readings for signatures. */
export interface PageKey {
  readonly world: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly clock: 'wall' | 'world'
  readonly signsQuery: boolean
  readonly hashesSecret: boolean
}

/** Text that was signed, and its signature. */
export interface SignedRequest {
  readonly text: string
  readonly signature: string
}

/**
 * Signs a request of the page and returns what was signed. Swagger UI may pass a body as a value; it is
 * replaced by the very text that is then sent. Spec: Authentication.
 */
export function signRequest(
  request: PageRequest,
  key: PageKey,
  origin: string,
  nowMillis: number,
): SignedRequest {
  const { pathname, search } = new URL(request.url, origin)
  const body = bodyText(request.body)
  if (body !== '') request.body = body
  const timestamp = String(nowMillis)
  const method = (request.method ?? 'GET').toUpperCase()
  const text = timestamp + method + pathname + (key.signsQuery ? search : '') + body
  const secret = key.hashesSecret ? hashSecret(key.apiSecret) : key.apiSecret
  const signature = sign(secret, text)
  request.headers['X-API-Key'] = key.apiKey
  request.headers['X-API-Timestamp'] = timestamp
  request.headers['X-API-Signature'] = signature
  return { text, signature }
}

function bodyText(body: unknown): string {
  if (body === undefined || body === null) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

/** Entry of the list of keys. */
export interface KeyChoice {
  readonly label: string
  readonly key: PageKey
}

/** Lists the keys of all worlds from the admin API's response; anything of another shape is left out. */
export function keyChoices(answer: unknown): readonly KeyChoice[] {
  return listItems(answer, 'worlds').flatMap((world) =>
    listItems(world, 'accounts').flatMap((account) =>
      listItems(account, 'keys').map((key) => createKeyChoice(world, account, key)),
    ),
  )
}

function createKeyChoice(world: unknown, account: unknown, key: unknown): KeyChoice {
  const name = textField(world, 'id')
  const readings = jsonField(world, 'readings')
  const scopes = listItems(key, 'scopes').join(' ')
  const place = name === 'default' ? '' : ` in ${name}`
  return {
    label: `${textField(account, 'id')}${place}: ${scopes}`,
    key: {
      world: name,
      apiKey: textField(key, 'apiKey'),
      apiSecret: textField(key, 'apiSecret'),
      clock: textField(readings, 'auth.clock') === 'world' ? 'world' : 'wall',
      signsQuery: textField(readings, 'signature.query') !== 'exclude',
      hashesSecret: textField(readings, 'signature.key') === 'sha256',
    },
  }
}

export function textField(value: unknown, name: string): string {
  const found = jsonField(value, name)
  return typeof found === 'string' ? found : ''
}

function listItems(value: unknown, name: string): readonly unknown[] {
  const found = jsonField(value, name)
  return Array.isArray(found) ? found : []
}
