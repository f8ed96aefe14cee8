// Two builds of one commit, in two folders.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { builtCheckout, packBuilt, packCopy } from './support/tarball.ts'

const folder = mkdtempSync(join(tmpdir(), 'terce-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('npm pack gives equal bytes in two folders with files of different modes', async () => {
  const built = await packBuilt(await builtCheckout(join(folder, 'b')), join(folder, 'c'))
  // Of a person whose files are not readable by others.
  const strict = await packCopy(join(folder, 'a/checkout/elsewhere'), { modes: 'go=' })
  expect(strict.integrity).toBe(built.integrity)
}, 300_000)
