// The generated parts of the documentation, and the definitions that they are made from.
import { execFileSync } from 'node:child_process'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { code, type Row, table } from './markdown-table.ts'

/** `render` gets the text that is between the markers now. */
export type Generated = { file: string; name: string; render: (written: string) => string }

export const GENERATED: readonly Generated[] = [
  { file: 'docs/settings.md', name: 'settings', render: table(settings) },
  {
    file: 'docs/postgresql.md',
    name: 'settings',
    render: table((keys) => settings().filter(([name]) => keys.includes(name))),
  },
  { file: 'docs/cli.md', name: 'commands', render: table(commands) },
]

/** A setting without a default value has words there, such as `none`. */
function settings(): Row[] {
  return readConfig({}).settings.map(({ name, value }) => [
    code(name),
    value === null ? null : code(value),
    null,
  ])
}

/** As `terce --help` lists them. */
function commands(): Row[] {
  const terce = new URL('../../bin/terce.js', import.meta.url).pathname
  const help = execFileSync(process.execPath, [terce, '--help'], { encoding: 'utf8', env: {} })
  const listed = help.slice(help.indexOf('Run the service:'), help.indexOf('Examples:'))
  const found = [...listed.matchAll(/^ {2}([\w-]+)\S*(?: \S+)* {2,}(.+(?:\n {10,}.+)*)/gm)]
  return found
    .filter(([, name]) => name !== 'help')
    .map(([, name, purpose]) => [code(`terce ${name}`), purpose!.replaceAll(/\s+/g, ' '), null])
}
