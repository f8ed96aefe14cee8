// Sealing and verifying in workerd: the two runtimes accept the files of each other.
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/build-cloudflare.ts'
import { verifyFile } from '../../src/ledger-verifier/verifier.ts'
import { COMPATIBILITY } from '../support/workerd/deployment.ts'
import { createKey, fileOf, linesOf, sealDay } from './support/sealed-days.ts'

let workerd: Miniflare

beforeAll(async () => {
  const { text } = await bundle(fileURLToPath(new URL('support/worker.ts', import.meta.url)))
  workerd = new Miniflare({ cf: false, modules: true, script: text, ...COMPATIBILITY })
  await workerd.ready
})
afterAll(() => workerd.dispose())

async function verifyInWorkerd(body: string): Promise<unknown> {
  return (await workerd.dispatchFetch('http://worker/', { method: 'POST', body })).json()
}

describe('in workerd', () => {
  it('a file is sealed that verifies there and in Node', async () => {
    const text = await (await workerd.dispatchFetch('http://worker/')).text()
    expect(JSON.parse(text).days).toHaveLength(2)
    expect(await verifyFile(text)).toEqual([])
    expect(await verifyInWorkerd(text)).toEqual([])
  })

  it('a file of Node is verified, and an alteration is found', async () => {
    const key = await createKey()
    const day = await sealDay(key, linesOf('2026-11-16', ['delivered', 'failed']), { day: '2026-11-16' })
    const text = await fileOf(key, [day])
    expect(await verifyInWorkerd(text)).toEqual([])
    const altered = text.replace('"failed"', '"delivered"')
    expect(await verifyInWorkerd(altered)).toEqual(await verifyFile(altered))
    expect(await verifyInWorkerd(altered)).toHaveLength(3)
  })
})
