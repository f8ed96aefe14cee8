// Writes a file of the user as a whole or not at all.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileError } from './file-error.ts'

/** Writes to a .part file and renames it when it is complete. Only the owner can read it. */
export async function writeFile(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const part = `${path}.part`
  try {
    // An existing file would keep its permissions, and a link would lead elsewhere.
    await rm(part, { force: true })
    await pipeline(Readable.from(pieces), createWriteStream(part, { mode: 0o600, flags: 'wx' }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw fileError('write', path, error)
  }
}
