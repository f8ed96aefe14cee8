// Asks before a command does what cannot be undone.
import { createInterface } from 'node:readline/promises'
import { ConfigError } from '../../runtimes/config/config.ts'

/** Throws unless the user agrees. Without a terminal nobody can be asked, and `--yes` is needed. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new ConfigError(['No terminal to ask for confirmation. Use --yes.'])
  if (!(await confirmed(`${question} [y/N] `))) throw new Error('Cancelled.')
}

export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stopping = new AbortController()
  terminal.once('SIGINT', () => stopping.abort())
  try {
    return /^y(es)?$/i.test((await terminal.question(question, { signal: stopping.signal })).trim())
  } catch (error) {
    if (stopping.signal.aborted) return false
    throw error
  } finally {
    terminal.close()
  }
}
