/** One server-sent event. */
export interface StreamEvent {
  /** The last one seen, to resume from; '' before the first. */
  readonly id: string
  readonly type: string
  /** What a comment says; '' for an event. */
  readonly comment: string
}

/** Takes pieces of an event stream as they come, and answers the events that are complete; a comment has the type ''. */
export function eventReader(): (piece: string) => readonly StreamEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2)
      const type = field('event')
      if (type !== undefined) return [{ id: field('id') ?? '', type, comment: '' }]
      return block.startsWith(': ') ? [{ id: '', type: '', comment: block.slice(2) }] : []
    })
  }
}
