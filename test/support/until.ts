// Waits for a condition. The error at the deadline names the condition.

export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  withinMs = 25_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > deadline)
      throw new Error(`Not within ${withinMs} ms: ${what}. Last value: ${show(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function show(seen: unknown): string {
  return (JSON.stringify(seen) ?? String(seen)).slice(0, 500)
}
