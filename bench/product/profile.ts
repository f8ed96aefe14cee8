// The CPU of a process by part: a sampled profile of its main thread, summed by package, by folder of src and by native function.

type Node = { id: number; callFrame: { functionName: string; url: string } }
export type Profile = { nodes: Node[]; samples: number[]; timeDeltas: number[] }

/** A start of a role with this environment has an inspector, whose address it prints to stderr. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** Starts to sample; the returned function ends it. */
export async function profile(inspectorUrl: string): Promise<() => Promise<Profile>> {
  const socket = new WebSocket(inspectorUrl)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`No inspector listens on ${inspectorUrl}.`))
  })
  let last = 0
  const call = (method: string, params = {}): Promise<unknown> => {
    last += 1
    const id = last
    const responded = new Promise((resolve) =>
      socket.addEventListener('message', function onMessage({ data }) {
        const response = JSON.parse(String(data))
        if (response.id !== id) return
        socket.removeEventListener('message', onMessage)
        resolve(response.result)
      }),
    )
    socket.send(JSON.stringify({ id, method, params }))
    return responded
  }
  await call('Profiler.enable')
  await call('Profiler.setSamplingInterval', { interval: 500 })
  await call('Profiler.start')
  return async () => {
    const { profile } = (await call('Profiler.stop')) as { profile: Profile }
    socket.close()
    return profile
  }
}

/** The share of each part in the time in which the thread was not idle, largest first. */
export function shares({ nodes, samples, timeDeltas }: Profile): [part: string, share: number][] {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const times = new Map<string, number>()
  let sum = 0
  samples.forEach((id, i) => {
    const part = parts.get(id)
    if (part === undefined || part === '(idle)') return
    // A sample stands for the time until the next one.
    const time = timeDeltas[i + 1] ?? 0
    times.set(part, (times.get(part) ?? 0) + time)
    sum += time
  })
  return [...times].map(([part, time]): [string, number] => [part, time / sum]).sort((a, b) => b[1] - a[1])
}

/** `src/engine/deliver`, `undici`, `node:internal/streams`, `native writev`, or `(garbage collector)`. */
function partOf({ functionName, url }: Node['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const own = /\/dist\/(.+)\/[^/]+$/.exec(url)
  if (own !== null && !own[1]!.includes('node_modules')) return `src/${own[1]}`
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url
}

/** A line for each part that takes at least a microsecond for each message. */
export function printParts(parts: readonly [string, number][], cpuUs: number): string {
  const lines = parts
    .map(([part, share]): [string, number] => [part, share * cpuUs])
    .filter(([, us]) => us >= 1)
    .map(([part, us]) => `  ${us.toFixed(1).padStart(6)}  ${part}`)
  const rest = parts.filter(([, share]) => share * cpuUs < 1).reduce((sum, [, share]) => sum + share, 0)
  return [...lines, `  ${(rest * cpuUs).toFixed(1).padStart(6)}  other parts`].join('\n')
}
