// A claim of enqueued changes reads the front of the queue by indexes, however long the queue is and whether it was analyzed or not.
import pg from 'pg'
import { expect, it } from 'vitest'
import { openOnPool } from '../../../../src/stores/postgres/postgres-store.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()

type Statement = { text: string; values?: unknown[] }

/** The statements of a claim, as they are sent. */
async function claimStatements(): Promise<Statement[]> {
  const sent: Statement[] = []
  class Recorder extends pg.Client {
    override query(...args: unknown[]): never {
      const [first] = args as [string | Statement]
      sent.push(
        typeof first === 'string' ? { text: first } : { text: first.text, values: first.values ?? [] },
      )
      return Reflect.apply(super.query, this, args) as never
    }
  }
  const pool = new pg.Pool({ connectionString: stage.database(), Client: Recorder as typeof pg.Client })
  const store = await openOnPool(pool)
  sent.length = 0
  await store.applyEnqueued({ limit: 500, failed: false }, async () => [])
  await pool.end()
  return sent
}

const enqueue = (from: number, to: number) =>
  query(
    stage.database(),
    `SELECT count(terce.enqueue_user_deletion(i::text)) FROM generate_series(${from}, ${to}) AS i`,
  )

/** Runs `work` in a transaction with the settings of a claim. */
async function asInClaim<T>(
  statements: readonly Statement[],
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(stage.database())
  await client.connect()
  try {
    for (const { text } of statements.filter(({ text }) => /^(BEGIN|SET)/.test(text)))
      await client.query(text)
    return await work(client)
  } finally {
    await client.end()
  }
}

const planOfClaim = (statements: readonly Statement[]): Promise<string> =>
  asInClaim(statements, async (client) => {
    const { text, values } = statements.find(({ text }) => text.startsWith('WITH first'))!
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

it('a claim finds the first changes by the index of pending ones, and all others by the index of external ids', async () => {
  await stage.open()
  const statements = await claimStatements()
  const scans = (plan: string) => plan.match(/(?:using|Seq Scan on|Bitmap Index Scan on) \w+/g)
  const wanted = [
    'using enqueued_changes_pending',
    'using enqueued_changes_by_external_id',
    'using enqueued_changes_by_external_id',
  ]
  expect(scans(await planOfClaim(statements))).toEqual(wanted)
  await enqueue(1, 20_000)
  expect(scans(await planOfClaim(statements))).toEqual(wanted)
  await query(stage.database(), 'ANALYZE terce.enqueued_changes')
  expect(scans(await planOfClaim(statements))).toEqual(wanted)
  await query(stage.database(), 'DELETE FROM terce.enqueued_changes; ANALYZE terce.enqueued_changes')
  await enqueue(1, 20_000)
  expect(scans(await planOfClaim(statements))).toEqual(wanted)
})

it('a claim is not compiled: PostgreSQL up to 17 would compile every claim, because a plan that must sort is costly with sorting disabled', async () => {
  await stage.open()
  const { rows } = await asInClaim(await claimStatements(), (client) => client.query('SHOW jit'))
  expect(rows).toEqual([{ jit: 'off' }])
})
