// The problems of input and the errors of the domain. Knows nothing of HTTP.

/** Every code that a field problem can have, with its meaning. Codes are part of the API: add, never rename. */
export const FIELD_CODES = {
  REQUIRED: 'The field is missing.',
  WRONG_TYPE: 'The value has the wrong JSON type.',
  INVALID_VALUE: 'The value is not allowed for this field.',
  UNKNOWN_FIELD: 'The field does not exist.',
  CONFLICTING_FIELDS: 'Two fields contradict each other.',
  UNKNOWN_PARAMETER: 'The query parameter does not exist.',
  REPEATED_PARAMETER: 'The query parameter was given more than once.',
  INVALID_CURSOR: 'The cursor is not from a response of this API.',
  INVALID_NAME: 'The name is empty, too long, invisible, or contains characters that are not allowed.',
  INVALID_DATE: 'Not a real calendar date in the form YYYY-MM-DD. A date of birth may also be --MM-DD.',
  DATE_IN_FUTURE: "The date is in the future in the person's timezone.",
  UNKNOWN_TIMEZONE: 'Not a name in the IANA timezone database.',
  INVALID_EMAIL: 'Not an address that mails can be sent to.',
  INVALID_LANGUAGE: 'Not a language tag.',
  INVALID_EXTERNAL_ID:
    'The external id is empty, too long, invisible, or contains characters that are not allowed.',
  EXTERNAL_ID_TAKEN: 'Another person has this external id.',
  INVALID_TYPE: 'Not a type of occasion that can be created this way.',
  INVALID_TIME: 'Not a time of day in the form HH:MM.',
  INVALID_RULE: 'The recurrence rule is not supported; the message says which part.',
  INVALID_TITLE: 'The title is empty, too long, invisible, or contains characters that are not allowed.',
  INVALID_INSTANT: 'Not an instant with Z or an offset.',
  INVALID_DURATION: 'Not a duration that can be used here.',
  DATE_OUT_OF_RANGE: 'The date is outside the range of its calendar.',
  UNKNOWN_CHANNEL: 'No channel has that id.',
  BAD_TEMPLATE: 'The text cannot be rendered; the message says where and why.',
  TEMPLATE_LIMIT: 'Rendering the text reaches a limit of size, work or time; the message says which.',
  INVALID_URL: 'Not a URL that messages can be sent to.',
  FORBIDDEN_TARGET: 'Messages may not be sent to this address.',
  MISSING_COLUMN: 'The CSV file has no such column.',
  REPEATED_COLUMN: 'The CSV file has the column more than once.',
  BROKEN_ROW: 'The row of the CSV file cannot be read; the message says why.',
  WRONG_WIDTH: 'The row of the CSV file has more or fewer fields than its header.',
  NOT_UTF8: 'The text is not UTF-8.',
  INVALID_SECRET: 'The secret has the wrong form.',
  SECRET_REQUIRED: 'The stored secret belongs to another host: give the secret again.',
  INVALID_LINK: 'Not a link that can be used here.',
  UNSUPPORTED: 'Not supported on this runtime.',
} as const

export type FieldCode = keyof typeof FIELD_CODES

/** One problem with one field of an input. `code` is stable, `message` is for people. */
export type FieldProblem = { field: string; code: FieldCode; message: string }

/** The result of every parser at the edge: the parsed value, or all problems of the input. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: FieldProblem[] }

/** A step that the event's state machine does not have: a bug, never an outcome. */
export class InvalidStateTransitionError extends Error {
  readonly code = 'INVALID_STATE_TRANSITION'
  constructor(from: string, to: string) {
    super(`Invalid state transition from ${from} to ${to}.`)
    this.name = 'InvalidStateTransitionError'
  }
}

/** A message template that cannot be rendered for this event. Fails that event alone. */
export class TemplateError extends Error {
  readonly code: 'BAD_TEMPLATE' | 'TEMPLATE_LIMIT'
  constructor(message: string, code: TemplateError['code'] = 'BAD_TEMPLATE') {
    super(message)
    this.name = 'TemplateError'
    this.code = code
  }
}

/**
 * The database cannot be reached, written or locked at the moment: an outage that ends without a change of the request.
 * `code` is the driver's code. The message never quotes a statement or a row.
 */
export class StoreUnavailableError extends Error {
  readonly code: string
  constructor(outage: string, code: string, cause: unknown) {
    super(`${outage} (${code}).`, { cause })
    this.name = 'StoreUnavailableError'
    this.code = code
  }
}

/** The code of a database that was copied to another one and rejects every write. It ends when an operator says so. */
export const FROZEN = 'FROZEN'

/** Another transaction holds rows for longer than the store waits for them. `code` is the driver's code. */
export class RowsLockedError extends Error {
  readonly code: string
  constructor(code: string, cause: unknown) {
    super(`Another transaction holds the rows (${code}).`, { cause })
    this.name = 'RowsLockedError'
    this.code = code
  }
}

/** A channel that its settings or secrets do not allow to be opened. The message has the remedy and no secret. */
export class ChannelUnusableError extends Error {
  readonly code = 'CHANNEL_UNUSABLE'
  constructor(message: string) {
    super(message)
    this.name = 'ChannelUnusableError'
  }
}
