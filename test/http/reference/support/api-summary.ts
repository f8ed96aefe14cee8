// The API in short: a line for each operation, parameter, body, response and field. A review reads it in place of the OpenAPI document.

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  operationId: string
  security: { apiKey?: string[] }[]
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}
type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export function summarizeApi({ paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path} ${operation.operationId}, ${scopeOf(operation)}`,
      ...operationLines(operation),
    ]),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [name, ...fieldLines(schema)])
  const sections = [...operations, ...schemas]
  return sections.map(([title, ...lines]) => `${[title, ...lines].join('\n  ')}\n`).join('')
}

function scopeOf({ security }: Operation): string {
  return security[0]?.apiKey === undefined ? 'open' : `scope ${security[0].apiKey}`
}

/** Problems are left out: every operation has most of them. */
function operationLines({ parameters = [], requestBody, responses }: Operation): string[] {
  return [
    ...parameters.map((one) => `${one.in} ${field(one.name, one.required === true, one.schema)}`),
    ...contentLines('body', requestBody ?? {}),
    ...Object.entries(responses)
      .filter(([status]) => status < '400')
      .flatMap(([status, response]) => contentLines(status, response)),
  ]
}

function contentLines(name: string, { content }: Content): string[] {
  if (content === undefined) return name === 'body' ? [] : [name]
  return Object.entries(content).map(([type, { schema }]) =>
    type === 'application/json' ? `${name}: ${typeOf(schema ?? {})}` : `${name}: ${type}`,
  )
}

/** A line for each field of an object, or of each object that is joined. */
function fieldLines(schema: Schema): string[] {
  if (schema.type === 'object') return fields(schema)
  if (schema.allOf !== undefined)
    return schema.allOf.flatMap((part) => (part.$ref ? [typeOf(part)] : fieldLines(part)))
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf)
  return [typeOf(schema)]
}

function fields({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, schema]) => field(name, required.includes(name), schema))
}

function field(name: string, isRequired: boolean, schema: Schema): string {
  return `${name}${isRequired ? '' : '?'}: ${typeOf(schema)}`
}

function typeOf(schema: Schema): string {
  const { $ref, allOf, anyOf, oneOf, items } = schema
  if ($ref !== undefined) return $ref.split('/').at(-1)!
  if (allOf !== undefined)
    return allOf
      .map(typeOf)
      .filter((type) => type !== 'unknown')
      .join(' & ')
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = [schema.type ?? 'unknown'].flat().map((type) => {
    if (type === 'array') return `(${typeOf(items ?? {})})[]`.replace(/^\((\w+)\)/, '$1')
    if (type === 'object') return objectType(schema)
    return schema.format === undefined || type === 'null' ? type : `${type} (${schema.format})`
  })
  return types.join(' | ')
}

function objectType(schema: Schema): string {
  if (schema.properties !== undefined) return `{ ${fields(schema).join(', ')} }`
  const values = schema.additionalProperties
  return typeof values === 'object' ? `{ [name]: ${typeOf(values)} }` : 'object'
}
