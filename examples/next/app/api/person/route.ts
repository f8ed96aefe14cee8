// Creates a person from a form of this app. On the server, because a browser must not see the API key.
import { createClient, type NewUser, TerceError } from 'terce/client'

export async function POST(request: Request): Promise<Response> {
  const client = createClient({ url: process.env.TERCE_URL!, key: process.env.TERCE_API_KEY })
  try {
    // The fields that a visitor may give. An external id or an address of another person is not among them.
    const { firstName, lastName = null, dateOfBirth = null, timezone } = (await request.json()) as NewUser
    const { user, nextBirthdayEvent } = await client.post('/user', {
      // Terce validates every field and reports each problem.
      body: { firstName, lastName, dateOfBirth, timezone },
      // A form that is submitted twice creates one person.
      header: { 'Idempotency-Key': request.headers.get('idempotency-key') ?? crypto.randomUUID() },
    })
    return Response.json({ id: user.id, greetedAt: nextBirthdayEvent?.targetTimestampLocal }, { status: 201 })
  } catch (error) {
    if (!(error instanceof TerceError) || error.status >= 500) throw error
    return Response.json({ code: error.code, problems: error.problems }, { status: error.status })
  }
}
