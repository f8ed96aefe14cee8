// The fields of each kind of channel, for the forms that create and edit one.
import { useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import type { Channel, ChannelKind } from '../../api/settings-types.ts'
import { Checkbox, Input } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'

type FieldName =
  | 'name'
  | 'url'
  | 'server'
  | 'apiKey'
  | 'baseUrl'
  | 'from'
  | 'replyTo'
  | 'listUnsubscribe'
  | 'perSecond'
  | 'concurrency'
  | 'allowPlaintext'

/** As typed. A checkbox is `true` or empty. */
export type Values = Record<FieldName, string>

export const NO_VALUES: Values = {
  ...{ name: '', url: '', server: '', apiKey: '', from: '', replyTo: '', listUnsubscribe: '' },
  ...{ perSecond: '', concurrency: '', allowPlaintext: '' },
  baseUrl: 'https://api.resend.com',
}

type Field = {
  label: string
  placeholder?: string
  hint?: string
  isSecret?: true
  isOptional?: true
  type?: 'number' | 'checkbox'
}

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
  listUnsubscribe: {
    label: 'Unsubscribe link (optional)',
    placeholder: 'https://example.com/leave/{userId}',
    hint: '{userId} is replaced with the id of the person.',
    isOptional: true,
  },
  perSecond: {
    label: 'Messages per second (optional)',
    placeholder: 'no limit',
    hint: 'Over all workers.',
    isOptional: true,
    type: 'number',
  },
  concurrency: {
    label: 'Messages at the same time (optional)',
    placeholder: 'default',
    hint: 'Over all workers. Default: no limit, 5 in each process for SMTP.',
    isOptional: true,
    type: 'number',
  },
  allowPlaintext: {
    label: 'Allow a connection without TLS',
    hint: 'Passwords and messages are then readable on the way.',
    isOptional: true,
    type: 'checkbox',
  },
}

const OF_KIND: Record<ChannelKind, readonly FieldName[]> = {
  webhook: ['name', 'url'],
  smtp: ['name', 'server', 'from', 'replyTo'],
  resend: ['name', 'apiKey', 'from', 'replyTo', 'baseUrl'],
}

/** Folded away, because the defaults suit most channels. */
const MORE: Record<ChannelKind, readonly FieldName[]> = {
  webhook: ['perSecond', 'concurrency'],
  smtp: ['listUnsubscribe', 'perSecond', 'concurrency', 'allowPlaintext'],
  resend: ['listUnsubscribe', 'perSecond', 'concurrency'],
}

export const fieldsOf = (kind: ChannelKind): readonly FieldName[] => [...OF_KIND[kind], ...MORE[kind]]

export function valuesOf(channel: Channel): Values {
  const { name, url = '', baseUrl = '', from = '', replyTo, listUnsubscribe } = channel
  return {
    ...{ name, url, baseUrl, from, server: '', apiKey: '' },
    replyTo: replyTo ?? '',
    listUnsubscribe: listUnsubscribe ?? '',
    perSecond: String(channel.perSecond ?? ''),
    concurrency: String(channel.concurrency ?? ''),
    allowPlaintext: channel.allowPlaintext === true ? 'true' : '',
  }
}

/** The fields as the API takes them: an empty optional field is null. */
export function inputOf(fields: readonly FieldName[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const { type, isOptional } = FIELDS[field]
      const text = values[field]
      if (type === 'checkbox') return [field, text === 'true']
      if (isOptional === true && text === '') return [field, null]
      return [field, type === 'number' ? Number(text) : text]
    }),
  )
}

type Props = {
  kind: ChannelKind
  values: Values
  onChange: (change: Partial<Values>) => void
  error: unknown
  /** What to say below the fields that name a host. */
  hostHint?: string | undefined
  /** True if an empty secret keeps the stored one. */
  keepsSecrets?: boolean
  /** True if the environment has the name and the URL. */
  onlyLimits?: boolean
}

export function ChannelFields(props: Props) {
  const { kind, values, onChange, error, hostHint, keepsSecrets = false, onlyLimits = false } = props
  const draw = (field: FieldName) => (
    <ChannelField
      key={field}
      field={field}
      value={values[field]}
      onChange={(value) => onChange({ [field]: value })}
      problem={problemIn(error, field)}
      isKept={keepsSecrets && FIELDS[field].isSecret === true}
      hostHint={field === 'url' ? hostHint : undefined}
    />
  )
  const isPlaced = fieldsOf(kind).some((field) => problemIn(error, field) !== undefined)
  const [hasMore] = useState(() => MORE[kind].some((field) => values[field] !== ''))
  const isOpen = onlyLimits || hasMore || MORE[kind].some((field) => problemIn(error, field) !== undefined)
  return (
    <>
      {!onlyLimits && OF_KIND[kind].map(draw)}
      <details open={isOpen || undefined}>
        <summary className="cursor-pointer text-soft text-sm hover:text-ink">Limits and options</summary>
        <div className="mt-3 space-y-3">{MORE[kind].map(draw)}</div>
      </details>
      <FormError text={error === null || isPlaced ? undefined : messageOf(error)} />
    </>
  )
}

type ChannelFieldProps = {
  field: FieldName
  value: string
  onChange: (value: string) => void
  problem: string | undefined
  isKept: boolean
  hostHint: string | undefined
}

function ChannelField({ field, value, onChange, problem, isKept, hostHint }: ChannelFieldProps) {
  const { label, placeholder, isOptional, type } = FIELDS[field]
  const hint = isKept ? 'Leave it empty to keep the stored one.' : (hostHint ?? FIELDS[field].hint)
  if (type === 'checkbox') {
    return (
      <Checkbox
        label={label}
        hint={problem ?? hint}
        checked={value === 'true'}
        onChange={(checked) => onChange(checked ? 'true' : '')}
      />
    )
  }
  return (
    <Input
      label={label}
      required={isOptional !== true && !isKept}
      autoComplete="off"
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      problem={problem}
      hint={hint}
      {...(type === 'number' && { type, min: 1, max: 100_000, step: 1 })}
    />
  )
}

/** A rotation names the SMTP server `secret`. */
function problemIn(error: unknown, field: FieldName): string | undefined {
  return problemOf(error, field) ?? (field === 'server' ? problemOf(error, 'secret') : undefined)
}
