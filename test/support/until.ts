// Waits for a condition. The error at the deadline names the condition.

/** A look at a database takes 10 ms of CPU time, which the work that the test waits for needs. */
const LONGEST_WAIT_MS = 200

/** The wait ends as soon as the condition is true: the default limit only has to exceed the slowest machine. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > deadline)
      throw new Error(`Not within ${withinMs} ms: ${what}. Last value: ${show(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

function show(seen: unknown): string {
  return (JSON.stringify(seen) ?? String(seen)).slice(0, 500)
}
