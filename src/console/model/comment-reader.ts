/** Takes pieces of an event stream as they come, and answers the comments that are complete. */
export function commentReader(): (piece: string) => readonly string[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.filter((block) => block.startsWith(': ')).map((block) => block.slice(2))
  }
}
