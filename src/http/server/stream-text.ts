// Streams a text while it is produced, no faster than the caller reads.

/** An error before the first piece becomes a problem response; a later error breaks off the body. */
export async function streamText(
  pieces: AsyncGenerator<string>,
  headers: Record<string, string>,
): Promise<Response> {
  const encoder = new TextEncoder()
  let next = await pieces.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(next.value))
      next = await pieces.next()
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(body, { headers })
}
