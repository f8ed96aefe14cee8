// The part of workerd's own module that is used here.
declare module 'cloudflare:workers' {
  /** Keeps the call that is being answered alive until the promise ends. */
  export function waitUntil(promise: Promise<unknown>): void
}
