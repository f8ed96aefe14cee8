// `terce ledger verify FILE`: findings in words, and the exit code.
import { beforeAll, describe, expect, it } from 'vitest'
import type { SigningKey } from '../../../src/ports/signer.ts'
import {
  createKey,
  fileOf,
  linesOf,
  proofOf,
  type SealedDay,
  sealDay,
} from '../../ledger-verifier/support/sealed-days.ts'
import { useFolder } from '../support/run-command.ts'

const folder = useFolder()
let key: SigningKey
let days: SealedDay[]
let text: string

beforeAll(async () => {
  key = await createKey()
  const first = await sealDay(key, linesOf('2026-11-15', ['delivered', 'delivered']), { day: '2026-11-15' })
  const lines = linesOf('2026-11-16', ['delivered', 'failed', 'unexplained'])
  days = [first, await sealDay(key, lines, { day: '2026-11-16', before: first })]
  text = await fileOf(key, days)
})

async function verify(content: string, ...args: string[]) {
  folder.write('ledger.json', content)
  return folder.terce(['ledger', 'verify', 'ledger.json', ...args])
}

describe('terce ledger verify FILE', () => {
  it('says which days of a sound file are right, and which key signed them', async () => {
    expect(await verify(text)).toEqual({
      code: 0,
      stdout: `note   The account of 2026-11-16 itself reports unexplained 1.
2026-11-15 to 2026-11-16, 2 days, 5 lines: the chain, the roots and the signatures are right.
Signed with the key ${key.publicKey}. Compare it with the published key, or give that one by --key.
`,
      stderr: '',
    })
  })

  it('says what a sound proof shows', async () => {
    const index = days[1]!.lines.findIndex(({ column }) => column === 'failed')
    const { eventId } = days[1]!.lines[index]!
    const { code, stdout } = await verify(proofOf(key, days[1]!, index), '--key', key.publicKey)
    expect([code, stdout.split('\n').slice(-3)]).toEqual([
      0,
      [
        `The account of 2026-11-16 has event ${eventId}, occurrence 2026-11-16, as failed.`,
        `Signed with the key ${key.publicKey}.`,
        '',
      ],
    ])
  })

  it('exits with 1 for an altered file, and says what is wrong', async () => {
    const { code, stdout, stderr } = await verify(text.replace('"unexplained","', '"delivered","'))
    expect(stdout).toMatch(/^error {2}The header of 2026-11-16 says delivered 1, and its lines give 2\.$/m)
    expect(stdout).not.toContain('are right')
    expect([code, stderr]).toEqual([1, 'terce: ledger.json is not sound: 3 errors.\n'])
  })

  it('exits with 1 if another key signed the file, also with --json', async () => {
    const other = await createKey()
    const { code, stdout } = await verify(text, '--json', '--key', other.publicKey)
    const { ok, findings } = JSON.parse(stdout)
    expect([code, ok, findings[0].code]).toEqual([1, false, 'OTHER_KEY'])
  })

  it('exits with 1 for a file that was cut off', async () => {
    expect(await verify(text.slice(0, 600))).toMatchObject({
      code: 1,
      stdout: 'error  The file is not JSON: it is another file, or it was cut off.\n',
    })
  })

  it.each([
    ['missing.json', 'Cannot read missing.json: no such file. Check the path.'],
    ['.', 'Cannot read .: it is a folder. Give a file.'],
  ])('exits with 2 for %s, which is not a file', async (path, why) => {
    const ran = await folder.terce(['ledger', 'verify', path])
    expect(ran).toEqual({ code: 2, stdout: '', stderr: `terce: ${why}\n` })
  })
})
