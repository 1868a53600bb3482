/**
 * Creates a reader of an event stream. It takes chunks as they arrive, and returns the messages and comments
 * that are complete.
 */
export function createMessageReader(): (piece: string) => readonly string[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks
  }
}
