// A schema for each installation: two of them and an application share one database.
import { describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { wakeChannel } from '../../../src/stores/postgres/store.ts'
import { readPage } from '../../docs/support/page.ts'
import { until } from '../../support/until.ts'
import { createApplication, readApplication } from './support/application.ts'
import { query } from './support/audit.ts'
import { createDuePeople } from './support/due-people.ts'
import { useStage } from './support/postgres-suite.ts'
import { runTerce } from './support/processes.ts'

const stage = useStage({ database: 'empty' })

describe('two installations and an application in one database', () => {
  it('deliver each to their own people, and leave the tables of the application alone', async () => {
    const url = stage.database()
    await createApplication(url)
    const before = await readApplication(url, [])
    const schemas = ['terce', 'reminders']
    const installations = await Promise.all(
      schemas.map(async (schema, i) => {
        const store = await stage.open({ schema })
        const { people } = await createDuePeople(store, 20 * (i + 1))
        return { schema, store, people, sink: await stage.sink() }
      }),
    )
    for (const { schema, sink } of installations) {
      const env = { WEBHOOK_URL: sink.url, DATABASE_SCHEMA: schema }
      await stage.terce('api', env)
      await stage.terce('worker', env)
    }
    for (const { people, sink } of installations) {
      await until(
        'all delivered',
        async () => sink.arrivals.length,
        (count) => count === people.length,
        30_000,
      )
      const greeted = sink.arrivals.map(({ body }) => JSON.parse(body).userId)
      expect(greeted.sort()).toEqual(people.map(({ user }) => user.id).sort())
    }
    expect(await readApplication(url, schemas)).toEqual(before)
    const [first, second] = installations
    await first!.store.deleteUser(first!.people[0]!.user.id, Date.now())
    expect(await second!.store.findUser(second!.people[0]!.user.id)).not.toBeNull()
  }, 60_000)

  it('have a notification channel each', () => {
    expect(wakeChannel('terce')).not.toBe(wakeChannel('reminders'))
  })
})

/** The roles of docs/postgresql.md under names of their own: roles belong to the server, which other tests share. */
function rolesFor(url: string): { owner: string; app: string; statements: string } {
  const database = new URL(url).pathname.slice(1)
  const [documented] = readPage('postgresql.md').blocks('sql')
  const statements = documented!
    .replaceAll(/terce_(owner|app)/g, `$1_${database}`)
    .replace('DATABASE terce', `DATABASE ${database}`)
  const connectAs = (role: string) => Object.assign(new URL(url), { username: `${role}_${database}` }).href
  return { owner: connectAs('owner'), app: connectAs('app'), statements }
}

describe('a role that owns nothing', () => {
  it('runs the API and the workers with the rights of docs/postgresql.md, and can create the next month of the history and change no other table', async () => {
    const url = stage.database()
    await createApplication(url)
    const { owner, app, statements } = rolesFor(url)
    await query(url, statements)
    expect((await runTerce(['migrate'], { DATABASE_URL: owner })).code).toBe(0)
    const store = await stage.open()
    const [month] = await query<{ name: string }>(
      url,
      `SELECT name FROM terce.history_months('settled_events') ORDER BY before_id DESC LIMIT 1`,
    )
    await query(url, `DROP TABLE terce.${month!.name}`)
    const sink = await stage.sink()
    const env = { DATABASE_URL: app, WEBHOOK_URL: sink.url }
    const api = await stage.terce('api', env)
    await stage.terce('worker', env)
    await createDuePeople(store, 5)
    await until(
      'all delivered',
      async () => sink.arrivals.length,
      (count) => count === 5,
      30_000,
    )
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
    await query(url, `SELECT FROM terce.${month!.name}`)
    const tried = ['DROP TABLE terce.users', 'CREATE TABLE terce.more (id int)', 'SELECT * FROM public.users']
    for (const text of tried)
      await expect(query(app, text)).rejects.toThrow(/permission denied|must be owner/)
    await expect(query(owner, 'CREATE ROLE more')).rejects.toThrow('permission denied')
    await expect(query(owner, 'SELECT * FROM public.users')).rejects.toThrow('permission denied')
  }, 60_000)

  it('can be granted its rights after the first migration', async () => {
    const url = stage.database()
    const { owner, app, statements } = rolesFor(url)
    const [byAdministrator, byOwner] = statements.split(/(?=SET ROLE)/)
    await query(url, byAdministrator!)
    expect((await runTerce(['migrate'], { DATABASE_URL: owner })).code).toBe(0)
    await query(url, byOwner!)
    const store = await openPostgresStore(app)
    stage.atEnd(() => store.close())
    const { people } = await createDuePeople(store, 1)
    expect(await store.deleteUser(people[0]!.user.id, Date.now())).toBe(true)
  })

  it('ends with exit code 1 and the reason when a migration is pending', async () => {
    const url = new URL(stage.database())
    url.username = await stage.createRole('guest')
    const { code, output } = await runTerce(['worker'], {
      DATABASE_URL: url.href,
      WEBHOOK_URL: 'http://127.0.0.1:9/',
    })
    expect(code).toBe(1)
    expect(output).toMatch(/^terce: Cannot use postgres:.*: permission denied for database \w+\. .*\n$/)
  })
})
