import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { isLoopbackHost } from './admin/guard.ts'

/**
 * Returns the target of a request as a path with its query. Clients whose proxy is this address send it in absolute form,
 * `http://127.0.0.1:4000/api`; where it names this server it is shortened to its path, which is what they have signed.
 * Any other target stays as it is. Source: RFC 9112, section 3.2.2: a server accepts the absolute form.
 */
export function toPathTarget({ url = '/', socket }: Pick<IncomingMessage, 'url' | 'socket'>): string {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]*)(.*)$/i.exec(url) ?? []
  if (authority === '' || !isOwnAddress(authority, socket)) return url
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Returns whether a host with its port is an address of this server. */
function isOwnAddress(
  authority: string,
  { localAddress = '', localPort }: IncomingMessage['socket'],
): boolean {
  const [, host = '', port = '80'] = /^(.*?)(?::(\d+))?$/.exec(authority) ?? []
  if (Number(port) !== localPort) return false
  const address = localAddress.replace(/^::ffff:/, '')
  const own = [address, `[${address}]`, hostname().toLowerCase()]
  return isLoopbackHost(host) || own.includes(host.toLowerCase())
}
