// What the commands say about a file of the user that cannot be read or written.
import { ConfigError } from '../../runtimes/config/config.ts'

const NO_FILE = 'no such file. Check the path.'
const NO_FOLDER = 'no such folder. Create it, or check the path.'

const REASONS = {
  read: {
    ENOENT: NO_FILE,
    ENOTDIR: NO_FILE,
    EISDIR: 'it is a folder. Give a file.',
    EACCES: 'permission denied. Change the permissions of the file.',
  },
  write: {
    ENOENT: NO_FOLDER,
    ENOTDIR: NO_FOLDER,
    EISDIR: 'it is a folder. Give a file.',
    EACCES: 'permission denied. Change the permissions of the folder.',
  },
} satisfies Record<string, Record<string, string>>

/** The error as wrong usage. Other errors, such as a full disk or a server that fails while a file is written, are returned as they are. */
export function fileError(verb: keyof typeof REASONS, path: string, error: unknown): unknown {
  const reasons: Readonly<Record<string, string>> = REASONS[verb]
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return reason === undefined ? error : new ConfigError([`Cannot ${verb} ${path}: ${reason}`])
}
