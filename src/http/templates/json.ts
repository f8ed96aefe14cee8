// Templates as JSON: as they are stored, as they come in, and as they are tried out.
import { z } from '@hono/zod-openapi'
import { TEMPLATE_MAX } from '../../domain/messages/liquid.ts'
import { SUBJECT_MAX, type Template } from '../../domain/messages/template.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { instant, version } from '../server/fields.ts'
import { NewUserJson, userDraft } from '../users/input.ts'

const body = z.string().openapi({
  description: `What the message says, in Liquid: at most ${TEMPLATE_MAX} characters. One with tags such as \`</p>\` in it is HTML where it goes by e-mail.`,
  example: 'Happy birthday, {{ firstName }}! {{ age }} years already.',
})
const subject = z
  .string()
  .nullable()
  .optional()
  .openapi({
    description: `The subject of e-mails, in Liquid: at most ${SUBJECT_MAX} characters. Null for the first line of the message.`,
    example: 'Happy birthday, {{ firstName }}',
  })

export const eventType = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Give a type in capitals, such as BIRTHDAY.')
  .openapi({ description: 'The kind of event, in capitals.', example: 'BIRTHDAY' })

export const TemplateJson = z
  .object({
    type: eventType,
    language: z
      .string()
      .nullable()
      .openapi({ description: 'Null for everybody whose language has no text of its own.', example: 'de' }),
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

/** As it is parsed: the person is a draft, like that of a new user. */
export const Preview = z.strictObject({
  body,
  subject,
  type: eventType.default('BIRTHDAY'),
  userId: z.string().optional().openapi({ description: 'Somebody who is stored.', format: 'uuid' }),
  person: userDraft.optional(),
  lateBySeconds: z
    .int('Give a whole number of seconds.')
    .min(0, 'Give 0 or more.')
    .max(31_536_000, 'Give at most a year: 31536000.')
    .default(0)
    .openapi({ description: 'As if it were sent that long after its time; a year at most.', example: 0 }),
})

export const PreviewJson = Preview.extend({ person: NewUserJson.optional() }).openapi('TemplatePreview', {
  example: {
    body: 'Happy birthday, {{ firstName }}! {{ age }} years already.',
    person: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' },
  },
})

export const PreviewedJson = z.object({
  message: z.string().openapi({
    description: 'What a webhook gets.',
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
