// The environment that moves the wall clock of a process and of every process that it starts.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiles the library into the folder. Null without a C compiler. */
export function movedClock(instant: number, folder: string): Record<string, string> | null {
  // Root runs PostgreSQL as the user nobody, who has to read the library.
  chmodSync(folder, 0o755)
  const library = join(folder, 'moved-clock.so')
  const source = fileURLToPath(new URL('moved-clock.c', import.meta.url))
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], { stdio: 'inherit' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const alreadyMoved = Number(process.env.TERCE_MOVED_CLOCK ?? 0)
  const seconds = Math.round((instant - Date.now()) / 1000) + alreadyMoved
  return { LD_PRELOAD: library, TERCE_MOVED_CLOCK: String(seconds) }
}
