// The templates: stored, read, replaced, deleted. A text that cannot be rendered is rejected before it is stored.

import type { OpenAPIHono } from '@hono/zod-openapi'
import { entityTag, isKnown } from '../../api/entity-tag.ts'
import { invalidInput, Problem } from '../../api/problem.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import {
  deleteTemplate,
  MOST_TEMPLATES,
  saveTemplate,
  type TemplateKey,
  templateOf,
} from '../../app/templates/save-template.ts'
import { parseTemplateText } from '../../domain/messages/template.ts'
import type { KernelStore, SettingsStore } from '../../ports/store.ts'
import { mount } from '../server/operation.ts'
import { inTurn } from '../server/turns.ts'
import { templateJson } from './json.ts'
import {
  DELETE_TEMPLATES,
  LIST_TEMPLATES,
  PREVIEW_TEMPLATE,
  PUT_TEMPLATES,
  READ_TEMPLATES,
  templateNotFound,
} from './operations.ts'
import { previewTemplate } from './preview-handler.ts'

export function mountTemplates(api: OpenAPIHono, app: AppDeps<KernelStore & SettingsStore>): void {
  const { store } = app

  mount(api, LIST_TEMPLATES, async ({ c }) =>
    c.json({ items: (await store.listTemplates()).map(templateJson) }),
  )

  mount(api, PREVIEW_TEMPLATE, async ({ c, body }) =>
    c.json(await inTurn(c, () => previewTemplate(app, body))),
  )

  for (const operation of READ_TEMPLATES) {
    mount(api, operation, async ({ c, params, headers }) => {
      const template = templateOf(await store.listTemplates(), keyOf(params))
      if (template === null) throw templateNotFound(params)
      const own = { ETag: entityTag(template), 'Cache-Control': 'private, no-cache' }
      if (isKnown(headers['If-None-Match'], own.ETag)) return c.body(null, 304, own)
      return c.json(templateJson(template), 200, own)
    })
  }

  for (const operation of PUT_TEMPLATES) {
    mount(api, operation, async ({ c, params, headers, body }) => {
      const text = await inTurn(c, async () => parseTemplateText(body, app.clock))
      if (!text.ok) throw invalidInput(text.problems)
      const change = { text: text.value, seen: headers['If-Match'] }
      const result = await saveTemplate(app, keyOf(params), change)
      if (result.kind === 'outdated') {
        throw new Problem(
          'OUTDATED',
          'Read the template again, and repeat your change if it still makes sense.',
        )
      }
      if (result.kind === 'full')
        throw new Problem(
          'LIMIT_REACHED',
          `There are ${MOST_TEMPLATES} templates, the most there can be. Delete one: DELETE /template/:type.`,
        )
      const { kind, template } = result
      return c.json(templateJson(template), kind === 'created' ? 201 : 200, { ETag: entityTag(template) })
    })
  }

  for (const operation of DELETE_TEMPLATES) {
    mount(api, operation, async ({ c, params }) => {
      if (!(await deleteTemplate(app, keyOf(params)))) throw templateNotFound(params)
      return c.body(null, 204)
    })
  }
}

/** The language is empty where the path has none. */
function keyOf({ type, language = '' }: { type: string; language?: string }): TemplateKey {
  return { type, language }
}
