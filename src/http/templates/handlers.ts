// The templates: stored, read, replaced, deleted. A text that cannot be rendered is refused before it is stored.
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { findTemplate, type Seen, saveTemplate, type TemplateKey } from '../../app/templates/save-template.ts'
import type { Parsed } from '../../domain/errors.ts'
import { parseTemplateText } from '../../domain/messages/template.ts'
import { parseLanguage } from '../../domain/users/user.ts'
import { readJson } from '../server/body.ts'
import { entityTag, isKnown, readIfMatch } from '../server/entity-tag.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import { eventType, NewTemplateJson, templateJson } from './json.ts'
import {
  DELETE_TEMPLATES,
  LIST_TEMPLATES,
  PREVIEW_TEMPLATE,
  PUT_TEMPLATES,
  READ_TEMPLATES,
} from './operations.ts'
import { previewTemplate } from './preview-handler.ts'

export function mountTemplates(app: OpenAPIHono, users: AppDeps): void {
  const { store } = users
  mount(app, LIST_TEMPLATES, async (c) => c.json({ items: (await store.listTemplates()).map(templateJson) }))
  mount(app, PREVIEW_TEMPLATE, (c) => previewTemplate(c, users))
  for (const operation of READ_TEMPLATES) mount(app, operation, (c) => readTemplate(c, users))
  for (const operation of PUT_TEMPLATES) mount(app, operation, (c) => putTemplate(c, users))
  for (const operation of DELETE_TEMPLATES) mount(app, operation, (c) => deleteTemplate(c, users))
}

async function readTemplate(c: Context, { store }: AppDeps): Promise<Response | Problem> {
  const key = readKey(c)
  const template = key.ok ? await findTemplate(store, key.value) : null
  if (template === null) return templateNotFound(c)
  const headers = { ETag: entityTag(template), 'Cache-Control': 'private, no-cache' }
  if (isKnown(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers)
  return c.json(templateJson(template), 200, headers)
}

async function putTemplate(c: Context, users: AppDeps): Promise<Response | Problem> {
  const seen = readSeen(c.req.header('If-Match'))
  if (seen instanceof Problem) return seen
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const key = readKey(c)
  const shape = checkShape(NewTemplateJson, body.json)
  const text = shape.ok ? parseTemplateText(shape.value) : shape
  if (!key.ok || !text.ok) {
    return invalidInput([...(key.ok ? [] : key.problems), ...(text.ok ? [] : text.problems)])
  }
  const result = await saveTemplate(users, key.value, { text: text.value, seen })
  if (result.kind === 'outdated') {
    return new Problem('OUTDATED', 'Read the template again, and repeat your change if it still makes sense.')
  }
  const { kind, template } = result
  return c.json(templateJson(template), kind === 'created' ? 201 : 200, { ETag: entityTag(template) })
}

async function deleteTemplate(c: Context, { store }: AppDeps): Promise<Response | Problem> {
  const key = readKey(c)
  const deleted = key.ok && (await store.removeTemplate(key.value))
  return deleted ? c.body(null, 204) : templateNotFound(c)
}

function readSeen(header: string | undefined): Seen | Problem {
  if (header === undefined) return 'any'
  return readIfMatch(header) ?? 'existing'
}

/** Of the path: the language is empty where it has none. */
function readKey(c: Context): Parsed<TemplateKey> {
  const type = checkShape(z.object({ type: eventType }), { type: c.req.param('type') })
  const tag = c.req.param('language')
  const language = tag === undefined ? '' : parseLanguage(tag)
  if (type.ok && language !== null) return { ok: true, value: { ...type.value, language } }
  const problems = type.ok ? [] : type.problems
  if (language === null) {
    const message = 'This is not a language tag. Give one such as de or pt-BR.'
    problems.push({ field: 'language', code: 'INVALID_LANGUAGE', message })
  }
  return { ok: false, problems }
}

function templateNotFound(c: Context): Problem {
  const [type, language] = [c.req.param('type'), c.req.param('language')].map((part) => part?.slice(0, 64))
  const which = language === undefined ? `${type} for everybody` : `${type} in ${language}`
  return new Problem('TEMPLATE_NOT_FOUND', `There is none of ${which}. GET /template lists those there are.`)
}
