// The OpenAPI document passes the linter of Redocly: its recommended rules, and valid examples. A change of the API is agreed on.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'
import { summarizeApi } from './support/api-summary.ts'
import { operationsOf } from './support/operations.ts'

/**
 * A probe is neither limited nor authorized: it has no 4xx response. `by-external-id` is no id of a user, and its paths are
 * mounted first: an external id that is "event" or "occasion" is read as one.
 */
const ACCEPTED = [
  'no-ambiguous-paths #/paths/~1user~1{id}~1occasion',
  'no-ambiguous-paths #/paths/~1user~1{id}~1event',
  'operation-4xx-response #/paths/~1healthz/get/responses',
  'operation-4xx-response #/paths/~1readyz/get/responses',
]

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-invalid-schema-examples': 'error', 'no-invalid-media-type-examples': 'error' },
  })
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  return found.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
}

const { send } = createTestApp()
const { text, json } = await send('/openapi.json')

it('the OpenAPI document passes the recommended rules of Redocly', async () => {
  expect(await lint(text)).toEqual(ACCEPTED)
  const withoutSummary = text.replace('"summary":"Get the index",', '')
  expect(await lint(withoutSummary)).toContain('operation-summary #/paths/~1/get/summary')
})

it('the API is the one in test/golden/api.txt', async () => {
  await expect(summarizeApi(json)).toMatchFileSnapshot('../../golden/api.txt')
})

it('every dry run is asked for, and named in the response', () => {
  const withDryRun = operationsOf(json).filter(({ input }) => 'dryRun' in input)
  expect(withDryRun.map(({ operationId }) => operationId)).toHaveLength(12)
  for (const { operationId, input, outputs } of withDryRun) {
    expect([operationId, input.dryRun.type, input.dryRun.default ?? false]).toEqual([
      operationId,
      'boolean',
      false,
    ])
    for (const output of outputs) expect(output, operationId).toHaveProperty('dryRun')
  }
})

it('every list has items, and what has pages takes limit and cursor and returns nextCursor', () => {
  const violations = operationsOf(json).flatMap(({ method, operationId, input, outputs }) => {
    const isPaged = 'cursor' in input
    const isList = operationId.startsWith('list') || (isPaged && method === 'get')
    return outputs.flatMap((output) => [
      ...('limit' in input === isPaged ? [] : [`${operationId} takes a limit or a cursor alone`]),
      ...('nextCursor' in output === isPaged ? [] : [`${operationId} has pages on one side only`]),
      ...(isPaged && 'next' in output ? [`${operationId} has a page called next`] : []),
      ...(isList && output.items?.type !== 'array' ? [`${operationId} lists no items`] : []),
      ...('more' in output ? [`${operationId} has more`] : []),
    ])
  })
  expect(violations).toEqual([])
})
