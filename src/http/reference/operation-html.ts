// Renders one operation: parameters, body, a curl command, responses.
import { html } from 'hono/html'
import { bodySchema, curl, type Document, type ListedOperation, resolved, type Schema } from './document.ts'
import { entryHtml, fieldsHtml, type Html, prose, typeHtml, valueHtml } from './schema-html.ts'

export function operationHtml(document: Document, listed: ListedOperation, origin: string): Html {
  const { method, path, operation, anchor } = listed
  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    'in' in parameter ? [parameter] : [],
  )
  const body = bodySchema(operation)
  return html`<article id="${anchor}" data-kind="operation">
<h3><b class="${method}">${method}</b> <code>${path}</code> <span>${operation.summary}</span></h3>
<p>${prose(operation.description ?? '')}</p>
${
  parameters.length > 0
    ? html`<h4>Parameters</h4><dl>${parameters.map(({ name, in: place, required, schema, description }) =>
        entryHtml({
          name,
          about: html`${schema && typeHtml(schema)}, in ${place}${required ? ', required' : ''}`,
          text: prose(description ?? ''),
          id: `${anchor}.${place}.${name}`,
          label: `${name} (${method.toUpperCase()} ${path})`,
        }),
      )}</dl>`
    : ''
}
${body ? html`<h4>Body</h4>${fieldsHtml(resolved(document, body))}` : ''}
<h4>Example</h4>${sampleHtml(document, listed, origin)}
<h4>Responses</h4><dl class="responses">${Object.entries(operation.responses ?? {}).map(
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

export function sampleHtml(document: Document, listed: ListedOperation, origin: string): Html {
  return html`<pre><code>${curl(document, listed, origin)}</code></pre>`
}

function headersHtml(headers: Record<string, { description?: string }>): Html | '' {
  const entries = Object.entries(headers)
  if (entries.length === 0) return ''
  return html`<dl>${entries.map(([name, { description }]) =>
    entryHtml({ name, about: html`header`, text: prose(description ?? '') }),
  )}</dl>`
}

/** Links each problem code to its explanation. */
function codes(text: string): Html {
  const parts = text.split(/\b([A-Z]+(?:_[A-Z]+)*)(?=: )/)
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<a href="#${part}"><code>${part}</code></a>` : part))}`
}
