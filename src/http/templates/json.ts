// Templates as JSON: stored, in requests, and in previews.
import { z } from '@hono/zod-openapi'
import { eventType, instant, version } from '../../api/fields.ts'
import { NewUserJson, userDraft } from '../../api/users/input.ts'
import { TEMPLATE_MAX } from '../../domain/messages/liquid-engine.ts'
import { SUBJECT_MAX, type Template } from '../../domain/messages/template.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'

const body = z.string().openapi({
  description: `The text in Liquid, at most ${TEMPLATE_MAX} characters. A text with a closing tag such as \`</p>\` is HTML in e-mails.`,
  example: 'Happy birthday, {{ firstName }}! {{ age }} years already.',
})
const subject = z
  .string()
  .nullable()
  .optional()
  .openapi({
    description: `The subject of e-mails in Liquid, at most ${SUBJECT_MAX} characters. Null for the first line of the message.`,
    example: 'Happy birthday, {{ firstName }}',
  })

export const TemplateJson = z
  .object({
    type: eventType,
    language: z
      .string()
      .nullable()
      .openapi({ description: 'Null for the template of all languages without their own.', example: 'de' }),
    subject: z.string().nullable().openapi({ example: 'Alles Gute, {{ firstName }}' }),
    body: z.string().openapi({ example: 'Alles Gute zum {{ age }}. Geburtstag, {{ firstName }}!' }),
    createdAt: instant('When it was created.'),
    updatedAt: instant('When it last changed.'),
    version,
  })
  .openapi('Template')

export function templateJson(template: Template): z.infer<typeof TemplateJson> {
  const { type, subject, body, version } = template
  const language = template.language === '' ? null : template.language
  const [createdAt, updatedAt] = [formatInstant(template.createdAt), formatInstant(template.updatedAt)]
  return { type, language, subject, body, createdAt, updatedAt, version }
}

export const NewTemplateJson = z.strictObject({ body, subject }).openapi('NewTemplate', {
  example: {
    body: 'Happy birthday, {{ firstName }}! {{ age }} years already.',
    subject: 'Happy birthday, {{ firstName }}',
  },
})

/** The parsed body. The person is a draft, as in the creation of a user. */
export const Preview = z.strictObject({
  body,
  subject,
  type: eventType.default('BIRTHDAY'),
  userId: z.string().optional().openapi({ description: 'A stored user.', format: 'uuid' }),
  person: userDraft.optional(),
  lateBySeconds: z
    .int('Must be a whole number of seconds.')
    .min(0, 'Must be at least 0.')
    .max(31_536_000, 'Must be at most 31536000 (one year).')
    .default(0)
    .openapi({
      description: 'Renders the message as if it were sent this many seconds late; at most a year.',
      example: 0,
    }),
})

export const PreviewJson = Preview.extend({ person: NewUserJson.optional() }).openapi('TemplatePreview', {
  example: {
    body: 'Happy birthday, {{ firstName }}! {{ age }} years already.',
    person: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' },
  },
})

export const PreviewedJson = z.object({
  message: z.string().openapi({
    description: 'The message of a webhook.',
    example: 'Happy birthday, Ada! 36 years already.',
  }),
  subject: z.string().openapi({
    description: 'The subject of an e-mail.',
    example: 'Happy birthday, Ada! 36 years already.',
  }),
  text: z.string().openapi({
    description: 'An e-mail as plain text.',
    example: 'Happy birthday, Ada! 36 years already.',
  }),
  html: z.string().openapi({
    description: 'An e-mail as HTML. Every value is escaped.',
    example: 'Happy birthday, Ada! 36 years already.',
  }),
})
