// Streams to standard output text that may be too long to keep in memory.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Waits for a slow reader, and ends quietly when the reader closes the pipe, as head does. */
export async function print(lines: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(inChunks(lines)), process.stdout, { end: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

const CHUNK_CHARS = 64 * 1024

/** A few hundred lines per write: one write per line took four times as long. */
function* inChunks(lines: Iterable<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_CHARS) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}
