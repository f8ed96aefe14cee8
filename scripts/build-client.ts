// Writes src/client/schema.ts, the types of the API, from the OpenAPI document. git ignores the file. Every build and every
// `npm run types` calls this script, so it loads the API and TypeScript only after a change.
import { globSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenAPI3 } from 'openapi-typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILE = join(ROOT, 'src/client/schema.ts')
const HEADER = '// The API as types. scripts/build-client.ts writes this file from the OpenAPI document.\n'

/** Fields that the generator adds to every path and operation, and that the API never uses. */
const UNUSED = /^ +(?:cookie|options|head|patch|trace)\?: never;\n/gm

/** The time of a folder changes with the names in it, so a removed source file counts too. */
function isCurrent(): boolean {
  const written = statSync(FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['src/**', 'scripts/{build-client,api-document}.ts', 'package-lock.json']
  return globSync(sources, { cwd: ROOT }).every((name) => statSync(join(ROOT, name)).mtimeMs <= written)
}

async function buildSchema(): Promise<string> {
  const { apiDocument } = await import('./api-document.ts')
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const types = await openapiTS(forCallers(await apiDocument()), { defaultNonNullable: false })
  return HEADER + astToString(types).replaceAll(UNUSED, '')
}

type Operation = { responses: Record<string, { headers?: object }> }

/** Removes what the client does not return: response headers, examples, and problems, which it throws as a TerceError. */
function forCallers(document: OpenAPI3): OpenAPI3 {
  for (const item of Object.values(document.paths ?? {})) {
    for (const { responses } of Object.values(item as Record<string, Operation>)) {
      for (const [status, response] of Object.entries(responses)) {
        if (status.startsWith('2')) delete response.headers
        else delete responses[status]
      }
    }
  }
  return JSON.parse(JSON.stringify(document, (name, value) => (name === 'example' ? undefined : value)))
}

export async function buildClient(): Promise<void> {
  if (!isCurrent()) writeFileSync(FILE, await buildSchema())
}

if (import.meta.main) await buildClient()
