// The configuration of the Worker: no secret in it, and no way to origins that are not public.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readRoot } from './support/deploy-files.ts'

// JSON with comments and trailing commas is YAML once the comments are gone.
const wrangler = parse(readRoot('deploy/cloudflare/wrangler.jsonc').replaceAll(/^\s*\/\/.*$/gm, ''))

describe('the configuration of the Worker', () => {
  it('contains no secret: they are set with wrangler secret put', () => {
    for (const name of Object.keys(wrangler.vars)) expect(name).not.toMatch(/SECRET|KEY|PASSWORD|TOKEN/)
    expect(readRoot('docs/deploy-cloudflare.md')).toContain('wrangler secret put TERCE_SECRET_KEY')
  })

  it('sends webhooks to public addresses alone', () => {
    expect(wrangler.compatibility_flags).toContain('global_fetch_strictly_public')
  })

  it('uploads the bundle that the tests run', () => {
    expect([wrangler.no_bundle, wrangler.main]).toEqual([true, '../../build/cloudflare/worker.js'])
  })
})

it('every file in deploy/ has a test', () => {
  const tested: Record<string, string> = {
    'aws/template.yaml': 'test/runtimes/aws/template.test.ts',
    'cloudflare/README.md': 'test/docs/links.test.ts',
    'cloudflare/wrangler.jsonc': 'test/deploy/cloudflare.test.ts',
    'node/Dockerfile': 'test/deploy/dockerfile.test.ts',
    'node/Dockerfile.dockerignore': 'test/deploy/dockerfile.test.ts',
    'node/compose.yaml': 'test/deploy/compose.test.ts',
    'node/kubernetes/terce.yaml': 'test/deploy/kubernetes.test.ts',
    'node/terce.service': 'test/deploy/systemd.test.ts',
  }
  const root = new URL('../../deploy', import.meta.url)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const files = entries.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.pathname.length + 1))
  expect(files.filter((file) => !/(^|\/)\./.test(file)).sort()).toEqual(Object.keys(tested).sort())
  for (const test of Object.values(tested)) expect(() => readRoot(test)).not.toThrow()
})
