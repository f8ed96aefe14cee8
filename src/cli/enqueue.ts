// Checks the changes that were enqueued by SQL: whether some were rejected, or wait for a worker.
import type { Database } from '../runtimes/node/database.ts'
import { type Check, ok, warn } from './doctor/check.ts'
import { grouped, shortDuration } from './output/words.ts'

const LATE_MS = 60_000

/** Empty for a database in which nothing can be enqueued. */
export async function checkEnqueued({
  enqueued,
  clock,
}: Pick<Database, 'enqueued' | 'clock'>): Promise<Check[]> {
  if (enqueued === null) return []
  const { pending, rejected, oldestAt } = await enqueued.countEnqueued()
  if (rejected > 0) {
    const text = `${countChanges(rejected)} enqueued by SQL ${rejected === 1 ? 'was' : 'were'} rejected.`
    return [warn('enqueued', text, 'Read terce.enqueue_errors; docs/enqueue.md says how to correct them.')]
  }
  const waitMs = oldestAt === null ? 0 : clock.now() - oldestAt
  const text = `${countChanges(pending)} enqueued by SQL`
  if (waitMs <= LATE_MS) return [ok('enqueued', pending === 0 ? 'Nothing waits.' : `${text}.`)]
  return [
    warn(
      'enqueued',
      `${text}; the oldest has waited for ${shortDuration(waitMs)}.`,
      'Start a worker, or check its log.',
    ),
  ]
}

const countChanges = (count: number) => `${grouped(count)} ${count === 1 ? 'change' : 'changes'}`
