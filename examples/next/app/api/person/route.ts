// Creates a person from a form of this app. On the server, because a browser must not see the API key.
import { createClient, type NewUser, TerceError } from 'terce/client'

export async function POST(request: Request): Promise<Response> {
  const client = createClient({ url: process.env.TERCE_URL!, key: process.env.TERCE_API_KEY })
  try {
    const { user, nextBirthdayEvent } = await client.post('/user', {
      // Terce validates every field and reports each problem.
      body: (await request.json()) as NewUser,
      // A form that is submitted twice creates one person.
      header: { 'Idempotency-Key': request.headers.get('idempotency-key') ?? crypto.randomUUID() },
    })
    return Response.json({ id: user.id, greetedAt: nextBirthdayEvent.targetTimestampLocal }, { status: 201 })
  } catch (error) {
    if (!(error instanceof TerceError) || error.status >= 500) throw error
    return Response.json({ code: error.code, problems: error.problems }, { status: error.status })
  }
}
