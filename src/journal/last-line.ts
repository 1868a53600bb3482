import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'

/*
 * `FILE.last` beside a journal names the last line that was written to it. Without it, nobody could tell a journal that
 * was cut at the end of a line, or an older copy of it, from a whole one.
 */

/** A line of a journal: its number, where the next line begins, and its hash. */
export interface LastLine {
  /**
   * The number of the line. The first line has the number of the state in which the journal began: 0, unless it began
   * with a snapshot.
   */
  readonly sequence: number
  /** The offset in bytes behind its line end. */
  readonly offset: number
  readonly hash: string
}

/** The ending of the name of the file that names the last line of a journal. */
export const lastLineEnding = '.last'

/**
 * Fewer bytes than a disk writes at once, so that a power cut leaves either the old or the new text. They are written
 * in place, which takes no space on a disk.
 */
const bytesInFile = 128

/** The file that names the last line of a journal, while the journal is being written. */
export class LastLineFile {
  private readonly descriptor: number
  private readonly bytes = Buffer.alloc(bytesInFile, ' ')

  /** Opens or creates the file beside a journal. Throws what the file system throws. */
  constructor(journal: string) {
    this.descriptor = openSync(`${journal}${lastLineEnding}`, constants.O_WRONLY | constants.O_CREAT, 0o644)
    this.bytes[bytesInFile - 1] = endOfLine
  }

  /** Names a line in place of the one before, in a single write. Throws what the file system throws. */
  write(line: LastLine): void {
    const text = formatLastLine(line)
    this.bytes.fill(' ', this.bytes.write(text, 'latin1'), bytesInFile - 1)
    writeSync(this.descriptor, this.bytes, 0, bytesInFile, 0)
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

const endOfLine = 10

/**
 * Reads which line of a journal was the last. Returns null if there is no such file, or its text is not whole: then it proves
 * nothing.
 */
export function readLastLine(journal: string): LastLine | null {
  let text: string
  try {
    text = readFileSync(`${journal}${lastLineEnding}`, 'latin1')
  } catch {
    return null
  }
  const [, sequence = '', offset = '', hash = ''] = form.exec(text) ?? []
  const line = { sequence: Number(sequence), offset: Number(offset), hash }
  return text.trimEnd() === formatLastLine(line) ? line : null
}

const form = /^\{"sequence":(\d{1,16}),"offset":(\d{1,16}),"hash":"([0-9a-f]{32})"/

/** Formats a line as JSON, with a check that detects a text which is half old and half new. */
function formatLastLine({ sequence, offset, hash }: LastLine): string {
  const check = (Number.parseInt(hash.slice(0, 8), 16) + sequence * 31 + offset) % 4_294_967_296
  return `{"sequence":${sequence},"offset":${offset},"hash":"${hash}","check":${check}}`
}
