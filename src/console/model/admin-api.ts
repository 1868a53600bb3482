/** Error of an admin API request: the API's own reason for refusing it, or why no response came. */
export class AdminProblem extends Error {
  /** HTTP status of the refusal; 0 when there was no response. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Client of the admin API of one server. Methods reject with an `AdminProblem`. */
export interface AdminApi {
  /** Address of the venue without a trailing slash; '' for a recording, which has none. */
  readonly venueUrl: string
  /** Token that the server asks for; '' for none. */
  token: string
  /**
   * Sends a request and returns its parsed response. Responses come from our own server, so they are assumed to
   * have the type that the caller expects.
   */
  ask<Answer>(method: AdminMethod, path: string, body?: object): Promise<Answer>
  /** Reads a document as text. */
  text(path: string): Promise<string>
  /** Passes each chunk of a stream to `take`, until the stream ends or the signal aborts it. */
  stream(path: string, signal: AbortSignal, take: (piece: string) => void): Promise<void>
}

/** Creates a client of the admin API. `base` is its address without a trailing slash. */
export function createAdminApi(base: string): AdminApi {
  const api: AdminApi = {
    venueUrl: base.replace(/\/__admin$/, ''),
    token: '',
    ask: async (method, path, body) => JSON.parse(await awaitAnswer((await send(method, path, body)).text())),
    text: async (path) => awaitAnswer((await send('GET', path)).text()),
    stream: async (path, signal, take) => {
      const { body } = await send('GET', path, undefined, signal)
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { done = true, value = '' } = (await awaitAnswer(reader?.read())) ?? {}
        if (done) return
        take(value)
      }
    },
  }
  const send = async (
    method: AdminMethod,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const request = fetch(`${base}${path}`, {
      method,
      headers: {
        ...(api.token === '' ? {} : { Authorization: `Bearer ${api.token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    const response = await awaitAnswer(request)
    if (!response.ok) throw new AdminProblem(response.status, await readReason(response))
    return response
  }
  return api
}

/**
 * Awaits a response or a chunk of it. A broken connection becomes an `AdminProblem` of status 0, at whatever
 * stage it breaks.
 */
async function awaitAnswer<Answer>(coming: Promise<Answer>): Promise<Answer>
async function awaitAnswer<Answer>(coming: Promise<Answer> | undefined): Promise<Answer | undefined>
async function awaitAnswer<Answer>(coming: Promise<Answer> | undefined): Promise<Answer | undefined> {
  try {
    return await coming
  } catch (failure) {
    throw new AdminProblem(0, failure instanceof Error ? failure.message : 'no answer')
  }
}

/** Returns the refusal's reason with the field that it names, or else its message. */
async function readReason(response: Response): Promise<string> {
  try {
    const { message, details } = JSON.parse(await response.text())
    const { field, reason } = Object(details)
    if (typeof reason !== 'string') return String(message)
    return typeof field === 'string' ? `${field} ${reason}` : reason
  } catch {
    return `The server answered ${response.status}`
  }
}
