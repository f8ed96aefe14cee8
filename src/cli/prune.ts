// `terce prune`: removes settled events of long ago.
import { ConfigError, parseDuration, readConfig } from '../runtimes/config.ts'
import type { AddCommand } from './entry.ts'

export const addPrune: AddCommand = (program, { env }) => {
  program
    .command('prune')
    .description('remove settled events of long ago, with their attempts; the latest of each occasion stays')
    .requiredOption('--older-than <time>', 'how long ago, such as 90d')
    .action(async ({ olderThan }: { olderThan: string }) => {
      const ageMs = parseDuration(olderThan)
      if (ageMs === undefined)
        throw new ConfigError([`--older-than ${olderThan} is not usable. Give a time such as 90d.`])
      const { database } = readConfig(env)
      const { openDatabase } = await import('../runtimes/database.ts')
      const { pruneHistory } = await import('../flow/prune.ts')
      const { store, clock, close } = await openDatabase(database, (error) => {
        throw error
      })
      const onTerminal = process.stderr.isTTY
      const removed = await pruneHistory(store, clock.now() - ageMs, (count) => {
        if (onTerminal) process.stderr.write(`\r${count} removed`)
      })
      if (onTerminal) process.stderr.write('\r')
      console.error(`${removed} settled events removed.`)
      await close()
    })
}
