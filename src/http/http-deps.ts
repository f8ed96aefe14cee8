// The dependencies of the HTTP API. Types only, so that handlers need not import the app that mounts them.

import type { KeysDeps } from '../app/access/api-keys.ts'
import type { Audit } from '../app/access/audit.ts'
import type { AppDeps } from '../app/app-deps.ts'
import type { ChannelsDeps } from '../app/channels/channels.ts'
import type { Setting } from '../domain/settings/setting.ts'
import type { Store } from '../ports/store.ts'
import type { WebFiles } from './dashboard/web-files.ts'
import type { Inbox } from './inbox/inbox.ts'
import type { Access } from './server/auth.ts'

export type HttpDeps = {
  app: AppDeps<Store>
  channels: ChannelsDeps
  keys: KeysDeps
  access: Access
  audit: Audit
  /** Null where there is no built-in inbox, as in production. */
  inbox: Inbox | null
  /** The files of the dashboard; absent where it is not served. */
  web?: WebFiles | null
  /** Whether to compress the reference and the OpenAPI document. Cloudflare compresses responses itself. */
  compresses?: boolean
  /** The shortest wait before each retry, in milliseconds. */
  retries?: readonly number[]
  /** The settings of the process, secrets masked. */
  settings: readonly Setting[]
  version: string
  /** The metrics in Prometheus format; null where there are none. */
  metrics: { contentType: string; render(): Promise<string> } | null
  /** Throws if the service cannot do its work. */
  ready: () => Promise<void>
  /** Called with every unexpected error. No part of it reaches the caller. */
  onError: (error: unknown) => void
}
