// Renders the OpenAPI document as one HTML page without scripts or external files.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { html, raw } from 'hono/html'
import { FIELD_CODES } from '../../domain/errors.ts'
import { PROBLEMS } from '../server/problem.ts'
import { REFERENCE_STYLE } from './style.ts'

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>
type Schema = NonNullable<NonNullable<Document['components']>['schemas']>[string]
type Html = ReturnType<typeof html>
type Listed = { method: string; path: string; operation: Operation; anchor: string }

const METHODS = ['get', 'post', 'put', 'delete'] as const
const SCHEMA_PREFIX = '#/components/schemas/'

export function renderReference(document: Document, origin: string): Html {
  const tags = byTag(document)
  const schemas = Object.entries(document.components?.schemas ?? {})
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API reference</title>
<style>${raw(REFERENCE_STYLE)}</style>
</head>
<body>
<nav aria-label="Contents">
<a class="brand" href="#top">${document.info.title}</a>
${[...tags].map(
  ([tag, operations]) => html`<h2>${tag}</h2>
<ul>${operations.map(
    ({ method, anchor, operation }) =>
      html`<li><a href="#${anchor}"><b class="${method}">${method}</b> ${operation.summary}</a></li>`,
  )}</ul>`,
)}
<h2>More</h2>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#codes">Error codes</a></li><li><a href="/openapi.json">openapi.json</a></li></ul>
</nav>
<main id="top">
<header><h1>${document.info.title} <small>${document.info.version}</small></h1>
${document.info.description?.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}</header>
${[...tags].map(
  ([tag, operations]) =>
    html`<section><h2>${tag}</h2>${operations.map((listed) => operationHtml(document, listed, origin))}</section>`,
)}
<section id="schemas"><h2>Schemas</h2>${schemas.map(
    ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>
${described(schema)}${fieldsHtml(schema)}${exampleHtml(document, schema)}</article>`,
  )}</section>
<section id="codes"><h2>Error codes</h2>
<article><h3>The code of a problem</h3><dl>${Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      html`<div id="${code}"><dt><code>${code}</code> <i>${status}</i></dt><dd>${title}</dd></div>`,
  )}</dl></article>
<article><h3>The code of a field</h3><dl>${Object.entries(FIELD_CODES).map(
    ([code, meaning]) => html`<div><dt><code>${code}</code></dt><dd>${meaning}</dd></div>`,
  )}</dl></article>
</section>
</main>
</body>
</html>`
}

function byTag(document: Document): Map<string, Listed[]> {
  const tags = new Map<string, Listed[]>()
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method]
      if (operation === undefined) continue
      const tag = operation.tags?.[0] ?? 'Other'
      const anchor = `${method}${path.replaceAll(/[^a-z.]+/g, '-').replace(/-$/, '')}`
      tags.set(tag, [...(tags.get(tag) ?? []), { method, path, operation, anchor }])
    }
  }
  return tags
}

function operationHtml(
  document: Document,
  { method, path, operation, anchor }: Listed,
  origin: string,
): Html {
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter ? [parameter] : [],
  )
  const body = bodySchema(operation)
  return html`<article id="${anchor}">
<h3><b class="${method}">${method}</b> <code>${path}</code> <span>${operation.summary}</span></h3>
<p>${prose(operation.description ?? '')}</p>
${
  parameters.length > 0
    ? html`<h4>Parameters</h4><dl>${parameters.map(
        ({ name, in: place, required, schema, description }) =>
          html`<div><dt><code>${name}</code> <i>${schema && typeHtml(schema)}, in ${place}${required ? ', required' : ''}</i></dt>
<dd>${prose(description ?? '')}</dd></div>`,
      )}</dl>`
    : ''
}
${body ? html`<h4>Body</h4>${fieldsHtml(resolved(document, body))}` : ''}
<h4>Example</h4><pre><code>${curl(document, { method, path, operation, anchor }, origin)}</code></pre>
<h4>Responses</h4><dl class="answers">${Object.entries(operation.responses ?? {}).map(
    ([status, response]) => {
      const [content] = Object.entries(response.content ?? {}) as [string, { schema: Schema }][]
      const isProblem = content?.[0] === 'application/problem+json'
      return html`<div><dt><b class="s${status[0]}">${status}</b></dt>
