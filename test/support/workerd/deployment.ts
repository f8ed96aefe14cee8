// Reads deploy/cloudflare/wrangler.jsonc, so that tests run workers with their deployed settings.
import { readFileSync } from 'node:fs'

export type Consumer = {
  queue: string
  max_batch_size: number
  max_batch_timeout: number
  max_retries: number
  dead_letter_queue?: string
}

export type Deployment = {
  main: string
  compatibility_date: string
  compatibility_flags: string[]
  triggers: { crons: string[] }
  d1_databases: { binding: string; database_name: string; migrations_dir: string }[]
  analytics_engine_datasets: { binding: string; dataset: string }[]
  queues: { producers: { binding: string; queue: string }[]; consumers: Consumer[] }
}

export const WRANGLER_FILE = new URL('../../../deploy/cloudflare/wrangler.jsonc', import.meta.url)

export const DEPLOYMENT: Deployment = read(WRANGLER_FILE)

function read<T>(file: URL): T {
  return JSON.parse(readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, ''))
}

export const COMPATIBILITY = {
  compatibilityDate: DEPLOYMENT.compatibility_date,
  compatibilityFlags: DEPLOYMENT.compatibility_flags,
}

/** Options of a client of workerd, which closes an idle connection while a busy machine sends the next request on it. */
export const ONE_REQUEST_EACH = { pipelining: 0 }
