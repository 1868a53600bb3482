/**
 * Returns whether a Host header names this machine: `localhost`, `127.x.x.x` or `[::1]`, with any port, since ours may
 * be mapped.
 */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host)
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/i.test(address)
}
