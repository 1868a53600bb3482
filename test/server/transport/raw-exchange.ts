import { connect } from 'node:net'

/** Sends text over a plain connection, and resolves to all that comes back until the other side closes. */
export function rawExchange(
  port: number,
  parts: readonly (string | Buffer)[],
  waitMillis = 0,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
      if (waitMillis > 0) setTimeout(() => socket.end(), waitMillis)
    })
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/**
 * Status and body of each answer in a raw exchange; all our answers have a Content-Length. One whose body is missing, as
 * after HEAD, is followed by the next answer at once.
 */
export function answersIn(text: string): { status: number; head: string; body: string }[] {
  const answers: { status: number; head: string; body: string }[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.slice(0, end)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const hasBody = !rest.startsWith('HTTP/1.1 ', end + 4)
    const length = hasBody ? Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) : 0
    if (status !== 100) answers.push({ status, head, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
