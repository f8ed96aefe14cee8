// `terce request`: any request to the API.
import { expect, it } from 'vitest'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import { addRequest } from '../../../src/cli/commands/request.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addRequest, addMigrate)

it('terce request sends any request, and prints the response or the problem', async () => {
  await database.terce(['migrate'])
  const request = (...args: string[]) => database.terce(['request', ...args])
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'Europe/London' }
  const { stdout } = await request('POST', '/user', '--data', JSON.stringify(ada))
  const { user } = JSON.parse(stdout)
  expect(JSON.parse((await request('get', '/user?limit=1')).stdout).items).toMatchObject([ada])
  expect(await request('DELETE', `/user/${user.id}`)).toMatchObject({ code: 0 })
  expect(await request('GET', `/user/${user.id}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(USER_NOT_FOUND)'),
  })
})

it.each([
  [['GET', 'user'], 'does not begin with a slash'],
  [['POST', '/user', '--data', '{'], '--data is not JSON'],
  [['PATCH', '/user'], 'Allowed choices are GET, POST, PUT, DELETE'],
])('terce request %j is wrong usage', async (args, text) => {
  const { code, stderr } = await database.terce(['request', ...args])
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
})
