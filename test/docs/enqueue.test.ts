// docs/enqueue.md as written: its SQL runs, under the rights that it grants.
import { expect, it } from 'vitest'
import { query } from '../stores/postgres/support/audit.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { until } from '../support/until.ts'
import { readPage } from './support/page.ts'

const stage = useStage()
const page = readPage('enqueue.md')
const [example, grants, readErrors, correct] = page.blocks('sql')

it('has SQL that a role with the granted rights alone runs, and that a worker applies', async () => {
  const store = await stage.open()
  const asRole = new URL(stage.database())
  const administer = (text: string) => query(stage.database(), text)
  const shop = await stage.createRole('shop')
  expect(grants).toContain('TO shop;')
  await administer(`CREATE TABLE customers (id int, name text);
    GRANT ALL ON customers TO ${shop}; ${grants!.replaceAll('TO shop', `TO ${shop}`)}`)
  asRole.username = shop
  const sink = await stage.sink()
  await stage.terce('worker', { WEBHOOK_URL: sink.url })
  await query(asRole.href, example!)
  const applied = () => administer('SELECT id FROM terce.enqueued_changes WHERE rejected_at IS NULL')
  await until('the example is applied', applied, ({ length }) => length === 0)
  expect(await store.findUsersByExternalId(['42'])).toMatchObject([{ firstName: 'Ada' }])
  expect((await store.listTasks({ limit: 9, cursor: null })).items).toMatchObject([{ externalId: '42' }])

  await query(asRole.href, example!.replaceAll('"42"', '"43"').replace('Europe/London', 'Jakarta'))
  const rejected = () => administer(readErrors!)
  const [person, task] = await until('two changes are rejected', rejected, ({ length }) => length === 2)
  expect(person).toMatchObject({ code: 'INVALID_INPUT', problems: [{ field: 'timezone' }] })
  expect(task).toMatchObject({ code: 'USER_NOT_FOUND', problems: null })
  await administer(correct!.replace('17', String(person!.id)))
  const created = () => store.findUsersByExternalId(['43'])
  await until('the person is created', created, ({ length }) => length === 1)
}, 60_000)
