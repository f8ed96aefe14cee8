// The worker processes that are alive, by their heartbeat.

export type WorkerSeen = { id: string; seenAt: number }

export type WorkerStore = {
  /** Records that a worker is alive, and removes the workers that were last seen before `expiredBefore`. */
  recordWorker(worker: WorkerSeen, expiredBefore: number): Promise<void>

  /** Removes a worker that has stopped; nothing happens if it is not recorded. */
  removeWorker(id: string): Promise<void>

  /** The workers that were seen at this instant or later, in order of id. */
  listWorkers(since: number): Promise<WorkerSeen[]>
}
