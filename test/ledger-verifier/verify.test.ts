// The verifier as a command: its output and its exit code.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SigningKey } from '../../src/ports/signer.ts'
import { createKey, fileOf, linesOf, proofOf, type SealedDay, sealDay } from './support/sealed-days.ts'

const COMMAND = fileURLToPath(new URL('../../src/ledger-verifier/verify.ts', import.meta.url))

let folder: string
let key: SigningKey
let day: SealedDay
let text: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-verifier-'))
  key = await createKey()
  day = await sealDay(key, linesOf('2026-11-16', ['delivered', 'failed', 'surplus']), { day: '2026-11-16' })
  text = await fileOf(key, [day])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function verify(
  content: string,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = join(folder, 'file.json')
  writeFileSync(file, content)
  return run([file, ...args])
}

function run(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

describe('the command of the verifier', () => {
  it('exits with 0 for a sound file, and names its key', async () => {
    expect(await verify(text)).toEqual({
      code: 0,
      stdout: `note: The account of 2026-11-16 itself reports surplus 1.
Sound. Signed with the key ${key.publicKey}.
Compare this key with the one that the operator published, or give it by --key.
`,
      stderr: '',
    })
  })

  it('exits with 0 for a sound proof with the expected key', async () => {
    const { code, stdout } = await verify(proofOf(key, day, 1), '--key', key.publicKey)
    expect(stdout.split('\n').slice(1)).toEqual([`Sound. Signed with the key ${key.publicKey}.`, ''])
    expect(code).toBe(0)
  })

  it('exits with 1 for an altered file, and says what is wrong', async () => {
    const { code, stdout } = await verify(text.replace('"failed"', '"delivered"'))
    expect(stdout).toContain('error: The header of 2026-11-16 says failed 1, and its lines give 0.\n')
    expect(stdout).toContain('error: A line of 2026-11-16 was altered, added, removed or moved.\n')
    expect(stdout).not.toContain('Sound')
    expect(code).toBe(1)
  })

  it('exits with 1 for another key than expected', async () => {
    const other = await createKey()
    expect((await verify(text, '--key', other.publicKey)).code).toBe(1)
  })

  it('recognizes a proof whose fields are in another order', async () => {
    const proof = Object.fromEntries(Object.entries(JSON.parse(proofOf(key, day, 1))).reverse())
    expect((await verify(JSON.stringify(proof, null, 2))).code).toBe(0)
  })

  it.each([
    ['without a file', [], 'Usage: node verify.js FILE [--key BASE64]\n'],
    ['for an unknown option', ['file.json', '--kee'], 'Usage: node verify.js FILE [--key BASE64]\n'],
    ['for a file that does not exist', ['no.json'], "ENOENT: no such file or directory, open 'no.json'\n"],
  ])('exits with 2 and one line %s', async (_, args, stderr) => {
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr })
  })
})
