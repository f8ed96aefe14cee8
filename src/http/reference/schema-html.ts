// Renders schemas: their fields, types and examples.
import { html } from 'hono/html'
import { type Document, exampleOf, SCHEMA_PREFIX, type Schema } from './document.ts'

export type Html = ReturnType<typeof html>

/** Links a named schema; lists the fields of any other. */
export function valueHtml(schema: Schema): Html {
  return '$ref' in schema ? html`<p>${typeHtml(schema)}</p>` : fieldsHtml(schema)
}

/** `owner`: the name under which the search finds the fields, such as that of their schema. */
export function fieldsHtml(schema: Schema, owner?: string): Html {
  if ('$ref' in schema) return html`<p>${typeHtml(schema)}</p>`
  if (schema.allOf) return html`${schema.allOf.map((part) => fieldsHtml(part, owner))}`
  if (schema.oneOf) return html`<p>One of:</p>${schema.oneOf.map((option) => fieldsHtml(option))}`
  if (!schema.properties) return html`<p>${typeHtml(schema)}</p>`
  const required = new Set(schema.required)
  return html`<dl>${Object.entries(schema.properties).map(([name, field]) =>
    entryHtml({
      name,
      about: html`${typeHtml(field)}${required.has(name) ? '' : ', optional'}`,
      text: html`${described(field)}${alternatives(field)}`,
      ...(owner !== undefined && { id: `${owner}.${name}`, label: `${owner}.${name}` }),
    }),
  )}</dl>`
}

type Entry = { name: string; about: Html; text: Html; id?: string; label?: string }

/** A field or a parameter. The search finds it by its label. */
export function entryHtml({ name, about, text, id, label }: Entry): Html {
  const marks = id === undefined ? '' : html` id="${id}" data-kind="field" data-label="${label}"`
  return html`<div${marks}><dt><code>${name}</code> <i>${about}</i></dt>
<dd>${text}</dd></div>`
}

function alternatives(schema: Schema): Html | '' {
  const items = 'items' in schema ? schema.items : undefined
  const options = items && 'oneOf' in items ? items.oneOf : undefined
  return options ? html`${options.map((option) => html`<p>One of:</p>${fieldsHtml(option)}`)}` : ''
}

export function typeHtml(schema: Schema): Html {
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

export function described(schema: Schema): Html {
  const { description, example } = '$ref' in schema ? {} : schema
  const shown =
    example === undefined || typeof example === 'object'
      ? ''
      : html` <i>e.g.</i> <code>${String(example)}</code>`
  return html`${prose(description ?? '')}${shown}`
}

export function exampleHtml(document: Document, schema: Schema): Html | '' {
  const example = exampleOf(document, schema)
  return typeof example === 'object' ? html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>` : ''
}

/** Renders text in backticks as code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
