// `terce prune`: deletes old settled events, ended sessions, and old entries of the audit log.
import { ConfigError, readConfig } from '../../runtimes/config/config.ts'
import { parseShortDuration } from '../../runtimes/config/setting-values.ts'
import type { AddCommand } from '../entry.ts'
import { openForCommand } from '../open-database.ts'
import { grouped } from '../output/words.ts'

type Options = { olderThan: string; dryRun?: boolean; json?: true }

const HELP = `
Keeps the latest settled event of each occasion, however old: it prevents a second message for the same occurrence. Open
events are not touched. Also deletes enqueued changes that were rejected so long ago, sessions of the dashboard that ended,
and entries of the audit log that are older than AUDIT_RETENTION. Deletes in small steps;
workers can keep running. PostgreSQL has a partition for each month, which is dropped when all of it is that old: its events
stay up to a month longer. The totals of the days of the ledger stay.

Exit codes: 0 success, 1 failure, 2 wrong usage.`

export const addPrune: AddCommand = (program, { env }) => {
  program
    .command('prune')
    .description('delete old settled events and their attempts')
    .requiredOption('--older-than <time>', 'age, such as 90d')
    .option('--dry-run', 'only count, delete nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ olderThan, dryRun = false, json }: Options) => {
      const ageMs = parseShortDuration(olderThan)
      if (ageMs === undefined)
        throw new ConfigError([`--older-than ${olderThan} is not usable. Use a duration such as 90d.`])
      const { database, auditRetentionMs } = readConfig(env)
      const { pruneAudit } = await import('../../app/access/audit.ts')
      const { removeExpired } = await import('../../app/access/expiry.ts')
      const { pruneHistory } = await import('../../app/events/prune.ts')
      const { auditCli } = await import('../audit.ts')
      const { store, clock, close } = await openForCommand(database)
      try {
        const before = clock.now() - ageMs
        // To count them takes longer than to drop them.
        const removed = dryRun ? 0 : await pruneHistory(store, before, { onStep: showProgress })
        const found = dryRun ? await store.countPrunable(before) : removed
        if (!dryRun) {
          await removeExpired({ store, clock })
          if (removed > 0)
            await auditCli({ store, clock }, { action: 'events.pruned', object: null, details: { removed } })
          await pruneAudit({ store, clock, telemetry: () => {} }, clock.now() - auditRetentionMs, 'cli')
        }
        if (json) return console.log(JSON.stringify({ found, removed, dryRun }))
        if (process.stderr.isTTY && removed > 0) process.stderr.write('\r\x1b[K')
        console.error(
          dryRun ? `${settledEvents(found)} would be deleted.` : `${settledEvents(removed)} deleted.`,
        )
      } finally {
        await close()
      }
    })
}

function showProgress(removed: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${grouped(removed)} deleted\x1b[K`)
}

const settledEvents = (count: number) => `${grouped(count)} settled ${count === 1 ? 'event' : 'events'}`
