// `terce wave`: the nine o'clocks of a day as they pass over the world, hour by hour; live on a terminal.
import type { components } from '../../client/client.ts'
import type { AddCommand } from '../entry.ts'
import { lookEverySecond, untilStopped } from '../output/watch.ts'
import { waveLines } from '../output/wave-lines.ts'
import { addRemoteOptions, REMOTE_HELP, type RemoteOptions, withRemote } from '../remote.ts'

export type Today = components['schemas']['Today']

const HELP = `
The hours are by UTC, from eleven hours ago to twelve ahead; beside each the clocks that show the delivery time in it. On
a terminal it is drawn anew every second until you stop it; elsewhere it is one table. An event that was moved to another
day long after it was planned may be missing.
`

export const addWave: AddCommand = (program, entry) => {
  addRemoteOptions(
    program.command('wave').description("show the day's nine o'clocks: sent, under way, to come"),
  )
    .option('--json', 'one JSON object, once')
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

/** On a screen of its own, which leaves the one before as it was; the last drawing stays. */
async function drawUntil(signal: AbortSignal, read: () => Promise<Today>): Promise<void> {
  const { stdout } = process
  let drawing = ''
  let trouble = ''
  const draw = async () => {
    drawing = waveLines(await read(), stdout.columns).join('\n')
    trouble = ''
    stdout.write(`${HOME}${drawing}\n`)
  }
  const onTrouble = ({ message }: Error) => {
    trouble = `terce: ${message} Trying again.`
    stdout.write(`${HOME}${drawing}\n${trouble}\n`)
  }
  stdout.write(OWN_SCREEN)
  try {
    await lookEverySecond(draw, { signal, onTrouble })
  } finally {
    stdout.write(`${SCREEN_BEFORE}${drawing}\n${trouble}`)
  }
}

/** To the first line, and away with what is there. */
const HOME = '\x1b[H\x1b[J'
const OWN_SCREEN = '\x1b[?1049h\x1b[?25l'
const SCREEN_BEFORE = '\x1b[?25h\x1b[?1049l'
