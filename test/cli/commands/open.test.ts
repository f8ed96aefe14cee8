// `terce open`: the address of the dashboard.
import { expect, it } from 'vitest'
import { addOpen } from '../../../src/cli/commands/open.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addOpen)

it.each([
  [{}, 'http://localhost:3000/app/'],
  [{ PORT: '8080' }, 'http://localhost:8080/app/'],
  [{ PUBLIC_URL: 'https://terce.example.com' }, 'https://terce.example.com/app/'],
  [{ TERCE_URL: 'https://other.example.com/base/' }, 'https://other.example.com/base/app/'],
])('terce open prints the address of the dashboard with %j', async (env: Record<string, string>, address) => {
  expect(await database.terce(['open'], env)).toMatchObject({ code: 0, stdout: `${address}\n` })
})
