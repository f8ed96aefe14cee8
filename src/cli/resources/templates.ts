// `terce templates`: the texts of messages.
import { readFileSync } from 'node:fs'
import { type Client, type components, TerceError } from '../../client/client.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { fileError } from '../output/file-error.ts'
import { addGroup, type OptionValues, picked, type Spec, table } from './group.ts'
import { personOf } from './people.ts'

type Template = components['schemas']['Template']

const LANGUAGE = ['--language <tag>', 'the text for this language, such as de'] as const
const BODY = [
  ['--body <text>', 'the text'],
  ['--file <file>', 'read the text from this file; - for standard input'],
] as const

function read(client: Client, type: string, language: string | undefined): Promise<Template> {
  return language === undefined
    ? client.get('/template/{type}', { path: { type } })
    : client.get('/template/{type}/{language}', { path: { type, language } })
}

function bodyOf({ body, file }: OptionValues): string | null {
  if (typeof body === 'string' && file !== undefined) throw new ConfigError(['Give either --body or --file.'])
  if (typeof file !== 'string') return (body as string | undefined) ?? null
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw fileError('read', file, error)
  }
}

/** The stored text, or the one that is built in. */
async function currentBody(client: Client, type: string, language: string | undefined): Promise<string> {
  try {
    return (await read(client, type, language)).body
  } catch (error) {
    const builtIn = occasionType(type).text
    if (!(error instanceof TerceError) || error.code !== 'TEMPLATE_NOT_FOUND' || builtIn === null) throw error
    return builtIn
  }
}

const TEMPLATES: Spec[] = [
  {
    usage: 'list',
    description: 'list the templates that replace built-in texts',
    examples: ['templates list'],
    async run({ client }) {
      const { items } = await client.get('/template')
      const rows = items.map((one) => [one.type, one.language ?? '', one.body.split('\n')[0]!.slice(0, 60)])
      const none = 'No templates: the built-in texts are used.'
      return { json: items, text: items.length === 0 ? none : table(rows) }
    },
  },
  {
    usage: 'show <type>',
    description: 'print the text of a type of occasion',
    options: [LANGUAGE],
    examples: ['templates show BIRTHDAY', 'templates show BIRTHDAY --language de'],
    async run({ client, args, given }) {
      const { language } = picked(given, ['language'])
      if (given.json) return { json: [await read(client, args[0]!, language)], text: '' }
      return { json: [], text: await currentBody(client, args[0]!, language) }
    },
  },
  {
    usage: 'edit <type>',
    description: 'set the text of a type of occasion',
    options: [...BODY, ['--subject <text>', 'the subject of e-mails'], LANGUAGE],
    examples: [
      "templates edit BIRTHDAY --body 'Happy birthday, {{ firstName }}!'",
      'templates edit BIRTHDAY --language de --file birthday.de.txt',
    ],
    async run({ client, args, given }) {
      const [type, text] = [args[0]!, bodyOf(given)]
      if (text === null) throw new ConfigError(['Give the text with --body or --file.'])
      const { language, ...rest } = picked(given, ['language', 'subject'])
      const body = { body: text, ...rest }
      const saved =
        language === undefined
          ? await client.put('/template/{type}', { path: { type }, body })
          : await client.put('/template/{type}/{language}', { path: { type, language }, body })
      return { json: [saved], text: `Saved ${type}${language === undefined ? '' : `, ${language}`}.` }
    },
  },
  {
    usage: 'preview <type>',
    description: 'render the text of a type of occasion, or another one',
    options: [['--person <person>', 'for this person (default: an example)'], ...BODY, LANGUAGE],
    examples: ['templates preview BIRTHDAY --person crm-4711', 'templates preview BIRTHDAY --file new.txt'],
    async run({ client, args, given }) {
      const { person, language } = picked(given, ['person', 'language'])
      const [type] = args as [string]
      const body = bodyOf(given) ?? (await currentBody(client, type, language))
      const userId = person === undefined ? {} : { userId: (await personOf(client, person)).id }
      const shown = await client.post('/template/preview', { body: { body, type, ...userId } })
      return { json: [shown], text: shown.message }
    },
  },
  {
    usage: 'delete <type>',
    description: 'delete a template, so that the built-in text is used again',
    options: [LANGUAGE],
    examples: ['templates delete BIRTHDAY'],
    async run({ client, args, given }) {
      const [type] = args as [string]
      const { language } = picked(given, ['language'])
      if (language === undefined) await client.delete('/template/{type}', { path: { type } })
      else await client.delete('/template/{type}/{language}', { path: { type, language } })
      return { json: [{ type, language: language ?? null, deleted: true }], text: `Deleted ${type}.` }
    },
  },
]

export const addTemplates = addGroup('templates', 'list, show, edit and preview texts', TEMPLATES)
