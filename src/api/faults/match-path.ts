/**
 * Whether a path matches a pattern: the parts between its stars occur in order, the first at the start and the last
 * at the end.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === path
  const last = rest.pop() ?? ''
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const place = path.indexOf(part, at)
    if (place === -1) return false
    at = place + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}
