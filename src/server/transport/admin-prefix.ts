export const adminPrefix = '/__admin'

/** Whether a path belongs to the control plane. */
export function isAdminPath(path: string): boolean {
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`)
}

/** Whether documents of ours are taken in there, which may be larger than what callers write. */
export function isDocumentPath(path: string): boolean {
  return path.endsWith('/snapshots/import') && isAdminPath(path)
}
