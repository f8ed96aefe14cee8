// The fields of each kind of channel, for the forms that create and edit one.
import { messageOf, problemOf } from '../../api/client.ts'
import type { ChannelKind } from '../../api/settings-types.ts'
import { Input } from '../../ui/field.tsx'

export type FieldName = 'name' | 'url' | 'server' | 'apiKey' | 'baseUrl' | 'from' | 'replyTo'
export type Values = Record<FieldName, string>

export const NO_VALUES: Values = {
  ...{ name: '', url: '', server: '', apiKey: '', from: '', replyTo: '' },
  baseUrl: 'https://api.resend.com',
}

type Field = { label: string; placeholder: string; hint?: string; isSecret?: true; isOptional?: true }

const FIELDS: Record<FieldName, Field> = {
  name: { label: 'Name', placeholder: 'crm' },
  url: { label: 'URL', placeholder: 'https://example.com/hooks/terce' },
  server: {
    label: 'SMTP server',
    placeholder: 'smtps://user:password@mail.example.com',
    hint: 'With user name and password. Stored encrypted, never shown again.',
    isSecret: true,
  },
  apiKey: {
    label: 'API key',
    placeholder: 're_…',
    hint: 'Of Resend or a compatible provider. Stored encrypted, never shown again.',
    isSecret: true,
  },
  baseUrl: { label: 'API URL', placeholder: 'https://api.resend.com' },
  from: { label: 'From', placeholder: 'Terce <hello@example.com>', hint: 'A test is sent to this address.' },
  replyTo: { label: 'Reply to (optional)', placeholder: 'help@example.com', isOptional: true },
}

const OF_KIND: Record<ChannelKind, readonly FieldName[]> = {
  webhook: ['name', 'url'],
  smtp: ['name', 'server', 'from', 'replyTo'],
  resend: ['name', 'apiKey', 'from', 'replyTo', 'baseUrl'],
}

export const fieldsOf = (kind: ChannelKind): readonly FieldName[] => OF_KIND[kind]
const isSecret = (field: FieldName): boolean => FIELDS[field].isSecret === true

type Props = {
  kind: ChannelKind
  values: Values
  onChange: (change: Partial<Values>) => void
  error: unknown
  /** True if an empty secret keeps the stored one. */
  keepsSecrets?: boolean
}

export function ChannelFields({ kind, values, onChange, error, keepsSecrets = false }: Props) {
  const fields = OF_KIND[kind]
  const problems = fields.map((field) => problemIn(error, field))
  return (
    <>
      {fields.map((field, index) => {
        const { label, placeholder, hint, isOptional } = FIELDS[field]
        const isKept = keepsSecrets && isSecret(field)
        return (
          <Input
            key={field}
            label={label}
            required={isOptional !== true && !isKept}
            autoComplete="off"
            placeholder={placeholder}
            value={values[field]}
            onChange={({ target }) => onChange({ [field]: target.value })}
            problem={problems[index]}
            hint={isKept ? 'Leave it empty to keep the stored one.' : hint}
          />
        )
      })}
      {error !== null && problems.every((problem) => problem === undefined) && (
        <p role="alert" className="text-failed">
          {messageOf(error)}
        </p>
      )}
    </>
  )
}

/** A rotation names the SMTP server `secret`. */
function problemIn(error: unknown, field: FieldName): string | undefined {
  return problemOf(error, field) ?? (field === 'server' ? problemOf(error, 'secret') : undefined)
}
