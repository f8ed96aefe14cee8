// The part of workerd's built-in module that Terce uses.
declare module 'cloudflare:workers' {
  /** Keeps the current call alive until the promise settles. */
  export function waitUntil(promise: Promise<unknown>): void

  /** An object has one instance at a time, with a database of its own. Its methods can be called by RPC. */
  export class DurableObject<Env = unknown, State = unknown> {
    protected ctx: State
    protected env: Env
    constructor(ctx: State, env: Env)
  }
}
