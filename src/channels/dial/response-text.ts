// Reads the start of a response of `fetch`. A long response is cut off, a short one ends so that its connection can be used again.

const RESPONSE_LIMIT = 64 * 1024

/**
 * Reads a response that is not stored, so that its connection can be used again. A short one in a single call of the platform: in
 * workerd the loop of `readStart` takes a fifth of the CPU time of a delivery. A compressed one may be long.
 */
export async function discard(response: Response): Promise<void> {
  const { headers } = response
  const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  const isShort = length <= RESPONSE_LIMIT && !headers.has('content-encoding')
  if (isShort) await response.arrayBuffer().catch(() => {})
  else await readStart(response)
}

/** The status decides the result. A body that breaks off, trickles until the deadline or never ends does not change it. */
export async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  try {
    // Leaving the loop cancels the rest.
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk.subarray(0, RESPONSE_LIMIT - read), { stream: true })
      read += chunk.length
      if (read >= RESPONSE_LIMIT) break
    }
  } catch {
    return text
  }
  return text
}
