// The verifier: it accepts every file and proof that Terce writes, and finds each alteration.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { LedgerFile, LedgerProof } from '../../src/domain/ledger/file.ts'
import type { LedgerColumn } from '../../src/domain/ledger/line.ts'
import { NO_PREVIOUS } from '../../src/domain/ledger/seal.ts'
import { verifyFile, verifyProof } from '../../src/ledger-verifier/verifier.ts'
import type { SigningKey } from '../../src/ports/signer.ts'
import { webCryptoSigner } from '../../src/runtimes/config/signer.ts'
import { createKey, fileOf, linesOf, proofOf, type SealedDay, sealDay } from './support/sealed-days.ts'

const COLUMNS: LedgerColumn[] = [
  'delivered',
  'excused',
  'delivered',
  'failed',
  'delivered',
  'open',
  'delivered',
]

let key: SigningKey
let otherKey: SigningKey
let days: [SealedDay, SealedDay, SealedDay]
let text: string

async function sealDays(by: SigningKey): Promise<[SealedDay, SealedDay, SealedDay]> {
  const first = await sealDay(by, linesOf('2026-11-16', COLUMNS), { day: '2026-11-16' })
  const second = await sealDay(by, linesOf('2026-11-17', COLUMNS), { day: '2026-11-17', before: first })
  const third = await sealDay(by, linesOf('2026-11-18', COLUMNS), { day: '2026-11-18', before: second })
  return [first, second, third]
}

beforeAll(async () => {
  key = await createKey()
  otherKey = await createKey()
  days = await sealDays(key)
  text = await fileOf(key, days)
})

const codes = async (json: string, expectedKey?: string) =>
  (await verifyFile(json, expectedKey)).map(({ code, day }) => (day === null ? code : `${code} ${day}`))
const proofCodes = async (json: string, expectedKey?: string) =>
  (await verifyProof(json, expectedKey)).map(({ code }) => code)

type Day = LedgerFile['days'][number]
/** No day of the file is pruned. */
type WithLines = LedgerFile & { days: (Day & { lines: NonNullable<Day['lines']> })[] }

/** The file with an alteration. */
function altered(change: (file: WithLines) => void): string {
  const file: WithLines = JSON.parse(text)
  change(file)
  return JSON.stringify(file)
}

function alteredProof(change: (proof: LedgerProof) => void, index = 2): string {
  const proof: LedgerProof = JSON.parse(proofOf(key, days[1], index))
  change(proof)
  return JSON.stringify(proof)
}

const sign = (header: string, by = key) => webCryptoSigner.sign(by.privateKey, header)

describe('a file as Terce writes it', () => {
  it('has no findings, with and without the expected key', async () => {
    expect(await verifyFile(text)).toEqual([])
    expect(await verifyFile(text, key.publicKey)).toEqual([])
  })

  it('may begin with a day that is not the first of the installation', async () => {
    expect(await codes(await fileOf(key, days.slice(1)))).toEqual([])
  })

  it.each([0, 1, 2, 3, 7, 8, 9, 100, 8_191, 8_192, 8_193, 20_000])(
    'may have a day of %i lines',
    async (size) => {
      const lines = linesOf('2026-11-16', Array<LedgerColumn>(size).fill('delivered'))
      expect(await codes(await fileOf(key, [await sealDay(key, lines, { day: '2026-11-16' })]))).toEqual([])
    },
  )

  it('has a continuous chain over the end of a year, and over 29 February', async () => {
    for (const names of [
      ['2026-12-31', '2027-01-01'],
      ['2028-02-28', '2028-02-29', '2028-03-01'],
    ]) {
      const chain: SealedDay[] = []
      for (const day of names) {
        const before = chain.at(-1)
        chain.push(await sealDay(key, linesOf(day, COLUMNS), { day, ...(before && { before }) }))
      }
      expect(await codes(await fileOf(key, chain))).toEqual([])
    }
  })

  it('names unexplained and surplus messages as information, and is not wrong', async () => {
    const lines = linesOf('2026-11-16', ['unexplained', 'delivered', 'surplus', 'unexplained'])
    const findings = await verifyFile(await fileOf(key, [await sealDay(key, lines, { day: '2026-11-16' })]))
    expect(findings).toEqual([
      {
        level: 'information',
        code: 'UNEXPLAINED',
        day: '2026-11-16',
        text: 'The account of 2026-11-16 itself reports unexplained 2.',
      },
      {
        level: 'information',
        code: 'SURPLUS',
        day: '2026-11-16',
        text: 'The account of 2026-11-16 itself reports surplus 1.',
      },
    ])
  })

  it('shows no id, date or salt of a line', () => {
    for (const { lines } of days)
      for (const { occasionId, eventId, salt } of lines)
        for (const secret of [occasionId!, eventId!, salt!]) expect(text).not.toContain(secret)
  })
})

