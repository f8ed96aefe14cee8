// What a Worker does while a setting or a binding is missing or invalid.
import { ConfigError } from '../config/config.ts'

export const NOT_SET_UP = 'Terce is not set up. Its log says what is missing.'

/** Null, and a line in the log, after an error of the settings. */
export function ifSetUp<T>(make: () => T): T | null {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // biome-ignore lint/suspicious/noConsole: there is no logger yet
    console.error(error.message)
    return null
  }
}

export function respondNotSetUp(): Response {
  return new Response(`${NOT_SET_UP}\n`, { status: 500 })
}
