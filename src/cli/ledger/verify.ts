// `terce ledger verify`: checks an exported file or a proof, without a database, or the closed days in the database.
import { readFile } from 'node:fs/promises'
import { checkLedger } from '../../app/ledger/check-ledger.ts'
import type { LedgerFile, LedgerProof } from '../../domain/ledger/file.ts'
import { type Finding, verify } from '../../ledger-verifier/verifier.ts'
import { ConfigError } from '../../runtimes/config/config.ts'
import { webCryptoSigner } from '../../runtimes/config/signer.ts'
import type { Entry } from '../entry.ts'
import { fileError } from '../output/file-error.ts'
import { grouped } from '../output/words.ts'
import { withRemote } from '../remote.ts'
import { closedDays } from './files.ts'
import { type Day, faultOf, isSound } from './text.ts'

export type VerifyOptions = { key?: string; json?: true }

type Result = Pick<Finding, 'level' | 'text'>

/** Throws if the file is not sound. */
export async function verifyLedgerFile(path: string, options: VerifyOptions): Promise<void> {
  const text = await readText(path)
  report(path, await verify(text, expectedKeys(options)), options, () => soundLines(text, options.key))
}

const expectedKeys = ({ key }: VerifyOptions) => key?.split(',')

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError('read', path, error)
  }
}

/** Checks all closed days in the database. Throws if they are not sound. */
export async function verifyDatabase(entry: Entry, options: VerifyOptions): Promise<void> {
  await withRemote({}, entry, async ({ client, where, local }) => {
    if (local === null)
      throw new ConfigError([
        'Without a file, the ledger in a database is verified. Unset TERCE_URL, or verify a file of terce ledger export.',
      ])
    const { store } = local.database
    const days = await closedDays(client, {})
    const keys = [...new Set(days.map(({ publicKey }) => publicKey!))]
    const expected = expectedKeys(options) ?? keys
    const findings: Result[] = [
      ...(await checkLedger({ store, signer: webCryptoSigner }, days.length)).map(error),
      ...days
        .filter((day) => !isSound(day))
        .map((day) => ({ level: 'information' as const, text: faultOf(day) })),
    ]
    for (const key of keys.filter((one) => !expected.includes(one)))
      findings.push(error(`The ledger is signed with the key ${key}, which is not expected.`))
    const lines = days.reduce((sum, { expected, surplus }) => sum + expected + surplus, 0)
    report(where, findings, options, () =>
      days.length === 0
        ? ['No day is closed yet.']
        : [
            rightText(
              days.map(({ day }) => day),
              lines,
            ),
            ...keys.map((key, i) => (i === 0 ? signedText(key) : keyText(days, key))),
          ],
    )
  })
}

function error(text: string): Result {
  return { level: 'error', text }
}

/** Prints the findings, or else that there are none. Throws if there is an error among them. */
function report(
  what: string,
  findings: readonly Result[],
  { json }: VerifyOptions,
  whenSound: () => string[],
): void {
  const errors = findings.filter(({ level }) => level === 'error').length
  if (json) console.log(JSON.stringify({ ok: errors === 0, findings }))
  else {
    for (const { level, text } of findings) console.log(`${level === 'error' ? 'error' : 'note '}  ${text}`)
    if (errors === 0) for (const line of whenSound()) console.log(line)
  }
  if (errors > 0) throw new Error(`${what} is not sound: ${errors === 1 ? '1 error' : `${errors} errors`}.`)
}

/** What a sound file or proof shows. */
function soundLines(text: string, key: string | undefined): string[] {
  const content: LedgerFile | LedgerProof = JSON.parse(text)
  const signed = signedText(content.publicKey)
  return [
    'days' in content ? daysLine(content) : proofLine(content),
    key === undefined ? `${signed} Compare it with the published key, or give that one by --key.` : signed,
  ]
}

const signedText = (key: string) => `Signed with the key ${key}.`

function keyText(days: readonly Day[], key: string): string {
  return `From ${days.find(({ publicKey }) => publicKey === key)!.day} on the key is ${key}.`
}

function daysLine({ days }: LedgerFile): string {
  const lines = days.reduce((sum, day) => sum + (day.lines?.length ?? 0), 0)
  return rightText(days.map(dayOf), lines)
}

function rightText(days: readonly string[], lines: number): string {
  const period = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}, ${grouped(days.length)} days`
  return `${period}, ${grouped(lines)} ${lines === 1 ? 'line' : 'lines'}: the chain, the roots and the signatures are right.`
}

function proofLine(proof: LedgerProof): string {
  const { column, reason, eventId, occurrence } = proof.line
  const outcome = reason === null ? column : `${column} (${reason})`
  return `The account of ${dayOf(proof)} has event ${eventId}, occurrence ${occurrence}, as ${outcome}.`
}

const dayOf = ({ header }: { header: string }) => /^day (.*)$/m.exec(header)![1]!