describe('the verifier finds', () => {
  const SECOND = '2026-11-17'

  it('a line moved to another column', async () => {
    const at = days[1].lines.findIndex(({ column }) => column === 'failed')
    const json = altered(({ days }) => {
      days[1]!.lines[at]![0] = 'delivered'
    })
    expect(await codes(json)).toEqual([
      `WRONG_COUNT ${SECOND}`,
      `WRONG_COUNT ${SECOND}`,
      `WRONG_ROOT ${SECOND}`,
    ])
  })

  it('two lines that exchanged their columns, so that all counts are right', async () => {
    const failed = days[1].lines.findIndex(({ column }) => column === 'failed')
    const open = days[1].lines.findIndex(({ column }) => column === 'open')
    const json = altered(({ days }) => {
      days[1]!.lines[failed]![0] = 'open'
      days[1]!.lines[open]![0] = 'failed'
    })
    expect(await codes(json)).toEqual([`WRONG_ROOT ${SECOND}`])
  })

  it('a column that does not exist', async () => {
    const json = altered(({ days }) => {
      days[1]!.lines[0]![0] = 'constructor' as LedgerColumn
    })
    expect(await codes(json)).toEqual([`BAD_LINE ${SECOND}`, `WRONG_COUNT ${SECOND}`, `WRONG_ROOT ${SECOND}`])
  })

  it('a commitment with one digit changed', async () => {
    const json = altered(({ days }) => {
      const line = days[1]!.lines[6]!
      line[1] = line[1].slice(0, 63) + (line[1].endsWith('0') ? '1' : '0')
    })
    expect(await codes(json)).toEqual([`WRONG_ROOT ${SECOND}`])
  })

  it('a commitment in capitals, which has the bytes of the original', async () => {
    const at = days[1].lines.findIndex(({ commitment }) => /[a-f]/.test(commitment))
    const json = altered(({ days }) => {
      days[1]!.lines[at]![1] = days[1]!.lines[at]![1].toUpperCase()
    })
    expect(await codes(json)).toContain(`BAD_LINE ${SECOND}`)
  })

  it('a removed line', async () => {
    const json = altered(({ days }) => days[1]!.lines.splice(3, 1))
    expect(await codes(json)).toContain(`WRONG_COUNT ${SECOND}`)
    expect(await codes(json)).toContain(`WRONG_ROOT ${SECOND}`)
  })

  it('an added line', async () => {
    const json = altered(({ days }) => days[1]!.lines.push(['delivered', 'f'.repeat(64)]))
    expect(await codes(json)).toContain(`WRONG_COUNT ${SECOND}`)
    expect(await codes(json)).toContain(`WRONG_ROOT ${SECOND}`)
  })

  it('a line that is there twice', async () => {
    const json = altered(({ days }) => days[1]!.lines.push(days[1]!.lines[6]!))
    expect(await codes(json)).toContain(`WRONG_ORDER ${SECOND}`)
    expect(await codes(json)).toContain(`WRONG_ROOT ${SECOND}`)
  })

  it('two lines that exchanged their places', async () => {
    const json = altered(({ days }) => {
      const { lines } = days[1]!
      ;[lines[0], lines[1]] = [lines[1]!, lines[0]!]
    })
    expect(await codes(json)).toEqual([`WRONG_ORDER ${SECOND}`, `WRONG_ROOT ${SECOND}`])
  })

  it.each(['lines', 'expected', 'delivered', 'failed', 'excused', 'open', 'unexplained', 'surplus'])(
    'a changed count of %s in the header, by its signature and by the lines',
    async (name) => {
      const json = altered(({ days }) => {
        days[2]!.header = days[2]!.header.replace(new RegExp(`^${name} .*$`, 'm'), `${name} 900`)
      })
      expect(await codes(json)).toContain('BAD_SIGNATURE 2026-11-18')
      expect(await codes(json)).toContain('WRONG_COUNT 2026-11-18')
    },
  )

  it.each([
    ['late', '1'],
    ['carried', '1'],
    ['people', '1'],
    ['tzVersion', '2025a'],
    ['closedAt', '2026-11-19T12:00:00.001Z'],
    ['day', '2026-11-19'],
  ])('a changed %s in the header, by its signature', async (name, value) => {
    const json = altered(({ days }) => {
      days[2]!.header = days[2]!.header.replace(new RegExp(`^${name} .*$`, 'm'), `${name} ${value}`)
    })
    expect((await codes(json))[0]).toMatch(/^BAD_SIGNATURE/)
  })

  it.each([
    ['more late than delivered lines', { late: 5 }],
    ['more carried lines than lines', { carried: 8 }],
    ['a wrong number of delivered lines', { delivered: 5 }],
  ])('%s in a header that the installation has signed', async (_, change) => {
    const last = await sealDay(key, days[2].lines, { day: '2026-11-18', before: days[1], change })
    expect(await codes(await fileOf(key, [days[0], days[1], last]))).toEqual(['WRONG_COUNT 2026-11-18'])
  })

  it('a root that is not the root of the lines, signed by the installation', async () => {
    const change = { root: 'ab'.repeat(32) }
    const last = await sealDay(key, days[2].lines, { day: '2026-11-18', before: days[1], change })
    expect(await codes(await fileOf(key, [days[0], days[1], last]))).toEqual(['WRONG_ROOT 2026-11-18'])
  })

  it('an altered root', async () => {
    const json = altered(({ days }) => {
      days[2]!.header = days[2]!.header.replace(/^root .*$/m, `root ${'ab'.repeat(32)}`)
    })
    expect(await codes(json)).toEqual(['BAD_SIGNATURE 2026-11-18', 'WRONG_ROOT 2026-11-18'])
  })

  it('a whole file that was sealed again with another key, if the key is expected', async () => {
    const forged = await fileOf(otherKey, await sealDays(otherKey))
    expect(await codes(forged)).toEqual([])
    expect(await codes(forged, key.publicKey)).toEqual(['OTHER_KEY'])
  })

  it('one day that was signed with another key', async () => {
    const signature = await sign(days[1].header, otherKey)
    const json = altered(({ days }) => {
      days[1]!.signature = signature
    })
    expect(await codes(json)).toEqual([`BAD_SIGNATURE ${SECOND}`])
  })

  it('a public key that none of the signatures belongs to', async () => {
    for (const publicKey of [otherKey.publicKey, '', 'AAAA', 'not base64']) {
      const json = altered((file) => {
        file.publicKey = publicKey
      })
      expect(await codes(json), publicKey).toEqual(days.map(({ day }) => `BAD_SIGNATURE ${day.day}`))
    }
  })

  it('a truncated, an empty and an exchanged signature', async () => {
    for (const signature of [days[1].signature.slice(0, 40), '', days[0].signature, '!']) {
      const json = altered(({ days }) => {
        days[1]!.signature = signature
      })
      expect(await codes(json), signature).toEqual([`BAD_SIGNATURE ${SECOND}`])
    }
  })

  it('a day that was sealed again later with other lines, because the next day continues the original', async () => {
    const again = await sealDay(key, linesOf(SECOND, COLUMNS), { day: SECOND, before: days[0] })
    expect(await codes(await fileOf(key, [days[0], again, days[2]]))).toEqual(['CHAIN_CUT 2026-11-18'])
  })

  it('a chain that begins anew', async () => {
    const change = { previous: NO_PREVIOUS }
    const anew = await sealDay(key, days[2].lines, { day: '2026-11-18', change })
    expect(await codes(await fileOf(key, [days[0], days[1], anew]))).toEqual(['CHAIN_CUT 2026-11-18'])
  })

  it('a day that is there twice', async () => {
    expect(await codes(await fileOf(key, [days[0], days[1], days[1], days[2]]))).toEqual([
      `DAY_TWICE ${SECOND}`,
    ])
  })

  it('a missing day', async () => {
    expect(await codes(await fileOf(key, [days[0], days[2]]))).toEqual(['DAY_MISSING 2026-11-18'])
  })

  it('a day that was never closed, although the chain continues', async () => {
    const next = await sealDay(key, days[2].lines, { day: '2026-11-18', before: days[0] })
    expect(await codes(await fileOf(key, [days[0], next]))).toEqual(['DAY_MISSING 2026-11-18'])
  })

  it('days in the wrong order', async () => {
    const found = await codes(await fileOf(key, [days[1], days[0], days[2]]))
    expect(found).toEqual(['DAYS_OUT_OF_ORDER 2026-11-16', 'DAY_MISSING 2026-11-18'])
  })

  it('the header of another day above the lines of a day', async () => {
    const json = altered(({ days }) => {
      days[1]!.header = days[2]!.header
      days[1]!.signature = days[2]!.signature
      days.pop()
    })
    expect(await codes(json)).toEqual(['WRONG_ROOT 2026-11-18', 'DAY_MISSING 2026-11-18'])
  })

  it('a header of another form, even if it is signed', async () => {
    const forms = [
      days[1].header.replace('terce-ledger/1', 'terce-ledger/2'),
      days[1].header.replace('2026-11-17', '2026-13-17'),
      days[1].header.replace(/^failed .*\n/m, ''),
      days[1].header.replace('delivered 4', 'delivered 04'),
      `${days[1].header}failed 0\n`,
      days[1].header.replaceAll('\n', '\r\n'),
      '',
    ]
    for (const header of forms) {
      const signature = await sign(header)
      const json = altered(({ days }) => {
        days[1]!.header = header
        days[1]!.signature = signature
      })
      expect((await codes(json))[0], header).toBe('BAD_HEADER')
    }
  })

  it.each([
    ['an empty text', '', 'NOT_JSON'],
    ['a text that is not JSON', 'day 2026-11-17', 'NOT_JSON'],
    ['JSON that is no object', 'null', 'WRONG_FORMAT'],
    ['an array', '[]', 'WRONG_FORMAT'],
    ['an empty object', '{}', 'WRONG_FORMAT'],
    ['another format', '{"format":"terce-ledger/2","publicKey":"","days":[]}', 'WRONG_FORMAT'],
    ['days that are none', '{"format":"terce-ledger/1","publicKey":"","days":[null,1]}', 'WRONG_FORMAT'],
    ['no days', '{"format":"terce-ledger/1","publicKey":"","days":[]}', 'NO_DAYS'],
  ])('%s', async (_, json, code) => {
    expect(await codes(json)).toEqual([code])
  })

  it('a file that was cut off', async () => {
    expect(await codes(text.slice(0, -200))).toEqual(['NOT_JSON'])
  })

  it('a pair with a third value', async () => {
    const json = altered(({ days }) => (days[0]!.lines[0] as string[]).push('x'))
    expect(await codes(json)).toEqual(['WRONG_FORMAT'])
  })
})

