/**
 * Sends a request to the admin API of a server, with a JSON body (text is sent as it is), and answers status and text.
 */
export async function adminRequest(
  { url }: { readonly url: string },
  method: string,
  path: string,
  body?: object | string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json' }
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const answer = await fetch(`${url}/__admin${path}`, {
    method,
    ...(text === undefined ? {} : { headers, body: text }),
  })
  return { status: answer.status, text: await answer.text() }
}
