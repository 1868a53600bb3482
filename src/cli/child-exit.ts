/** Ends a command that ran another program with that program's exit code. */
export class ChildExit extends Error {
  override readonly name = 'ChildExit'
  readonly code: number

  constructor(code: number) {
    super(`the program ended with ${code}`)
    this.code = code
  }
}
