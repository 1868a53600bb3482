/** The journal cannot be written, so nothing may change. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable'
  /** The system's short name of what is wrong, such as ENOSPC, where it is the system that says so. */
  readonly code: string
  readonly path: string

  constructor(path: string, code: string, message = code) {
    super(message)
    this.path = path
    this.code = code
  }
}

/** Acts if what follows can be written down. What cannot be does not happen; that is for what nobody is told of. */
export function ifWritable(act: () => void): void {
  try {
    act()
  } catch (failure) {
    if (!(failure instanceof JournalUnwritable)) throw failure
  }
}
