// What the operations on templates promise, for the OpenAPI document and the reference page.
import { z } from '@hono/zod-openapi'
import type { Operation } from '../server/operation.ts'
import { BODY_PROBLEMS } from '../server/problem.ts'
import { eventType, NewTemplateJson, PreviewedJson, PreviewJson, TemplateJson } from './json.ts'

const tag = 'Templates'
const etag = { ETag: z.string().openapi({ description: 'The version of the template.', example: '"v1"' }) }

const typeParam = z.object({ type: eventType })
const languageParam = typeParam.extend({
  language: z.string().openapi({
    description:
      'A language tag, in any letter case. A template for pt is also for pt-BR, unless that has its own.',
    example: 'de',
  }),
})

export const LIST_TEMPLATES = {
  operationId: 'listTemplates',
  method: 'get',
  scope: 'read',
  path: '/template',
  tag,
  summary: 'List templates',
  description: 'All that are stored. An event of another type has the built-in text, if there is one.',
  responses: { 200: { description: 'All of them.', schema: z.object({ items: z.array(TemplateJson) }) } },
  problems: [],
} satisfies Operation

const forEverybody = { path: '/template/{type}', params: typeParam, id: '' }
const forLanguage = { path: '/template/{type}/{language}', params: languageParam, id: 'ForLanguage' }
type Address = typeof forEverybody | typeof forLanguage

const readOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `readTemplate${id}`,
    method: 'get',
    scope: 'read',
    path,
    tag,
    summary: `Read the template ${whose}`,
    description: 'One template. With If-None-Match, one that has not changed is not sent again.',
    request: {
      params,
      headers: z.object({
        'If-None-Match': z
          .string()
          .optional()
          .openapi({ description: 'The ETag you have.', example: '"v1"' }),
      }),
    },
    responses: {
      200: { description: 'The template.', schema: TemplateJson, headers: z.object(etag) },
      304: { description: 'You have this version already.', headers: z.object(etag) },
    },
    problems: ['TEMPLATE_NOT_FOUND'],
  }) satisfies Operation

const putOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `putTemplate${id}`,
    method: 'put',
    scope: 'write',
    path,
    tag,
    summary: `Store the template ${whose}`,
    description:
      'Stores what events of this type say, or replaces it as a whole. It is tried out first: what cannot be rendered is refused with line and column. Messages written from a few seconds later on have the new text.',
    request: {
      params,
      headers: z.object({
        'If-Match': z.string().optional().openapi({
          description:
            'Replace only this version: the ETag you read, a list of them, or `*` for any that there is.',
          example: '"v1"',
        }),
      }),
      body: { required: true, content: { 'application/json': { schema: NewTemplateJson } } },
    },
    responses: {
      200: { description: 'Replaced.', schema: TemplateJson, headers: z.object(etag) },
      201: { description: 'Stored.', schema: TemplateJson, headers: z.object(etag) },
    },
    problems: ['INVALID_INPUT', 'INVALID_HEADER', ...BODY_PROBLEMS, 'OUTDATED'],
  }) satisfies Operation

const deleteOperation = ({ path, params, id }: Address, whose: string) =>
  ({
    operationId: `deleteTemplate${id}`,
    method: 'delete',
    scope: 'write',
    path,
    tag,
    summary: `Delete the template ${whose}`,
    description: 'Deletes a template. Messages that are already written keep its words.',
    request: { params },
    responses: { 204: { description: 'Deleted.' } },
    problems: ['TEMPLATE_NOT_FOUND'],
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
  method: 'post',
  scope: 'read',
  path: '/template/preview',
  tag,
  summary: 'Try a template out',
  description:
    'Shows what a text would say to somebody at their next occurrence: to a person who is stored (`userId`), to one you describe (`person`), or to an example. Nothing is stored and nothing is sent.',
  request: { body: { required: true, content: { 'application/json': { schema: PreviewJson } } } },
  responses: { 200: { description: 'What it would say.', schema: PreviewedJson } },
  problems: ['INVALID_INPUT', ...BODY_PROBLEMS, 'USER_NOT_FOUND'],
} satisfies Operation
