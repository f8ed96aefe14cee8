// Reads the OpenAPI document: its groups of operations, its examples, a curl command for each operation.
import type { OpenAPIHono } from '@hono/zod-openapi'

export type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>
export type DocumentedOperation = NonNullable<NonNullable<Document['paths']>[string]['get']>
export type Schema = NonNullable<NonNullable<Document['components']>['schemas']>[string]
export type ListedOperation = { method: string; path: string; operation: DocumentedOperation; anchor: string }
export type Group = { name: string; description: string; operations: ListedOperation[] }

const METHODS = ['get', 'post', 'put', 'delete'] as const
export const SCHEMA_PREFIX = '#/components/schemas/'

/** The operations by tag, in the order of the document's tags. */
export function groupsOf(document: Document): Group[] {
  const byTag = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags?.[0])
  return (document.tags ?? []).flatMap(({ name, description = '' }) => {
    const operations = byTag.get(name)
    return operations === undefined ? [] : [{ name, description, operations }]
  })
}

function operationsOf({ paths = {} }: Document): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const anchor = `${method}${path.replaceAll(/[^a-z.]+/g, '-').replace(/-$/, '')}`
      return [{ method, path, operation, anchor }]
    }),
  )
}

/** The example of a schema, or one built from the examples of its fields. */
export function exampleOf(document: Document, schema: Schema): unknown {
  if ('$ref' in schema) return exampleOf(document, resolved(document, schema))
  if (schema.example !== undefined) return schema.example
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part)))
  if (schema.enum) return schema.enum[0]
  if (schema.items) return [exampleOf(document, schema.items)]
  if (schema.properties) {
    const fields = Object.entries(schema.properties)
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field) ?? null]))
  }
  return undefined
}

export function resolved(document: Document, schema: Schema): Schema {
  if (!('$ref' in schema)) return schema
  return document.components?.schemas?.[schema.$ref.slice(SCHEMA_PREFIX.length)] ?? {}
}

export function bodySchema(operation: DocumentedOperation): Schema | undefined {
  return bodyOf(operation)?.[1].schema
}

/** Takes the first alternative of a union. */
function bodyOf({ requestBody: body }: DocumentedOperation): [string, { schema?: Schema }] | undefined {
  return body && 'content' in body ? Object.entries(body.content)[0] : undefined
}

export function curl(
  document: Document,
  { method, path, operation }: ListedOperation,
  origin: string,
): string {
  const ids = new Map<string, string>()
  for (const parameter of operation.parameters ?? []) {
    if (!('in' in parameter) || parameter.in !== 'path' || !parameter.schema) continue
    ids.set(parameter.name, String(exampleOf(document, parameter.schema)))
  }
  const url = `${origin}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids.get(name) ?? name)}`
  const lines = [method === 'get' ? `curl ${quoted(url)}` : `curl -X ${method.toUpperCase()} ${quoted(url)}`]
  const [type, { schema }] = bodyOf(operation) ?? ['', {}]
  if (schema) {
    const example = exampleOf(document, schema)
    const isText = typeof example === 'string'
    lines.push(
      `-H 'Content-Type: ${type}'`,
      isText ? `--data-binary ${quoted(example)}` : `-d ${quoted(JSON.stringify(example))}`,
    )
  }
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
