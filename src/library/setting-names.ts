// The settings that createTerce takes: those of the server that have an effect in a process of an application. The database has options
// of its own.

export const SETTING_NAMES = [
  'ALLOW_PRIVATE_TARGETS',
  'CATCH_UP_WINDOW',
  'CONCURRENCY',
  'DATABASE_CONNECTIONS',
  'DATABASE_LISTEN_URL',
  'DELIVER_AT',
  'EMAIL_TIMEOUT_MS',
  'KEEP_RESPONSES',
  'LATENESS',
  'LEASE_MS',
  'LOG_ATTEMPTS',
  'LOG_LEVEL',
  'NOT_AFTER',
  'PUBLIC_URL',
  'QUIET_HOURS',
  'RATE_LIMIT',
  'REPORT_TO',
  'RETRY',
  'TERCE_API_KEYS',
  'TERCE_SECRET_KEY',
  'TERCE_TZDB',
  'TRUSTED_PROXIES',
  'WEBHOOK_SECRET',
  'WEBHOOK_TIMEOUT_MS',
  'WEBHOOK_URL',
] as const

export type SettingName = (typeof SETTING_NAMES)[number]
