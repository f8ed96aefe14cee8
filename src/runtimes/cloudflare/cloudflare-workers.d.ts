// The part of workerd's built-in module that Terce uses.
declare module 'cloudflare:workers' {
  /** Keeps the current call alive until the promise settles. */
  export function waitUntil(promise: Promise<unknown>): void
}
