// The operations on templates, as the OpenAPI document describes them.
import { z } from '@hono/zod-openapi'
import { etag, eventType, ifMatchHeader, ifNoneMatch } from '../../api/fields.ts'
import { Problem } from '../../api/problem.ts'
import type { SeenVersion } from '../../app/templates/save-template.ts'
import { parseLanguage } from '../../domain/users/language.ts'
import type { Operation } from '../server/operation.ts'
import { NewTemplateJson, Preview, PreviewedJson, PreviewJson, TemplateJson } from './json.ts'

const tag = 'Templates'

const typeParam = z.object({ type: eventType })
const languageParam = typeParam.extend({
  language: z
    .string()
    .transform((text, context) => {
      const language = parseLanguage(text)
      if (language !== null) return language
      const message = 'Must be a language tag such as de or pt-BR.'
      context.addIssue({ code: 'custom', message, params: { code: 'INVALID_LANGUAGE' } })
      return z.NEVER
    })
    .openapi({
      description:
        'A language tag, in any letter case. The template for pt also applies to pt-BR, unless pt-BR has its own.',
      example: 'de',
    }),
})

export function templateNotFound(params: { type?: string; language?: string }): Problem {
  const [type, language] = [params.type, params.language].map((part) => part?.slice(0, 64))
  const which = language === undefined ? `${type} without a language` : `${type} in ${language}`
  return new Problem(
    'TEMPLATE_NOT_FOUND',
    `No template exists for ${which}. GET /template lists the templates.`,
  )
}

export const LIST_TEMPLATES = {
  operationId: 'listTemplates',
  route: 'GET /template',
  scope: 'read',
  tag,
  summary: 'List templates',
  description: 'Lists all stored templates, at most 200. Other types use the built-in text, if there is one.',
  responses: { 200: { description: 'All items.', schema: z.object({ items: z.array(TemplateJson) }) } },
} satisfies Operation

const forEverybody = { path: '/template/{type}', params: typeParam, id: '' } as const
const forLanguage = { path: '/template/{type}/{language}', params: languageParam, id: 'ForLanguage' } as const
type Address = typeof forEverybody | typeof forLanguage

const readOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `readTemplate${id}`,
    route: `GET ${path}` as const,
    scope: 'read',
    tag,
    summary: `Read the template ${whose}`,
    description: 'Returns one template. With If-None-Match, returns 304 if it has not changed.',
    params,
    notFound: templateNotFound,
    headers: ifNoneMatch,
    responses: {
      200: { description: 'The template.', schema: TemplateJson, headers: z.object(etag) },
      304: { description: 'Not modified.', headers: z.object(etag) },
    },
  }) satisfies Operation

const putOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `putTemplate${id}`,
    route: `PUT ${path}` as const,
    scope: 'write',
    audit: { action: 'template.changed', kind: 'template' },
    tag,
    summary: `Store the template ${whose}`,
    description:
      'Creates or replaces the template. A text that cannot be rendered is rejected with line and column. New messages use it within seconds. There can be 200 templates.',
    params,
    headers: z.object({
      'If-Match': ifMatchHeader(
        'Replace only this version: the ETag you read, a list of them, or `*` for any existing version.',
        (seen): SeenVersion => (seen === '*' ? 'existing' : (seen ?? 'any')),
      ),
    }),
    body: { schema: NewTemplateJson },
    responses: {
      200: { description: 'Replaced.', schema: TemplateJson, headers: z.object(etag) },
      201: { description: 'Stored.', schema: TemplateJson, headers: z.object(etag) },
    },
    problems: ['INVALID_HEADER', 'LIMIT_REACHED', 'OUTDATED'],
  }) satisfies Operation

const deleteOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `deleteTemplate${id}`,
    route: `DELETE ${path}` as const,
    scope: 'write',
    audit: { action: 'template.deleted', kind: 'template' },
    tag,
    summary: `Delete the template ${whose}`,
    description: 'Deletes a template. Messages that are already rendered do not change.',
    params,
    notFound: templateNotFound,
    responses: { 204: { description: 'Deleted.' } },
  }) satisfies Operation

export const READ_TEMPLATES = [
  readOperation(forEverybody, 'for everybody'),
  readOperation(forLanguage, 'for a language'),
]
export const PUT_TEMPLATES = [
  putOperation(forEverybody, 'for everybody'),
  putOperation(forLanguage, 'for a language'),
]
export const DELETE_TEMPLATES = [
  deleteOperation(forEverybody, 'for everybody'),
  deleteOperation(forLanguage, 'for a language'),
]

export const PREVIEW_TEMPLATE = {
  operationId: 'previewTemplate',
  route: 'POST /template/preview',
  scope: 'read',
  audit: null,
  tag,
  summary: 'Preview a template',
  description:
    'Renders a text for the next occurrence of a stored user (`userId`), of a person you describe (`person`), or of an example. Stores and sends nothing.',
  body: { schema: Preview, documentedAs: PreviewJson },
  responses: { 200: { description: 'The rendered message.', schema: PreviewedJson } },
  problems: ['USER_NOT_FOUND'],
} satisfies Operation
