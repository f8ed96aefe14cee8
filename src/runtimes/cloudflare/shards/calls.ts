// Store calls by RPC.
import { RowsLockedError, StoreUnavailableError } from '../../../domain/errors.ts'
import type { Store } from '../../../ports/store.ts'
import type { Reply, StoreStub } from './object.ts'

/** Every method of the store, with true for one after which an event may be due earlier than before. */
const METHODS: Readonly<Record<keyof Store, boolean>> = {
  appendAuditEntry: false,
  check: false,
  claimDue: false,
  close: false,
  closeLedgerDay: false,
  confirmClaims: false,
  countByTimezone: false,
  countFailures: false,
  countOverdue: false,
  countParked: false,
  countPrunable: false,
  countUpcoming: false,
  createApiKey: false,
  createFeed: false,
  createMonths: false,
  createSession: false,
  createUsers: true,
  deleteUser: false,
  extendLeases: false,
  findAccounts: false,
  findDeletions: false,
  findEvent: false,
  findFeed: false,
  findLedgerLines: false,
  findOccasion: false,
  findResponse: false,
  findTask: false,
  findUser: false,
  findUsersByExternalId: false,
  foldUsers: false,
  isChannelUsed: false,
  lastAuditEntry: false,
  lastAuditEntryBefore: false,
  listApiKeys: false,
  listAuditEntries: false,
  listChannels: false,
  listEvents: false,
  listFeeds: false,
  listLedgerDays: false,
  listLedgerKeys: false,
  listLedgerLines: false,
  listMoves: false,
  listOccasionTypes: false,
  listOpenPlans: false,
  listOutdatedPlans: false,
  listPeople: false,
  listSessions: false,
  listTasks: false,
  listTemplates: false,
  listUpcoming: false,
  listUsers: false,
  listVanished: false,
  listWorkers: false,
  listZones: false,
  markLedgerAlarm: false,
  markRecovered: false,
  nextWakeAt: false,
  openLedgerDay: false,
  overview: false,
  prune: false,
  pruneLedger: false,
  pruneMonths: false,
  pulse: false,
  readAccounts: false,
  readAuditEntries: false,
  readClaims: false,
  readJournal: false,
  readPerson: false,
  recordLimits: false,
  recordWorker: false,
  removeAuditEntries: false,
  removeChannel: false,
  removeFeed: false,
  removeOccasion: false,
  removeOldResponses: false,
  removeOldSessions: false,
  removeSession: false,
  removeTemplate: false,
  removeWorker: false,
  replan: true,
  replay: true,
  replayOutlook: false,
  revokeApiKey: false,
  saveAccountPage: false,
  saveChannel: false,
  saveLedgerKey: false,
  saveOccasion: true,
  saveReplanCursor: false,
  saveTemplate: false,
  saveZones: false,
  setChannelStatus: false,
  settle: true,
  touchApiKeys: false,
  touchSessions: false,
  updateUser: true,
  wakeParked: true,
}

export const mayPlan = (method: keyof Store): boolean => METHODS[method]

/** Runs the call in the object. */
export async function replyTo(store: Store, method: keyof Store, args: readonly unknown[]): Promise<Reply> {
  try {
    return { value: await (store[method] as (...args: readonly unknown[]) => unknown)(...args) }
  } catch (error) {
    const { name, message, code } = error as Error & { code?: unknown }
    return { error: { name, message, code: typeof code === 'string' ? code : null } }
  }
}

/** The store of an object, for its callers. `claimDue` is missing: its callback renders inside of the object. */
export function remoteStore(stub: () => StoreStub, shards?: number): Store {
  const calls = (Object.keys(METHODS) as (keyof Store)[]).map((method) => [
    method,
    async (...args: unknown[]) => unwrap(await stub().call(method, args, shards).catch(rejectUnreachable)),
  ])
  return {
    ...Object.fromEntries(calls),
    claimDue: async () => {
      throw new Error('Only a shard claims its events.')
    },
    close: async () => {},
    // Its callback cannot be sent, and the store of an object has one table for all months.
    pruneMonths: async () => {},
  }
}

function unwrap(reply: Reply): unknown {
  if (!('error' in reply)) return reply.value
  const { name, message, code } = reply.error
  const error = Object.assign(new Error(message), code === null ? {} : { code })
  error.name = name
  const type = name === 'StoreUnavailableError' ? StoreUnavailableError : RowsLockedError
  // Without its constructor: the message is complete.
  throw name === type.name ? Object.setPrototypeOf(error, type.prototype) : error
}

/** The call itself failed: the object restarts, is overloaded, or cannot be reached. */
export function rejectUnreachable(error: unknown): never {
  throw new StoreUnavailableError('The database cannot be reached', 'OBJECT_UNREACHABLE', error)
}
