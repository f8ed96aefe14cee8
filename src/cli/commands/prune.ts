// `terce prune`: removes settled events of long ago.
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { AddCommand } from '../entry.ts'
import { createProgress } from '../output/progress.ts'
import { grouped } from '../output/rehearsal-report.ts'

type Options = { olderThan: string; dryRun?: boolean; json?: true }

const HELP = `
The latest settled event of each occasion stays, however old: it is what keeps its year from being greeted again. Open
events are not touched. It goes in small steps, beside running workers.

Exit codes: 0 done, 1 failed, 2 something asked for wrongly.`

export const addPrune: AddCommand = (program, { env }) => {
  program
    .command('prune')
    .description('remove settled events of long ago, with their attempts; the latest of each occasion stays')
    .requiredOption('--older-than <time>', 'how long ago, such as 90d')
    .option('--dry-run', 'only count')
    .option('--json', 'one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ olderThan, dryRun = false, json }: Options) => {
      const ageMs = parseShortDuration(olderThan)
      if (ageMs === undefined)
        throw new ConfigError([`--older-than ${olderThan} is not usable. Give a time such as 90d.`])
      const { database } = readConfig(env)
      const { openDatabase } = await import('../../runtimes/node/database.ts')
      const { pruneHistory } = await import('../../app/events/prune.ts')
      const { store, clock, close } = await openDatabase(database, (error) => {
        throw error
      })
      try {
        const before = clock.now() - ageMs
        const found = await store.countPrunable(before)
        const progress = found < LONG ? () => {} : createProgress(process.stderr)
        const onStep = (gone: number) => progress(Math.min(1, gone / found), `${grouped(gone)} removed`)
        const removed = dryRun ? 0 : await pruneHistory(store, before, onStep)
        if (json) return console.log(JSON.stringify({ found, removed, dryRun }))
        const told = dryRun ? `${events(found)} would be removed.` : `${events(removed)} removed.`
        console.error(told)
      } finally {
        await close()
      }
    })
}

/** Fewer are gone before a bar could be read. */
const LONG = 5_000

const events = (count: number) => `${grouped(count)} settled ${count === 1 ? 'event' : 'events'}`
