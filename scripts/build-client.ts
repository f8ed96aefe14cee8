// Writes src/client/schema.ts, the types of the API, from the OpenAPI document. Run it after a change of the API.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { createLive } from '../src/app/dashboard/live.ts'
import { localApp } from '../src/cli/local-app.ts'
import { createInbox } from '../src/http/inbox/inbox.ts'
import { readConfig } from '../src/runtimes/config/config.ts'
import { systemClock } from '../src/runtimes/system-clock.ts'
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts'

const FILE = new URL('../src/client/schema.ts', import.meta.url)
const HEADER =
  '// The API as types. Made by npm run client from its OpenAPI document: change that, not this.\n'

/** Fields that the generator adds to every path and operation, and that the API never uses. */
const UNUSED = /^ +(?:cookie|options|head|patch|trace)\?: never;\n/gm

/** The text of src/client/schema.ts for the current API. */
export async function buildSchema(): Promise<string> {
  const types = await openapiTS(forCallers(await openapiDocument()), { defaultNonNullable: false })
  return format(HEADER + astToString(types).replaceAll(UNUSED, ''))
}

/** The OpenAPI document of a server with every optional part mounted. */
async function openapiDocument(): Promise<OpenAPI3> {
  const store = openSqliteStore(':memory:')
  const app = localApp(
    readConfig({}),
    { store, clock: systemClock, announce() {} },
    {
      inbox: createInbox({ capacity: 1, token: 'none', secrets: [] }),
      live: createLive(systemClock),
      metrics: { contentType: 'text/plain', render: async () => '' },
    },
  )
  const response = await app.request('/openapi.json')
  await store.close()
  return (await response.json()) as OpenAPI3
}

type Operation = { responses: Record<string, { headers?: object }> }

/** Removes what the client does not return: response headers, examples, and problems, which it throws as a TerceError. */
function forCallers(document: OpenAPI3): OpenAPI3 {
  for (const item of Object.values(document.paths ?? {})) {
    for (const { responses } of Object.values(item as Record<string, Operation>)) {
      for (const [status, response] of Object.entries(responses)) {
        if (status.startsWith('2')) delete response.headers
        else delete responses[status]
      }
    }
  }
  return JSON.parse(JSON.stringify(document, (name, value) => (name === 'example' ? undefined : value)))
}

function format(text: string): string {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const args = [biome, 'format', '--stdin-file-path=src/client/schema.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input: text,
    encoding: 'utf8',
    cwd: new URL('..', import.meta.url),
  })
  if (status !== 0) throw new Error(`The types could not be formatted: ${stderr}`)
  return stdout
}

if (import.meta.main) writeFileSync(FILE, await buildSchema())
