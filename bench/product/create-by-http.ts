// Creates people through POST /user/bulk, as a client does.

/** The limit of one request. */
const BULK = 1_000

/** Two requests in flight, as for every engine that schedules in bulk. Everyone was born on that day, and lives by UTC. */
export async function createByHttp(url: string, people: number, dateOfBirth: string): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < people) {
      const from = next
      next = Math.min(from + BULK, people)
      const users = Array.from({ length: next - from }, (_, i) => ({
        firstName: `Ada${from + i}`,
        lastName: 'Lovelace',
        dateOfBirth,
        timezone: 'UTC',
      }))
      const response = await fetch(`${url}/user/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ users }),
      })
      const { created } = (await response.json()) as { created: number }
      if (!response.ok || created !== users.length)
        throw new Error(`POST /user/bulk: HTTP ${response.status}, ${created} of ${users.length} created.`)
    }
  }
  await Promise.all([loop(), loop()])
}
