// The simulated clouds have the settings of the real deployments.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SECOND } from '../../support/fixtures.ts'
import { AWS, CLOUDFLARE } from './settings.ts'

/** The first number behind a name, after a marker in the file. */
function numberIn(file: string, name: string, after = ''): number {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const found = new RegExp(`${name}\\W+(\\d[\\d_]*)`).exec(text.slice(text.indexOf(after)))
  return Number(found?.[1]?.replaceAll('_', ''))
}

it('simulates AWS with the settings of its template', () => {
  const template = 'deploy/aws/template.yaml'
  const marginMs = numberIn('src/runtimes/aws/runtime.ts', 'MARGIN_MS')
  const limitMs = numberIn(template, 'Timeout', 'WorkerFunction:') * SECOND
  const visibilityMs = numberIn(template, 'VisibilityTimeout', 'Deliveries:') * SECOND
  expect(AWS).toEqual({
    runMs: numberIn(template, 'Timeout', 'SchedulerFunction:') * SECOND - marginMs,
    consumeMs: limitMs - marginMs,
    limitMs,
    unansweredMs: visibilityMs,
    diedMs: visibilityMs,
    maxReceives: numberIn(template, 'maxReceiveCount'),
  })
})

it('simulates Cloudflare with the settings of its deployment', () => {
  const settings = 'deploy/cloudflare/wrangler.jsonc'
  const runtime = 'src/runtimes/cloudflare/schedule.ts'
  expect(CLOUDFLARE).toMatchObject({
    runMs: numberIn(runtime, 'RUN_MS'),
    consumeMs: numberIn('src/runtimes/cloudflare/consume.ts', 'CONSUME_MS'),
    diedMs: numberIn(settings, 'retry_delay') * SECOND,
    maxReceives: numberIn(settings, 'max_retries') + 1,
  })
})
