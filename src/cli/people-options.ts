// The options that `terce simulate` and `terce rehearse` share: who, and which days.
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

export type PeopleOptions = { person?: string[]; csv?: string; from?: string; to?: string }

export function addPeopleOptions(command: Command): Command {
  return command
    .option(
      '--person <"date timezone">',
      'a person: date of birth and IANA timezone; may be repeated',
      collect,
    )
    .option('--csv <file>', 'people: a file with the columns firstName, lastName, dateOfBirth, timezone')
    .option('--from <day>', 'the first day, YYYY-MM-DD by UTC (default: today)')
    .option('--to <day>', 'the last day, itself included (default: a year after the first)')
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text]
}

/** Everybody, or a ConfigError that names every problem. */
export async function listPeople({ person, csv }: PeopleOptions, judge: Judge): Promise<ListedPerson[]> {
  if ((person === undefined) === (csv === undefined)) {
    throw new ConfigError([
      'Say who it is about: with --csv people.csv, or with --person "1992-02-29 Asia/Jakarta".',
    ])
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
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new ConfigError([`${path} cannot be read: ${REASONS[code] ?? message}`])
  }
}

/** Without the mark that some programs put at the beginning. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check the path.',
  EISDIR: 'it is a folder. Give a file.',
  EACCES: 'this user may not. Change its permissions.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8. Save it as UTF-8.',
}
