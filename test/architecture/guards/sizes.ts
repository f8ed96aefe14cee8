// How long a file of src and how full a folder may get before it hides a second idea.
import { posix } from 'node:path'
import { isIn } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

const MAX_LINES = 250
const MAX_ENTRIES = 15

export const FILE_LENGTH: Guard = {
  rule: `no file in src is longer than ${MAX_LINES} lines`,
  check(files) {
    return files
      .filter(isIn('src'))
      .map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ path, lines }) => `${path} has ${lines} lines`)
  },
  planted: [
    {
      violation: 'a file with one line too many',
      tree: { 'src/app/users/users.ts': '//\n'.repeat(251), 'src/app/users/bulk.ts': '//\n'.repeat(250) },
      reported: ['src/app/users/users.ts has 251 lines'],
    },
  ],
}

export const FOLDER_SIZE: Guard = {
  rule: `no folder in src has more than ${MAX_ENTRIES} entries`,
  check(files) {
    const entries = new Map<string, Set<string>>()
    for (const file of files.filter(isIn('src'))) {
      for (let path = file.path; path !== 'src'; path = posix.dirname(path)) {
        const folder = posix.dirname(path)
        entries.set(folder, (entries.get(folder) ?? new Set()).add(path))
      }
    }
    return [...entries]
      .filter(([, inside]) => inside.size > MAX_ENTRIES)
      .map(([folder, inside]) => `${folder} has ${inside.size} entries`)
  },
  planted: [
    {
      violation: 'a folder with sixteen files and folders',
      tree: Object.fromEntries([
        ...Array.from({ length: 15 }, (_, i) => [`src/app/file-${i}.ts`, '']),
        ['src/app/users/users.ts', ''],
        ['src/app/users/bulk.ts', ''],
      ]),
      reported: ['src/app has 16 entries'],
    },
  ],
}
