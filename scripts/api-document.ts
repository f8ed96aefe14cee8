// The OpenAPI document of a server with every optional part mounted.
import type { OpenAPI3 } from 'openapi-typescript'
import { localApp } from '../src/cli/local-app.ts'
import { createInbox } from '../src/http/inbox/inbox.ts'
import type { Store } from '../src/ports/store.ts'
import { readConfig } from '../src/runtimes/config/config.ts'
import { systemClock } from '../src/runtimes/shared/system-clock.ts'

export async function apiDocument(): Promise<OpenAPI3> {
  // The document depends on no data, and the image is built without the migrations that a store needs.
  const store = {} as Store
  const app = localApp(
    readConfig({}),
    { store, clock: systemClock, announce() {} },
    {
      inbox: createInbox({ capacity: 1, token: 'none', secrets: [] }),
      metrics: { contentType: 'text/plain', render: async () => '' },
    },
  )
  const response = await app.request('/openapi.json')
  return (await response.json()) as OpenAPI3
}
