// Renders the OpenAPI document as one HTML page. It can be read without its script, and loads no other file.
import { html, raw } from 'hono/html'
import { PROBLEMS } from '../../api/problem.ts'
import { FIELD_CODES } from '../../domain/errors.ts'
import { type Document, type Group, groupsOf, type ListedOperation } from './document.ts'
import { operationHtml, sampleHtml } from './operation-html.ts'
import { described, exampleHtml, fieldsHtml, type Html, prose } from './schema-html.ts'
import { REFERENCE_SCRIPT } from './script.ts'
import { REFERENCE_STYLE } from './style.ts'
import { COMMON_CALLS } from './tags.ts'

/** `dashboard`: whether the page links to the dashboard. */
export type ReferenceLinks = { dashboard: boolean; basePath?: string }

export function renderReference(
  document: Document,
  origin: string,
  { dashboard, basePath = '' }: ReferenceLinks,
): Html {
  const groups = groupsOf(document)
  const schemas = Object.entries(document.components?.schemas ?? {})
  const all = groups.flatMap(({ operations }) => operations)
  const common = COMMON_CALLS.flatMap((id) => all.find(({ operation }) => operation.operationId === id) ?? [])
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${document.info.title} API reference</title>
<style>${raw(REFERENCE_STYLE)}</style>
<script>${raw(REFERENCE_SCRIPT)}</script>
</head>
<body>
<nav aria-label="Contents">
<a class="brand" href="#top">${MARK} ${document.info.title} <small>API</small></a>
<div role="search" id="search" hidden><label for="query">Search operations, fields and problems</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd>/</kbd></div>
<div id="found" hidden></div>
<div id="contents">
${contentsHtml('Common calls', common, true)}
${groups.map(({ name, operations }) => contentsHtml(name, operations, false))}
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#codes">Error codes</a></li><li><a href="${basePath}/openapi.json">openapi.json</a></li>
${dashboard ? html`<li><a href="${basePath}/app/">Dashboard</a></li>` : ''}</ul>
</div>
</nav>
<main id="top">
<header><h1>${document.info.title} API <small>${document.info.version}</small></h1>
${document.info.description?.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}</header>
<section><h2>Common calls</h2>
${common.map(
  (listed) => html`<article class="brief"><h3><a href="#${listed.anchor}">${listed.operation.summary}</a></h3>
${sampleHtml(document, listed, origin)}</article>`,
)}</section>
${groups.map((group) => groupHtml(document, group, origin))}
<details class="group" id="schemas" open><summary><h2>Schemas</h2></summary>${schemas.map(
    ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>
${described(schema)}${fieldsHtml(schema, name)}${exampleHtml(document, schema)}</article>`,
  )}</details>
<details class="group" id="codes" open><summary><h2>Error codes</h2></summary>
<article><h3>The code of a problem</h3><dl>${Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      html`<div id="${code}" data-kind="problem"><dt><code>${code}</code> <i>${status}</i></dt><dd>${title}</dd></div>`,
  )}</dl></article>
<article><h3>The code of a field</h3><dl>${Object.entries(FIELD_CODES).map(
    ([code, meaning]) =>
      html`<div id="field-${code}" data-kind="problem"><dt><code>${code}</code></dt><dd>${meaning}</dd></div>`,
  )}</dl></article>
</details>
</main>
</body>
</html>`
}

function contentsHtml(name: string, operations: readonly ListedOperation[], isOpen: boolean): Html {
  return html`<details${isOpen ? raw(' open') : ''}><summary>${name}</summary>
<ul>${operations.map(
    ({ method, anchor, operation }) =>
      html`<li><a href="#${anchor}"><b class="${method}">${method}</b> <span>${operation.summary}</span></a></li>`,
  )}</ul></details>`
}

function groupHtml(document: Document, { name, description, operations }: Group, origin: string): Html {
  return html`<details class="group" open><summary><h2>${name}</h2> <span>${description}</span></summary>
${operations.map((listed) => operationHtml(document, listed, origin))}</details>`
}

/** The mark of the dashboard. */
const MARK = raw(
  '<svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="13"/><path class="fill" d="M16 16V5a11 11 0 0 0-11 11z"/><path d="M16 16V5M16 16H5"/></svg>',
)
