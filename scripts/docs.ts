// npm run docs: writes the generated tables of the documentation, and prints which files changed.
import { writeFileSync } from 'node:fs'
import { outdatedPages } from './docs/pages.ts'

const outdated = outdatedPages()
for (const [file, text] of outdated) {
  writeFileSync(new URL(`../${file}`, import.meta.url), text)
  console.log(`wrote ${file}`)
}
if (outdated.size === 0) console.log('Every generated table is up to date.')
