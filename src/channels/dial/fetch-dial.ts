// The dial of runtimes that have `fetch` and no sockets. The platform resolves names, so only the host in the URL can be checked.
import { type Dial, type Fetch, ForbiddenTarget, type Guard } from './dial.ts'
import { whatIsBlocked } from './target.ts'

export function createFetchDial(fetch: Fetch, guard: Guard): Dial {
  const guarded: Fetch = async (url, init) => {
    const what = whatIsBlocked(new URL(url).hostname, guard)
    if (what !== null) throw new ForbiddenTarget(`is ${what}`, true)
    return fetch(url, init)
  }
  return { fetch: guarded } as Dial
}
