// The options of `terce simulate`: the people and the days.
import { createReadStream } from 'node:fs'
import type { Command } from 'commander'
import {
  type Judge,
  type ListedPeople,
  type ListedPerson,
  parsePeople,
  readPeople,
} from '../rehearsal/people.ts'
import { ConfigError } from '../runtimes/config/config.ts'
import { fileError } from './output/file-error.ts'

export type PeopleOptions = { person?: string[]; csv?: string; from?: string; to?: string }

export function addPeopleOptions(command: Command): Command {
  return command
    .option(
      '--person <"date timezone">',
      'date of birth and IANA timezone of a person; can be repeated',
      collect,
    )
    .option('--csv <file>', 'CSV file with the columns firstName, lastName, dateOfBirth, timezone')
    .option('--from <day>', 'first day, YYYY-MM-DD in UTC (default: today)')
    .option('--to <day>', 'last day, inclusive (default: one year after the first)')
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text]
}

/** All people, or a ConfigError that names every problem. */
export async function listPeople({ person, csv }: PeopleOptions, judge: Judge): Promise<ListedPerson[]> {
  if ((person === undefined) === (csv === undefined)) {
    throw new ConfigError(['Give either --csv people.csv or --person "1992-02-29 Asia/Jakarta".'])
  }
  const { people, problems } = csv === undefined ? parsePeople(person!, judge) : await readFile(csv, judge)
  if (problems.length > 0) throw new ConfigError(problems)
  return people
}

async function readFile(path: string, judge: Judge): Promise<ListedPeople> {
  try {
    const { people, problems } = await readPeople(textOf(path), judge)
    return { people, problems: problems.map((problem) => `${path}: ${problem}`) }
  } catch (error) {
    throw fileError('read', path, error)
  }
}

/** Decodes UTF-8, without a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}
