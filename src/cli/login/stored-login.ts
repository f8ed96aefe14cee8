// The server and the key that `terce login` stored, in a file that only its owner can read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../runtimes/config/config-error.ts'
import type { Entry } from '../entry.ts'
import { fileError } from '../output/file-error.ts'

export type Login = { url: string; key?: string }

/** Null without a home folder. */
export function loginFile({ XDG_CONFIG_HOME, APPDATA, HOME }: Entry['env']): string | null {
  const folder = XDG_CONFIG_HOME || APPDATA || (HOME && join(HOME, '.config'))
  return folder ? join(folder, 'terce', 'login.json') : null
}

export function readLogin(env: Entry['env']): Login | null {
  const file = loginFile(env)
  if (file === null) return null
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw fileError('read', file, error)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError([`${file} is not readable. Run terce login again, or terce logout.`])
  }
}
