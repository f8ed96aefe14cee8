// Checks that the generated client types match the API.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildSchema } from '../../scripts/build-client.ts'

describe('the types of the client', () => {
  it('match the OpenAPI document (if not, run npm run client)', async () => {
    const file = readFileSync(new URL('../../src/client/schema.ts', import.meta.url), 'utf8')
    expect((await buildSchema()) === file, 'src/client/schema.ts is not up to date').toBe(true)
  })
})
