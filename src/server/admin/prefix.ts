export const adminPrefix = '/__admin'

/** Whether a path belongs to the control plane. */
export function isAdminPath(path: string): boolean {
  return path === adminPrefix || path.startsWith(`${adminPrefix}/`)
}
