/** The system's short name of what went wrong, such as ENOSPC, or the error as text. */
export const systemCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)
