// Promises about the types of the client: they are those of the API as it is.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildSchema } from '../../scripts/build-client.ts'

describe('the types of the client', () => {
  it('are what the OpenAPI document says; npm run client makes them anew', async () => {
    const file = readFileSync(new URL('../../src/client/schema.ts', import.meta.url), 'utf8')
    expect((await buildSchema()) === file, 'src/client/schema.ts is not up to date').toBe(true)
  })
})
