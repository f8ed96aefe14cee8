// Sending the rows of a CSV file to the import, a part at a time.
import { describe, expect, it } from 'vitest'
import { TerceError } from '../../../../../src/client/client.ts'
import { parseCsv } from '../../../../../src/domain/formats/csv.ts'
import type { ValidRow } from '../../../../../web/src/pages/people/import/check-rows.ts'
import { nextStep, sendRows, type Totals } from '../../../../../web/src/pages/people/import/send-rows.ts'

const rows = (n: number): ValidRow[] =>
  Array.from({ length: n }, (_, index) => ({
    line: index + 2,
    person: { firstName: `=N${index}`, lastName: 'B, "C"', dateOfBirth: '1990-01-01', timezone: 'UTC' },
  }))

/** A server that creates everybody, at a rate of rows per second. */
function server(rowsPerSecond: number) {
  let time = 0
  const parts: number[] = []
  return {
    parts,
    clock: () => time,
    send: async (csv: string) => {
      const read = parseCsv(csv, [',']).length - 1
      parts.push(read)
      time += (read / rowsPerSecond) * 1_000
      return { read, created: read, unchanged: 0, different: 0, rejected: 0, next: null, errors: [] }
    },
  }
}

const running = { onProgress: () => {}, isStopped: () => false }

describe('sending rows', () => {
  it('sends each row once, in parts that take about a second', async () => {
    const fast = server(10_000)
    expect(await sendRows(rows(12_000), { ...running, ...fast })).toMatchObject({
      sent: 12_000,
      created: 12_000,
    })
    expect(fast.parts).toEqual([500, 5_000, 5_000, 1_500])
    const slow = server(100)
    await sendRows(rows(1_200), { ...running, ...slow })
    expect(slow.parts).toEqual([500, 500, 200])
  })

  it('reports the totals after each part', async () => {
    const seen: number[] = []
    await sendRows(rows(1_200), {
      ...running,
      ...server(100),
      onProgress: ({ sent }) => seen.push(sent),
    })
    expect(seen).toEqual([500, 1_000, 1_200])
  })

  it('stops between two parts, and continues after them', async () => {
    let seen = 0
    const { send, clock, parts } = server(100)
    const isStopped = () => seen > 0
    const stopped = await sendRows(rows(1_200), { send, clock, isStopped, onProgress: () => (seen += 1) })
    expect(stopped.sent).toBe(500)
    const all = await sendRows(rows(1_200), { ...running, send, clock, from: stopped })
    expect(all).toMatchObject({ sent: 1_200, created: 1_200 })
    expect(parts).toEqual([500, 500, 200])
  })

  it('fails with the error of a part after it has reported the parts before', async () => {
    const { send, clock, parts } = server(100)
    let last: Totals | null = null
    const broken = sendRows(rows(1_200), {
      isStopped: () => false,
      onProgress: (totals) => (last = totals),
      clock,
      send: (csv) => (parts.length === 1 ? Promise.reject(new Error('down')) : send(csv)),
    })
    await expect(broken).rejects.toThrow('down')
    expect(last).toMatchObject({ sent: 500 })
  })

  it('continues after the rows that were written before the error', async () => {
    const { send, clock, parts } = server(100)
    let last: Totals | undefined
    const soFar = { read: 120, created: 100, unchanged: 20, different: 0, rejected: 0, next: 121 }
    const sending = {
      clock,
      isStopped: () => false,
      onProgress: (totals: Totals) => (last = totals),
    }
    const broken = sendRows(rows(500), {
      ...sending,
      send: async () => {
        throw new TerceError({ code: 'DATABASE_UNAVAILABLE', status: 503, detail: 'Down.', soFar })
      },
    })
    await expect(broken).rejects.toThrow('Down.')
    expect(last).toMatchObject({ sent: 120, created: 100, unchanged: 20 })
    const all = await sendRows(rows(500), { ...sending, send, from: last! })
    expect(all).toMatchObject({ sent: 500, created: 480, unchanged: 20 })
    expect(parts).toEqual([380])
  })

  it('names the line of the file for a row that only the server rejects', async () => {
    const errors = [{ line: 3, field: 'dateOfBirth', code: 'DATE_IN_FUTURE' as const, message: 'Future.' }]
    const send = async () => ({
      read: 2,
      created: 1,
      unchanged: 0,
      different: 0,
      rejected: 1,
      next: null,
      errors,
    })
    const { problems } = await sendRows(rows(2), { ...running, send })
    expect(problems).toMatchObject([{ line: 3, column: 'dateOfBirth', message: 'Future.' }])
  })

  it('sends cells with separators and formulas as they are', async () => {
    let sent = ''
    const { send } = server(100)
    await sendRows(rows(1), {
      ...running,
      send: (csv) => {
        sent = csv
        return send(csv)
      },
    })
    expect(sent.split('\r\n')[1]).toBe(`'=N0,"B, ""C""",1990-01-01,UTC,,,,`)
  })
})

describe('the size of the next part', () => {
  it('follows the time that the last one took', () => {
    expect(nextStep(500, 500)).toBe(1_000)
    expect(nextStep(2_000, 4_000)).toBe(500)
    expect(nextStep(500, 0)).toBe(5_000)
  })
})
