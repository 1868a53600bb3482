export const adminPrefix = '/__admin'

/** Whether a path belongs to the admin API. */
export function isAdminPath(path: string): boolean {
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`)
}

/** Whether a path accepts documents that otcsim wrote, which may be larger than what callers write. */
export function isDocumentPath(path: string): boolean {
  return path.endsWith('/snapshots/import') && isAdminPath(path)
}
