// What a Worker does while it cannot be made: a setting or a binding is missing or invalid.
import { ConfigError } from '../config/config.ts'

export const NOT_SET_UP = 'Terce is not set up. Its log says what is missing.'

/** Null, and a line in the log, if the Worker cannot be made. */
export function ifSetUp<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    // The message of another error may quote a setting.
    const reason =
      error instanceof ConfigError ? error.message : `Terce cannot start: ${(error as Error).name}.`
    // biome-ignore lint/suspicious/noConsole: there is no logger yet
    console.error(reason)
    return null
  }
}

export function respondNotSetUp(): Response {
  return new Response(`${NOT_SET_UP}\n`, { status: 500 })
}
