// Where tests keep data that need not survive the machine.
import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Containers often have 64 MB there. */
const LEAST_FREE_BYTES = 2 * 2 ** 30

/** A file system in memory if the machine has one with room: a small file is created there in a tenth of the time. Else the usual folder. */
export function memoryFolder(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= LEAST_FREE_BYTES ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
