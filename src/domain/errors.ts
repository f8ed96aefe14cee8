// Names what can be wrong with input or with a caller. Knows nothing of HTTP.

/** One thing wrong with one field of an input. `code` is stable, `message` is for people. */
export type FieldProblem = { field: string; code: string; message: string }

/** The answer of every parser at the edge: the parsed value, or all that is wrong with the input. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: FieldProblem[] }

/** A caller asked an event to make a step that its state machine does not have: a bug, never an outcome. */
export class InvalidStateTransitionError extends Error {
  readonly code = 'INVALID_STATE_TRANSITION'
  constructor(from: string, to: string) {
    super(`Invalid state transition from ${from} to ${to}.`)
    this.name = 'InvalidStateTransitionError'
  }
}

/** A message template that cannot be rendered for this event. Fails that event alone. */
export class TemplateError extends Error {
  readonly code = 'BAD_TEMPLATE'
  constructor(message: string) {
    super(message)
    this.name = 'TemplateError'
  }
}
