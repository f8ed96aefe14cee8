// Every file in deploy/ is read by a test.
import { globSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readRoot } from './support/deploy-files.ts'

it('every file in deploy/ has a test', () => {
  /** By path or pattern below deploy/. */
  const tested: Record<string, string> = {
    'aws/template.yaml': 'test/runtimes/aws/template.test.ts',
    'cloudflare/dashboard.json': 'test/deploy/cloudflare-dashboard.test.ts',
    'cloudflare/README.md': 'test/docs/links.test.ts',
    'cloudflare/wrangler.hyperdrive.jsonc': 'test/deploy/cloudflare.test.ts',
    'cloudflare/wrangler.jsonc': 'test/deploy/cloudflare.test.ts',
    'node/Dockerfile': 'test/deploy/image.long.test.ts',
    'node/Dockerfile.dockerignore': 'test/deploy/dockerfile.test.ts',
    'node/postgres-roles.sh': 'test/deploy/compose.test.ts',
    'node/compose.yaml': 'test/deploy/compose.test.ts',
    'node/kubernetes/*.yaml': 'test/deploy/kubernetes.test.ts',
    'node/terce.service': 'test/deploy/systemd.test.ts',
  }
  const root = new URL('../../deploy', import.meta.url)
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const files = entries.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.pathname.length + 1))
  const covered = Object.keys(tested).map((pattern) => globSync(pattern, { cwd: root.pathname }))
  for (const [at, found] of covered.entries()) expect(found, Object.keys(tested)[at]).not.toEqual([])
  expect(files.filter((file) => !/(^|\/)\./.test(file)).sort()).toEqual(covered.flat().sort())
  for (const test of Object.values(tested)) expect(() => readRoot(test)).not.toThrow()
})
