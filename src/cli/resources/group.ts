// Builds a group of commands, such as `terce people list`, from a table: each entry is one call of the client and what it prints.
import { type Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand, Entry } from '../entry.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

/** Options as commander reads them; a choice or a text is a string, a flag is true. */
export type OptionValues = Readonly<Record<string, string | true | undefined>>

/** What a command prints: with --json one object for each line, else text. */
type Printed = { json: readonly object[]; text: string }

export type Spec = {
  /** Such as `show <person>`. */
  usage: string
  description: string
  /** Flags, description, and the allowed values if there are few. A flag that begins with `!` is required. */
  options?: readonly (readonly [flags: string, description: string, choices?: readonly string[]])[]
  examples: readonly string[]
  run(call: { client: Client; args: readonly string[]; given: OptionValues; entry: Entry }): Promise<Printed>
}

export function addGroup(name: string, description: string, specs: readonly Spec[]): AddCommand {
  return (program, entry) => {
    const group = program.command(name).description(description)
    for (const spec of specs) addOne(group, spec, entry)
  }
}

/** Also for a command that belongs to no group. */
export function addOne(to: Command, { usage, description, options = [], examples, run }: Spec, entry: Entry) {
  const command = addRemoteOptions(
    to.command(usage, { isDefault: usage === 'list' }).description(description),
  )
  for (const [flags, text, choices] of options) {
    const option = new Option(flags.replace('!', ''), text).makeOptionMandatory(flags.startsWith('!'))
    command.addOption(choices === undefined ? option : option.choices(choices))
  }
  command
    .option('--json', 'print JSON, one object for each line')
    .addHelpText(
      'after',
      `\nExamples:\n${examples.map((one) => `  terce ${one}`).join('\n')}\n${REMOTE_HELP}`,
    )
    .action(async (...all: unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const given = all.at(-2) as OptionValues & RemoteOptions
      const args = all.slice(0, -2) as string[]
      const { json, text } = await withRemote(given, entry, ({ client }) =>
        run({ client, args, given, entry }),
      )
      if (given.json) for (const one of json) console.log(JSON.stringify(one))
      else if (text !== '') console.log(text)
    })
}

/** Columns of equal width, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Lines of a name and a value; fields without a value are left out. */
export function fields(values: Readonly<Record<string, unknown>>): string {
  return table(
    Object.entries(values).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  )
}

/** The options that are set, by the names of the API. */
export function picked<K extends string>(given: OptionValues, names: readonly K[]): { [P in K]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => (typeof given[name] === 'string' ? [[name, given[name]]] : [])),
  ) as { [P in K]?: string }
}

export const LIMIT = ['--limit <number>', 'how many at most (default: 50)'] as const

export function limitOf({ limit = '50' }: OptionValues): number {
  if (!/^[1-9]\d{0,5}$/.test(String(limit)))
    throw new ConfigError([`--limit ${limit} is not a number from 1.`])
  return Number(limit)
}

/** The first items of a list, 50 unless `limit` says otherwise. */
export async function firstOf<T>(items: AsyncIterable<T>, given: OptionValues): Promise<T[]> {
  const limit = limitOf(given)
  const found: T[] = []
  for await (const item of items) {
    if (found.length >= limit) break
    found.push(item)
  }
  return found
}
