import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BacktestCapture, CaptureOptions } from '../../backtest/capture/capture.ts'
import { captureDocument, readCaptureDocument } from '../../backtest/capture/capture-document.ts'
import { CliFailure, exitCode } from '../failure.ts'
import { readFile } from '../read-file.ts'
import { writeNewFile } from '../write-file.ts'
import type { BacktestFlags } from './backtest-flags.ts'

const maximumBytes = 1_000_000_000

/** What the flags say about capturing a run. Errors: the file already exists. */
export function captureOptionsOf(flags: BacktestFlags, cwd: string): CaptureOptions {
  const { capture, captureAt } = flags
  if (capture === undefined || captureAt === undefined) return {}
  if (existsSync(resolve(cwd, capture)))
    throw new CliFailure(exitCode.usage, `cannot write ${capture}: it already exists`)
  return { captureAt, onCapture: (captured) => write(capture, cwd, captured) }
}

/** A captured run from its file. Errors: it cannot be read, or holds none. */
export function readCapture(file: string, cwd: string): BacktestCapture {
  const path = resolve(cwd, file)
  const bytes = readFile(cwd, path, maximumBytes, exitCode.unusableData)
  try {
    const document: unknown = JSON.parse(bytes.toString('utf8'))
    return readCaptureDocument(document)
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliFailure(exitCode.unusableData, `${path} is not JSON`)
    if (error instanceof RangeError) throw new CliFailure(exitCode.unusableData, `${path}: ${error.message}`)
    throw error
  }
}

function write(file: string, cwd: string, captured: BacktestCapture): void {
  if (writeNewFile(cwd, file, `${JSON.stringify(captureDocument(captured))}\n`)) return
  throw new CliFailure(exitCode.usage, `cannot write ${file}: it already exists`)
}
