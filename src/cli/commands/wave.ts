// `terce wave`: the messages of a day by hour; live on a terminal.
import type { AddCommand } from '../entry.ts'
import { paintFor } from '../output/colour.ts'
import { lookEverySecond, untilStopped } from '../output/watch.ts'
import { type TodayJson, waveLines } from '../output/wave-lines.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

const HELP = `
One line per UTC hour, from 11 hours ago to 12 hours ahead, with the UTC offsets whose delivery time falls in it. On a
terminal the table refreshes every second until you stop it; elsewhere it is printed once. An event that was moved to
another day long after it was planned may be missing.
`

export const addWave: AddCommand = (program, entry) => {
  addRemoteOptions(
    program.command('wave').description('show messages by hour: sent, in flight, failed, scheduled'),
  )
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP + REMOTE_HELP)
    .action((options: RemoteOptions & { json?: true }) =>
      withRemote(options, entry, async ({ client }) => {
        if (options.json || !process.stdout.isTTY) {
          const today = await client.get('/today')
          const { now, counts, lateness, wave } = today
          const text = JSON.stringify({ now, counts, lateness, wave })
          return console.log(options.json ? text : waveLines(today, null).join('\n'))
        }
        await untilStopped((signal) => drawUntil(signal, () => client.get('/today')))
      }),
    )
}

/** Draws on the alternate screen, and prints the last drawing on the normal screen when it stops. */
async function drawUntil(signal: AbortSignal, read: () => Promise<TodayJson>): Promise<void> {
  const { stdout } = process
  let drawing = ''
  let problem = ''
  const draw = async () => {
    drawing = waveLines(await read(), stdout.columns, paintFor(stdout)).join('\n')
    problem = ''
    stdout.write(`${HOME}${drawing}\n`)
  }
  const onError = ({ message }: Error) => {
    problem = `terce: ${message} Retrying.`
    stdout.write(`${HOME}${drawing}\n${problem}\n`)
  }
  stdout.write(ENTER_ALTERNATE_SCREEN)
  try {
    await lookEverySecond(draw, { signal, onError })
  } finally {
    stdout.write(`${LEAVE_ALTERNATE_SCREEN}${drawing}\n${problem}`)
  }
}

/** Cursor to the top left, and clear the screen. */
const HOME = '\x1b[H\x1b[J'
const ENTER_ALTERNATE_SCREEN = '\x1b[?1049h\x1b[?25l'
const LEAVE_ALTERNATE_SCREEN = '\x1b[?25h\x1b[?1049l'
