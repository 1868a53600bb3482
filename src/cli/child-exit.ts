/** The end of a command that ran another program: its exit code is ours. */
export class ChildExit extends Error {
  override readonly name = 'ChildExit'
  readonly code: number

  constructor(code: number) {
    super(`the program ended with ${code}`)
    this.code = code
  }
}
