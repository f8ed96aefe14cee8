// Imports and exports people as streams or pages. Never holds a whole file.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { invalidInput, Problem, unexpected } from '../../api/problem.ts'
import { encodeCursor } from '../../api/query.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { type ExportFormat, exportPage, exportPeople, MOST_IN_PAGE } from '../../app/users/export-people.ts'
import { type ImportReport, importPeople } from '../../app/users/import-people.ts'
import { mount } from '../server/operation.ts'
import { streamText } from '../server/stream-text.ts'
import { createSingleCalls, limited } from '../server/turns.ts'
import {
  EXPORT_USERS,
  IMPORT_LIMIT,
  IMPORT_ON_DEMAND,
  IMPORT_REJECTED,
  IMPORT_USERS,
  NEXT_CURSOR,
} from './transfer-operations.ts'

/** Mounted before the operations on one person, because `export` would be read as an id. */
export function mountTransfers(api: OpenAPIHono, app: AppDeps): void {
  const oneImport = createSingleCalls(app.clock)
  mount(api, IMPORT_USERS, async ({ c, query: { dryRun, from } }) => {
    requireCsv(c.req.raw)
    const limits = { mostRejected: IMPORT_REJECTED, ...(app.onDemand && { most: IMPORT_ON_DEMAND }) }
    let done = NOTHING
    const onStep = (report: ImportReport) => {
      done = report
    }
    const result = await limited(c, oneImport, () => {
      const betweenRows = yielding(app.clock, c.req.raw.signal)
      const options = { dryRun, from, ...limits, onStep, betweenRows }
      return importPeople(app, textOf(c.req.raw), options).catch((error) => {
        throw stopped(error, done, { dryRun, from })
      })
    })
    if (result.kind === 'no-columns') throw invalidInput(result.problems)
    return c.json({ ...result.report, next: result.next, dryRun })
  })

  mount(api, EXPORT_USERS, async ({ query: { limit: wanted, ...query } }) => {
    const headers = HEADERS[query.format]
    const limit = wanted ?? (app.onDemand ? MOST_IN_PAGE : null)
    if (limit === null) return streamText(exportPeople(app.store, query), headers)
    const { text, nextCursor } = await exportPage(app.store, { ...query, limit })
    const next = nextCursor === null ? {} : { [NEXT_CURSOR]: encodeCursor(nextCursor) }
    return new Response(text, { headers: { ...headers, ...next } })
  })
}

const HEADERS: Record<ExportFormat, Record<string, string>> = {
  csv: {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': 'attachment; filename="people.csv"',
  },
  json: {
    'Content-Type': 'application/x-ndjson',
    'Content-Disposition': 'attachment; filename="people.ndjson"',
  },
}

/** A longer run would delay the messages that are due meanwhile: each needs several turns of the event loop. */
const SLICE_MS = 2

/** Ends the import of a caller who has left, and lets other work run after each slice of CPU time. */
function yielding({ cpuMs, after }: AppDeps['clock'], signal: AbortSignal): () => Promise<void> | undefined {
  let sliceEndsMs = (cpuMs?.() ?? 0) + SLICE_MS
  return () => {
    if (signal.aborted) throw new Problem('INCOMPLETE_BODY', 'The caller closed the connection.')
    if (cpuMs === undefined || cpuMs() < sliceEndsMs) return
    return new Promise((resolve) => {
      after(0, () => {
        sliceEndsMs = cpuMs() + SLICE_MS
        resolve()
      })
    })
  }
}

const NOTHING: ImportReport = { read: 0, created: 0, unchanged: 0, different: 0, rejected: 0, errors: [] }

/** The problem of an import that an error ended, with what was written before. */
function stopped(
  error: unknown,
  { errors: _, ...counts }: ImportReport,
  { dryRun, from }: { dryRun: boolean; from: number },
): Problem {
  const { code, message, headers, cause } = error instanceof Problem ? error : unexpected(error)
  const soFar = { ...counts, next: from + counts.read }
  const created = `${counts.created} ${counts.created === 1 ? 'person was' : 'people were'} created before that.`
  const repeat = `Sending the table again creates no duplicates; from=${soFar.next} skips the rows that are done.`
  const detail = `${message} ${dryRun ? 'Nothing was written.' : `${created} ${repeat}`}`
  return new Problem(code, detail, { soFar, headers, ...(cause !== undefined && { cause }) })
}

function requireCsv(request: Request): void {
  const [type = '', ...parameters] = (request.headers.get('Content-Type') ?? '').toLowerCase().split(';')
  if (type.trim() !== 'text/csv') {
    const found = type ? `The content type is ${type.trim().slice(0, 60)}.` : 'The Content-Type is missing.'
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', `${found} Send it with Content-Type: text/csv.`)
  }
  const charset = parameters.map((one) => /^\s*charset="?([^"\s]+)/.exec(one)?.[1]).find(Boolean)
  if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii'].includes(charset)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Unsupported charset. Send UTF-8.')
  }
  if ((request.headers.get('Content-Encoding') ?? 'identity') !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'The body is compressed. Send it uncompressed.')
  }
  if (Number(request.headers.get('Content-Length') ?? 0) > IMPORT_LIMIT) {
    throw new Problem('BODY_TOO_LARGE', `${TOO_LARGE} Nobody was created.`)
  }
}

const TOO_LARGE = 'The table may have at most 64 MiB. Send it in parts, or use terce import.'

/** Invalid UTF-8 is decoded to U+FFFD, so that only its row is rejected. */
async function* textOf({ body }: Request): AsyncGenerator<string> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let left = IMPORT_LIMIT
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Problem('INCOMPLETE_BODY', 'The table was cut off.')
      })
      if (done) return yield decoder.decode()
      left -= value.byteLength
      if (left < 0) throw new Problem('BODY_TOO_LARGE', TOO_LARGE)
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
