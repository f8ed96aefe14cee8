// The version of this package, as its package.json says.
import { readFileSync } from 'node:fs'

const packageJson = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = packageJson.version
