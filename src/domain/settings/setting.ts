// A setting of the process as operators see it: its value as text, and where the value comes from. Never shows a secret.

export type Setting = {
  /** The name of the environment variable. */
  name: string
  /** Null if it is not set and has no default. Secrets are masked. */
  value: string | null
  source: 'default' | 'environment'
}

const SECRETS: ReadonlySet<string> = new Set([
  'TERCE_SECRET_KEY',
  'WEBHOOK_SECRET',
  'TERCE_API_KEYS',
  'METRICS_KEY',
  'HEARTBEAT_URL',
  'REPORT_TO',
])

/** The value without its secrets. A URL can have a password before its host, and a token in its query. */
export function masked(name: string, value: string): string {
  if (SECRETS.has(name)) return '***'
  // Up to the last @: a password that was not encoded may contain an @ or a slash.
  return value.replace(/\/\/.*@/s, '//***@').replace(/(\/\/[^?]*)\?.*/s, '$1?***')
}
