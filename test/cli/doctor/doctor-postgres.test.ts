// `terce doctor` on PostgreSQL: checks the server and changes nothing.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { useDatabase } from '../support/in-process.ts'

const stage = useStage({ database: 'empty' })
const { terce } = useDatabase(addDoctor, addMigrate)

async function examine(url: string): Promise<string[]> {
  const { stdout } = await terce(['doctor', '--json'], { DATABASE_URL: url })
  return (JSON.parse(stdout).checks as Check[]).map(({ name, state, text }) => `${state} ${name}: ${text}`)
}

describe('terce doctor on PostgreSQL', () => {
  it('warns of enqueued changes that were rejected, or that no worker applies', async () => {
    const url = stage.database()
    const store = await stage.open()
    const enqueued = async () => (await examine(url)).filter((line) => line.includes(' enqueued: '))
    expect(await enqueued()).toEqual(['ok enqueued: Nothing waits.'])
    await query(url, `SELECT terce.enqueue_user_deletion('42'), terce.enqueue_user_deletion('43')`)
    expect(await enqueued()).toEqual(['ok enqueued: 2 changes enqueued by SQL.'])
    await query(url, `UPDATE terce.enqueued_changes SET enqueued_at = now() - interval '5 min'`)
    expect(await enqueued()).toEqual([
      expect.stringMatching(/^warn enqueued: 2 changes enqueued by SQL; the oldest has waited for 5 min/),
    ])
    const problem = { code: 'INVALID_INPUT', detail: '' }
    await store.applyEnqueued({ limit: 1, failed: false }, async () => [{ kind: 'rejected', problem }])
    expect(await enqueued()).toEqual(['warn enqueued: 1 change enqueued by SQL was rejected.'])
  })

  it('reports a database that is empty, then current, then read-only, then unreachable', async () => {
    const url = stage.database()
    const { host } = new URL(url)
    expect(await examine(url)).toEqual([
      expect.stringMatching(/^ok settings/),
      expect.stringMatching(new RegExp(`^ok database: postgres://${host}/\\w+ \\(PostgreSQL \\d+`)),
      expect.stringMatching(/^ok clock: Within [\d.]+ m?s of the database\.$/),
      expect.stringMatching(/^warn schema: (\d+) of \1 migrations pending\.$/),
      expect.stringMatching(/^warn the rest/),
    ])
    const planned = JSON.parse((await terce(['migrate', '--plan', '--json'], { DATABASE_URL: url })).stdout)
    expect(planned).toMatchObject({
      migrations: expect.arrayContaining([expect.stringMatching(/\.sql$/)]),
    })
    const applied = await terce(['migrate', '--json'], { DATABASE_URL: url })
    const { database, migrations } = planned
    expect(JSON.parse(applied.stdout)).toEqual({ database, dryRun: false, migrations })
    expect((await terce(['migrate', '--plan'], { DATABASE_URL: url })).stderr).toMatch(/is up to date\.\n$/)
    const well = await examine(url)
    expect(well.filter((line) => !line.startsWith('ok '))).toEqual([])
    expect(well.length).toBeGreaterThan(8)

    const admin = new pg.Client(url)
    await admin.connect()
    await admin.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    )
    await admin.end()
    expect((await examine(url))[1]).toMatch(/^fail database: .* is read-only\.$/)
    const away = new URL(url)
    away.port = '9'
    expect((await examine(away.href))[1]).toMatch(
      /^fail database: Cannot use postgres:\/\/127\.0\.0\.1:9\/\w+: /,
    )
  })
})
