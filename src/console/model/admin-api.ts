/** What the admin API refused, in its own words, or why it did not answer. */
export class AdminProblem extends Error {
  /** 0 when there was no answer. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface AdminApi {
  /** The token that the server asks for; '' for none. */
  token: string
  /** Answers come from our own server, so they are assumed to have the type that the caller expects. */
  ask<Answer>(method: AdminMethod, path: string, body?: object): Promise<Answer>
  text(path: string): Promise<string>
  /** The pieces of a stream, until it ends or the signal ends it. */
  stream(path: string, signal: AbortSignal, take: (piece: string) => void): Promise<void>
}

/** `base` is the address of the admin API, without a last slash. */
export function createAdminApi(base: string): AdminApi {
  const api: AdminApi = {
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

/** A broken connection is one kind of problem, whenever it breaks. */
async function awaitAnswer<Answer>(coming: Promise<Answer>): Promise<Answer>
async function awaitAnswer<Answer>(coming: Promise<Answer> | undefined): Promise<Answer | undefined>
async function awaitAnswer<Answer>(coming: Promise<Answer> | undefined): Promise<Answer | undefined> {
  try {
    return await coming
  } catch (failure) {
    throw new AdminProblem(0, failure instanceof Error ? failure.message : 'no answer')
  }
}

/** The reason where one is given, which names the field; else the message. */
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
