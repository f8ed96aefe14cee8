// How long a file of src and how full a folder may get before it hides a second idea.
import { posix } from 'node:path'
import { isIn } from '../support/source-file.ts'
import type { Guard } from './guard.ts'

const MAX_LINES = 250
/** Files only: a layer has a folder for each of its features, and their number is that of the features. */
const MAX_FILES = 15

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
  rule: `no folder in src has more than ${MAX_FILES} files beside its folders`,
  check(files) {
    const counts = new Map<string, number>()
    for (const file of files.filter(isIn('src'))) {
      const folder = posix.dirname(file.path)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    return [...counts]
      .filter(([, count]) => count > MAX_FILES)
      .map(([folder, count]) => `${folder} has ${count} files`)
  },
  planted: [
    {
      violation: 'a folder with sixteen files',
      tree: Object.fromEntries([
        ...Array.from({ length: 16 }, (_, i) => [`src/app/file-${i}.ts`, '']),
        ['src/app/users/users.ts', ''],
      ]),
      reported: ['src/app has 16 files'],
    },
  ],
}
