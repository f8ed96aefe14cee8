// Imports and exports people as streams. Never holds a whole file.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { exportPeople } from '../../app/users/export-people.ts'
import { type ImportReport, importPeople } from '../../app/users/import-people.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { streamText } from '../server/stream-text.ts'
import { EXPORT_USERS, IMPORT_LIMIT, IMPORT_USERS } from './transfer-operations.ts'

/** Mounted before the operations on one person, because `export` would be read as an id. */
export function mountTransfers(app: OpenAPIHono, users: AppDeps): void {
  mount(app, IMPORT_USERS, async ({ c, query }) => {
    requireCsv(c.req.raw)
    let done: ImportReport | null = null
    try {
      const result = await importPeople(users, textOf(c.req.raw), {
        dryRun: query.dryRun,
        onStep: (report) => {
          done = report
        },
      })
      if (result.kind === 'no-columns') throw invalidInput(result.problems)
      return c.json(result.report)
    } catch (error) {
      if (!(error instanceof BodyFault)) throw error
      throw new Problem(error.code, `${error.message} ${soFar(done)}`)
    }
  })

  mount(app, EXPORT_USERS, ({ query: { format } }) =>
    streamText(exportPeople(users.store, format), {
      'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="people.${format === 'csv' ? 'csv' : 'ndjson'}"`,
    }),
  )
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

/** The body ended before the table did. */
class BodyFault extends Error {
  readonly code: 'INCOMPLETE_BODY' | 'BODY_TOO_LARGE'
  constructor(code: BodyFault['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Invalid UTF-8 is decoded to U+FFFD, so that only its row is rejected. */
async function* textOf({ body }: Request): AsyncGenerator<string> {
  if (body === null) return
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let left = IMPORT_LIMIT
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new BodyFault('INCOMPLETE_BODY', 'The table was cut off.')
      })
      if (done) return yield decoder.decode()
      left -= value.byteLength
      if (left < 0) throw new BodyFault('BODY_TOO_LARGE', TOO_LARGE)
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function soFar(report: ImportReport | null): string {
  const people = report?.created ?? 0
  return `${people} ${people === 1 ? 'person was' : 'people were'} created before that. Sending the table again creates no duplicates.`
}
