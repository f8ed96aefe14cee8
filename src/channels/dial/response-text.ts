// Reads the start of a response of `fetch`. A long response is cut off, a short one ends so that its connection can be used again.

const RESPONSE_LIMIT = 64 * 1024

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
