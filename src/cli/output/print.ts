// Writes to standard output what may be too long to hold.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** No faster than the reader reads. One that has seen enough, such as head, ends it. */
export async function print(lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(inPieces(lines)), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

const PIECE = 64 * 1024

/** Some hundred lines at a time: one by one took four times as long. */
function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = ''
  for (const line of lines) {
    piece += line
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  yield piece
}