<dd>${isProblem ? codes(response.description) : html`${prose(response.description)}${content ? valueHtml(content[1].schema) : ''}`}
${headersHtml(response.headers ?? {})}</dd></div>`
    },
  )}</dl>
</article>`
}

function headersHtml(headers: Record<string, { description?: string }>): Html | '' {
  const entries = Object.entries(headers)
  if (entries.length === 0) return ''
  return html`<dl>${entries.map(
    ([name, { description }]) =>
      html`<div><dt><code>${name}</code> <i>header</i></dt><dd>${prose(description ?? '')}</dd></div>`,
  )}</dl>`
}

/** Links a named schema; lists the fields of any other. */
function valueHtml(schema: Schema): Html {
  return '$ref' in schema ? html`<p>${typeHtml(schema)}</p>` : fieldsHtml(schema)
}

function fieldsHtml(schema: Schema): Html {
  if ('$ref' in schema) return html`<p>${typeHtml(schema)}</p>`
  if (schema.allOf) return html`${schema.allOf.map(fieldsHtml)}`
  if (schema.oneOf) return html`<p>One of:</p>${schema.oneOf.map(fieldsHtml)}`
  if (!schema.properties) return html`<p>${typeHtml(schema)}</p>`
  const required = new Set(schema.required)
  return html`<dl>${Object.entries(schema.properties).map(
    ([
      name,
      field,
    ]) => html`<div><dt><code>${name}</code> <i>${typeHtml(field)}${required.has(name) ? '' : ', optional'}</i></dt>
<dd>${described(field)}${alternatives(field)}</dd></div>`,
  )}</dl>`
}

function alternatives(schema: Schema): Html | '' {
  const items = 'items' in schema ? schema.items : undefined
  const options = items && 'oneOf' in items ? items.oneOf : undefined
  return options ? html`${options.map((option) => html`<p>One of:</p>${fieldsHtml(option)}`)}` : ''
}

function typeHtml(schema: Schema): Html {
  if ('$ref' in schema) {
    const name = schema.$ref.slice(SCHEMA_PREFIX.length)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.allOf) return html`${schema.allOf.map(typeHtml)}`
  const named = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  if (named.length > 0) return html`one of several`
  if (schema.enum) return html`${schema.enum.map((value) => JSON.stringify(value)).join(' | ')}`
  if (schema.items) return html`array of ${typeHtml(schema.items)}`
  const types = [schema.type ?? 'anything'].flat().join(' or ')
  return html`${schema.format ? `${types} (${schema.format})` : types}`
}

function described(schema: Schema): Html {
  const { description, example } = '$ref' in schema ? {} : schema
  const shown =
    example === undefined || typeof example === 'object' ? '' : html` <i>e.g.</i> <code>${example}</code>`
  return html`${prose(description ?? '')}${shown}`
}

function exampleHtml(document: Document, schema: Schema): Html | '' {
  const example = exampleOf(document, schema)
  return typeof example === 'object' ? html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>` : ''
}

/** The example of a schema, or one built from the examples of its fields. */
function exampleOf(document: Document, schema: Schema): unknown {
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

function resolved(document: Document, schema: Schema): Schema {
  if (!('$ref' in schema)) return schema
  return document.components?.schemas?.[schema.$ref.slice(SCHEMA_PREFIX.length)] ?? {}
}

function bodySchema(operation: Operation): Schema | undefined {
  return bodyOf(operation)?.[1].schema
}

/** Takes the first alternative of a union. */
function bodyOf({ requestBody: body }: Operation): [string, { schema?: Schema }] | undefined {
  return body && 'content' in body ? Object.entries(body.content)[0] : undefined
}

function curl(document: Document, { method, path, operation }: Listed, origin: string): string {
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

/** Renders text in backticks as code. */
function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Links each problem code to its explanation. */
function codes(text: string): Html {
  const parts = text.split(/\b([A-Z]+(?:_[A-Z]+)*)(?=: )/)
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<a href="#${part}"><code>${part}</code></a>` : part))}`
}
