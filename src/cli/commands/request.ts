// `terce request`: sends one request to the API and prints the response.
import { readFileSync } from 'node:fs'
import { Argument, InvalidArgumentError } from 'commander'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Any path, without the types of the client. */
type Call = (path: string, sent: { body?: unknown }) => Promise<unknown>

const HELP = `
Prints the body of the response; JSON is indented on a terminal. /docs of a server describes every path.

Examples:
  terce request GET '/user?limit=10'
  terce request PUT /user/01a1de6f-5280-70d2-8169-02eccccbeee5 --data '{"timezone":"Asia/Tokyo"}'
  terce request POST /user --data - < person.json
`

export const addRequest: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('request').description('send a request to the API and print its response'))
    .addArgument(new Argument('<method>', 'the method').choices(METHODS).argParser(parseMethod))
    .argument('<path>', 'the path and its query, such as /user?limit=10')
    .option('--data <json>', 'the body as JSON; - for standard input')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action(async (method: string, path: string, options: RemoteOptions & { data?: string }) => {
      if (!path.startsWith('/')) throw new ConfigError([`The path ${path} does not begin with a slash.`])
      const sent = options.data === undefined ? {} : { body: parseBody(options.data) }
      await withRemote(options, entry, async ({ client }) => {
        const calls = client as unknown as Record<string, Call>
        // The client fills in names in braces.
        const encoded = path.replaceAll('{', '%7B')
        const response = await calls[method.toLowerCase()]!(encoded, sent)
        if (response === undefined) return
        const indent = process.stdout.isTTY ? 2 : undefined
        console.log(typeof response === 'string' ? response : JSON.stringify(response, null, indent))
      })
    })
}

/** In either case. A parser replaces the check of the choices, which the help lists. */
function parseMethod(text: string): string {
  const method = METHODS.find((one) => one === text.toUpperCase())
  if (method === undefined) throw new InvalidArgumentError(`Allowed choices are ${METHODS.join(', ')}.`)
  return method
}

function parseBody(data: string): unknown {
  try {
    return JSON.parse(data === '-' ? readFileSync(0, 'utf8') : data)
  } catch (error) {
    throw new ConfigError([`--data is not JSON: ${(error as Error).message}`])
  }
}
