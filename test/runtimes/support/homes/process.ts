// A home that is a Node process: it serves HTTP and polls for due events by itself.
import { KEY } from '../../../support/workerd/terce.ts'
import type { Home } from '../scenario-steps.ts'
import { startTerce, type TerceProcess } from '../terce-process.ts'

export async function openProcess(
  env: Record<string, string>,
  removeDatabase: () => Promise<unknown>,
): Promise<Home> {
  let running: TerceProcess = await startTerce(env)
  const stop = async () => void (await running.kill('SIGKILL'))
  return {
    async request(method, path, body) {
      const response = await fetch(`${running.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${KEY}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    },
    tick: async () => {},
    stop,
    start: async () => {
      running = await startTerce(env)
    },
    remove: async () => {
      await stop()
      await removeDatabase()
    },
  }
}
