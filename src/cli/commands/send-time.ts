// `terce send-time`: moves the send time of people who exist.
import { InvalidArgumentError } from 'commander'
import type { Client, components } from '../../client/client.ts'
import { parseLocalTime } from '../../domain/time/local-time.ts'
import type { AddCommand } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { countEvents, countPeople, grouped } from '../output/words.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

type Options = RemoteOptions & { from?: string; type?: string; dryRun?: boolean; json?: true }
type Request = components['schemas']['MoveSendTime']
type Counts = Pick<
  components['schemas']['MovedSendTime'],
  'people' | 'matched' | 'changed' | 'moved' | 'inFlight'
>

const HELP = `
Examples:
  terce send-time 08:30 --dry-run
  terce send-time 08:30 --from 09:00
  terce send-time 10:00 --type WORK_ANNIVERSARY

Moves the occasions that are not over, and their pending events. An event in flight keeps its time. A message of today whose new time has passed is
sent at once, and one that was sent is not sent again. A message planned for next year because its time had passed today is
planned for today if its new time is still ahead. Safe to repeat: after an error, run it again. New people get the time
of DELIVER_AT, which this command does not change.
`

export const addSendTime: AddCommand = (program, entry) => {
  addRemoteOptions(program.command('send-time').description('move the send time of people who exist'))
    .argument('<HH:MM>', 'the new local send time', timeOfDay)
    .option('--from <HH:MM>', 'only occasions with this send time (default: all of them)', timeOfDay)
    .option('--type <type>', 'only occasions of this type, such as BIRTHDAY')
    .option('--dry-run', 'only count, move nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((localTime: string, { from, type, dryRun = false, json, ...remote }: Options) =>
      withRemote(remote, entry, async ({ client }) => {
        const request = { filter: {}, localTime, ...(from && { from }), ...(type && { type }) }
        const found = await moveAll(client, { ...request, dryRun: true, limit: COUNTED })
        const progress = createProgress(process.stderr)
        const counts =
          dryRun || found.matched === 0
            ? found
            : await moveAll(client, { ...request, dryRun: false, limit: STEP }, ({ people, changed }) =>
                progress(Math.min(1, people / found.people), `${occasions(changed)} moved`, people),
              )
        console.log(json ? JSON.stringify({ dryRun, ...counts }) : textOf(counts, { localTime, dryRun }))
      }),
    )
}

function timeOfDay(text: string): string {
  if (parseLocalTime(text) === null) throw new InvalidArgumentError('Use a time of day such as 08:30.')
  return text
}

const COUNTED = 10_000
const STEP = 1_000

async function moveAll(client: Client, from: Request, onStep?: (counts: Counts) => void): Promise<Counts> {
  const counts: Counts = { people: 0, matched: 0, changed: 0, moved: 0, inFlight: 0 }
  let cursor: string | null | undefined
  while (cursor !== null) {
    const body = { ...from, ...(cursor && { cursor }) }
    const page: components['schemas']['MovedSendTime'] = await client.post('/people/send-time', { body })
    for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += page[key]
    onStep?.(counts)
    cursor = page.nextCursor
  }
  return counts
}

/** `219 occasions of 219 people moved to 08:30, with 217 events. 2 events in flight keep their time.` */
function textOf(counts: Counts, { localTime, dryRun }: { localTime: string; dryRun: boolean }): string {
  const { people, changed, moved, inFlight } = counts
  const verb = dryRun ? 'would move' : 'moved'
  const among = `among ${countPeople(people)}`
  const all = `${occasions(changed)} ${among} ${verb} to ${localTime}, with ${countEvents(moved)}.`
  if (inFlight === 0) return all
  return `${all} ${countEvents(inFlight)} in flight ${inFlight === 1 ? 'keeps its' : 'keep their'} time.`
}

function occasions(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'occasion' : 'occasions'}`
}
