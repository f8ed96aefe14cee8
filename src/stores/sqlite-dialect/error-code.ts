// The code of an error of Cloudflare's databases, which have all that they know of a failure in the message.

/** Throws the error with its code. The log has codes and no messages: a message can quote a row. */
export function rethrowWithCode(error: unknown): never {
  const message = String((error as Error).message)
  const code = /SQLITE_\w+/.exec(message)?.[0] ?? /^D1_\w+/.exec(message)?.[0]
  throw code === undefined ? error : Object.assign(error as Error, { code })
}
