// A person by the caller's own id: read, and create or change.
import { type OpenAPIHono, z } from '@hono/zod-openapi'
import { entityTag, isKnown } from '../../api/entity-tag.ts'
import { dryRun, dryRunQuery, etag, ifMatchHeader, ifNoneMatch } from '../../api/fields.ts'
import { users } from '../../api/users/calls.ts'
import { NewUserJson, userDraft } from '../../api/users/input.ts'
import { byExternalId, CreatedJson } from '../../api/users/json.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { mount, type Operation } from '../server/operation.ts'
import { ChangedJson, READ_RESPONSES } from './operations.ts'

const path = '/user/by-external-id/{externalId}'

const READ_BY_EXTERNAL_ID = {
  operationId: 'readUserByExternalId',
  route: `GET ${path}`,
  scope: 'read',
  tag: 'People',
  summary: 'Read a person by external id',
  description:
    'Returns the person who has this external id. With If-None-Match, returns 304 if they have not changed.',
  ...byExternalId,
  headers: ifNoneMatch,
  responses: READ_RESPONSES,
  problems: ['USER_NOT_FOUND'],
} satisfies Operation

const created = (value: boolean) =>
  z.literal(value).openapi({ description: 'Whether the request created the person.', example: value })
const UpsertCreatedJson = CreatedJson.extend({ created: created(true), dryRun })
const UpsertChangedJson = ChangedJson.extend({ created: created(false) })

const UPSERT_USER = {
  operationId: 'upsertUser',
  route: `PUT ${path}`,
  scope: 'write',
  audit: null,
  tag: 'People',
  summary: 'Create or change a person by external id',
  description:
    'Creates the person with this external id as POST /user does, or changes them as PUT /user/{id} does. Safe to repeat for ever and to call at the same time: an external id has one person, and a request that changes nothing writes nothing and keeps the version. The body is the whole person; `lastName`, `dateOfBirth`, `email` and `language` keep their value if they are left out, and null clears them. `sendTodayNow` applies when the person is created. With If-Match, a person who does not exist or has another version is OUTDATED. After the person was deleted, the request creates a new one. With `dryRun=true`, returns what would happen and writes nothing. The body may have at most 64 KiB.',
  ...byExternalId,
  query: dryRunQuery,
  headers: z.object({
    'If-Match': ifMatchHeader(
      'Change only this version: the ETag you read, a list of them, or `*` for any. No person is created.',
      (seen) => seen ?? null,
    ),
  }),
  body: { schema: userDraft, documentedAs: NewUserJson },
  responses: {
    200: {
      description: 'Changed, or equal to the request already; also a dry run.',
      schema: z.union([UpsertChangedJson, UpsertCreatedJson]),
      headers: z.object(etag),
    },
    201: {
      description: 'Created.',
      schema: UpsertCreatedJson,
      headers: z.object({
        Location: z.string().openapi({ description: 'The path of the new user.' }),
        ...etag,
      }),
    },
  },
  problems: ['INVALID_HEADER', 'OUTDATED'],
} satisfies Operation

export function mountByExternalId(api: OpenAPIHono, app: AppDeps): void {
  mount(api, READ_BY_EXTERNAL_ID, async ({ c, params, headers }) => {
    const json = await users.readByExternalId(app, params.externalId)
    const ETag = entityTag(json)
    return isKnown(headers['If-None-Match'], ETag) ? c.body(null, 304, { ETag }) : c.json(json, 200, { ETag })
  })

  mount(api, UPSERT_USER, async ({ c, params, query: { dryRun }, headers, body }) => {
    const how = { ifVersion: headers['If-Match'], dryRun }
    const json = await users.upsert(app, params.externalId, body, how)
    const ETag = entityTag(json.user)
    if (!json.created || dryRun) return c.json(json, 200, { ETag })
    return c.json(json, 201, { Location: `/user/${json.user.id}`, ETag })
  })
}
