// The operations of an OpenAPI document, each with the fields that it takes and the fields of its successful JSON responses.
import type { Json } from '../../support/test-app.ts'

type Fields = Record<string, Json>

export function operationsOf(document: Json) {
  /** One set of fields for each form that the schema allows. */
  function formsOf(schema: Json): Fields[] {
    if (schema.$ref) return formsOf(document.components.schemas[schema.$ref.split('/').at(-1)])
    const forms = (schema.anyOf ?? schema.oneOf ?? []).flatMap(formsOf)
    const own = [schema.properties ?? {}, ...(schema.allOf ?? []).flatMap(formsOf)]
    return forms.length > 0 ? forms : [Object.assign({}, ...own)]
  }
  const fieldsOf = (schema: Json) => Object.assign({}, ...formsOf(schema)) as Fields

  return Object.values<Json>(document.paths).flatMap((item) =>
    Object.entries<Json>(item).map(([method, { operationId, parameters = [], requestBody, responses }]) => {
      const query = parameters.filter((one: Json) => one.in === 'query')
      const bodies = Object.values<Json>(requestBody?.content ?? {})
      const input: Fields = Object.assign(
        Object.fromEntries(query.map(({ name, schema }: Json) => [name, schema])),
        ...bodies.map(({ schema }) => fieldsOf(schema)),
      )
      const outputs = Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .flatMap((status) => responses[status].content?.['application/json'] ?? [])
        .flatMap(({ schema }: Json) => formsOf(schema))
      return { method, operationId, input, outputs }
    }),
  )
}
