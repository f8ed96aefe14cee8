// `terce explain`: why an event is due when it is, and its history.
import type { components } from '../../client/client.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { brief } from '../output/schedule-lines.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Explanation = components['schemas']['Explanation']

export const addExplain: AddCommand = (program, entry) => {
  addRemoteOptions(
    program
      .command('explain <event>')
      .description('explain when and why an event is due, and show its history'),
  )
    .option('--json', 'print one JSON object')
    .addHelpText('after', REMOTE_HELP)
    .action(async (event: string, options: RemoteOptions & { json?: true }) => {
      const id = parseEventId(event)
      const explanation = await withRemote(options, entry, ({ client }) =>
        client.get('/event/{id}/explain', { path: { id } }),
      )
      console.log(options.json ? JSON.stringify(explanation) : explanationText(explanation))
    })
}

function parseEventId(text: string): string {
  const id = parseUuid(text)
  if (id === null)
    throw new ConfigError([`${text.slice(0, 60)} is not an event id. Run terce tail to see some.`])
  return id
}

function explanationText({ summary, instant, oddities, history }: Explanation): string {
  const { utc, local, timezone, rule, why } = instant
  return [
    summary,
    '',
    `due   ${brief(local)} in ${timezone}, ${brief(utc)}`,
    `rule  ${rule}`,
    `why   ${why}`,
    ...oddities.map(({ code, text }) => `note  ${code}: ${text}`),
    '',
    ...history.map(({ at, text }) => `${at}  ${text}`),
  ].join('\n')
}
