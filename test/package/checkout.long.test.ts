// A checkout without the packages for development: `npm ci --omit=dev && npm start`.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyCheckout, copyPackagesWithoutDev, shellEnv } from './support/checkout.ts'
import { serve } from './support/server.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-checkout-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a checkout with the packages of npm ci --omit=dev', () => {
  it('has no test tools, builds the dashboard, and starts', async () => {
    copyCheckout(folder)
    copyPackagesWithoutDev(folder)
    expect(existsSync(join(folder, 'node_modules/vitest'))).toBe(false)
    expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false)
    await promisify(execFile)('npm', ['run', 'build'], { cwd: folder, env: shellEnv() })
    const server = await serve('npm', ['start'], { cwd: folder })
    await server.stop()
  })
})
