/** Work that can pause after each piece. Before its first piece it has not begun. */
export type Pieces<Result> = Generator<undefined, Result, undefined>

/** Does what is left, in one go. */
export function finished<Result>(pieces: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