describe('a proof as Terce writes it', () => {
  it('has no findings for any line of days of any size', async () => {
    for (const size of [1, 2, 3, 5, 7, 8, 13]) {
      const columns = Array.from({ length: size }, (_, i) => COLUMNS[i % COLUMNS.length]!)
      const day = await sealDay(key, linesOf('2026-11-16', columns), { day: '2026-11-16' })
      for (let index = 0; index < size; index++)
        expect(await verifyProof(proofOf(key, day, index), key.publicKey), `${index} of ${size}`).toEqual([])
    }
  })

  it('has no proof of an erased line', () => {
    const erased = { ...days[1], lines: days[1].lines.map((line) => ({ ...line, salt: null })) }
    expect(proofOf(key, erased, 0)).toBe('null')
  })
})

describe('the verifier finds in a proof', () => {
  it.each([
    ['column', 'surplus'],
    ['reason', 'DELETED'],
    ['occasionId', 'another'],
    ['eventId', 'another'],
    ['occurrence', '2026-11-18'],
    ['dueAt', 1],
    ['settledAt', 1],
    ['attempt', 2],
    ['entry', 1],
    ['because', 'another'],
    ['carriedFrom', '2026-11-16'],
  ])('another %s of the line', async (name, value) => {
    const json = alteredProof(({ line }) => Object.assign(line, { [name]: value }))
    expect(await proofCodes(json)).toEqual(['WRONG_PATH'])
  })

  it('another salt', async () => {
    const json = alteredProof((proof) => {
      proof.salt = '0'.repeat(32)
    })
    expect(await proofCodes(json)).toEqual(['WRONG_PATH'])
  })

  it('a field that is missing or that the commitment does not cover', async () => {
    const missing = alteredProof(({ line }) => Reflect.deleteProperty(line, 'because'))
    const added = alteredProof(({ line }) => Object.assign(line, { note: 'delivered on time' }))
    expect(await proofCodes(missing)).toEqual(['WRONG_FORMAT'])
    expect(await proofCodes(added)).toEqual(['WRONG_FORMAT'])
  })

  it.each([
    ['a hash that was changed', (path: string[]) => path.splice(1, 1, 'ab'.repeat(32))],
    ['a missing hash', (path: string[]) => path.pop()],
    ['a hash too many', (path: string[]) => path.push('ab'.repeat(32))],
    ['another order', (path: string[]) => path.reverse()],
  ])('a path with %s', async (_, change) => {
    expect(await proofCodes(alteredProof(({ path }) => change(path)))).toEqual(['WRONG_PATH'])
  })

  it.each([
    [3, 'WRONG_PATH'],
    [6, 'WRONG_PATH'],
    [7, 'WRONG_INDEX'],
    [-1, 'WRONG_INDEX'],
    [2.5, 'WRONG_INDEX'],
    [null, 'WRONG_INDEX'],
  ])('the index %s of a line at index 2 of 7', async (index, code) => {
    const json = alteredProof((proof) => {
      proof.index = index as number
    })
    expect(await proofCodes(json)).toEqual([code])
  })

  it('the header of another day', async () => {
    const json = alteredProof((proof) => Object.assign(proof, { header: days[2].header }))
    expect(await proofCodes(json)).toEqual(['BAD_SIGNATURE', 'WRONG_PATH'])
    const signed = alteredProof((proof) => {
      Object.assign(proof, { header: days[2].header, signature: days[2].signature })
    })
    expect(await proofCodes(signed)).toEqual(['WRONG_PATH'])
  })

  it('another key than expected', async () => {
    expect(await proofCodes(proofOf(key, days[1], 0), otherKey.publicKey)).toEqual(['OTHER_KEY'])
  })

  it('a header of another form', async () => {
    const json = alteredProof((proof) => {
      proof.header = ''
    })
    expect(await proofCodes(json)).toEqual(['BAD_SIGNATURE', 'BAD_HEADER'])
  })

  it('a text that is not JSON, and a ledger file in place of a proof', async () => {
    expect(await proofCodes('proof')).toEqual(['NOT_JSON'])
    expect(await proofCodes(text)).toEqual(['WRONG_FORMAT'])
  })
})

describe('the source of the verifier', () => {
  const source = (name: string) =>
    readFileSync(new URL(`../../src/ledger-verifier/${name}`, import.meta.url), 'utf8')

  it('imports nothing', () => {
    expect(source('verifier.ts')).not.toMatch(/\bimport\b(?!s)|\brequire\b|^export .* from /m)
  })

  it('has at most 300 lines together with its command', () => {
    const lines = `${source('verifier.ts')}${source('verify.ts')}`.split('\n').length - 1
    expect(lines).toBeLessThanOrEqual(300)
  })
})
