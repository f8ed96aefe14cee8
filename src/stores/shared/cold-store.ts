// The part of a store that is the same in both dialects: settings, and reads of users, occasions, tasks and events.
import type { Store } from '../../ports/store.ts'
import { auditOperations } from './access/audit.ts'
import { dismissalOperations } from './dashboard/dismissals.ts'
import { workerOperations } from './dashboard/workers.ts'
import type { Shared } from './database.ts'
import { destinationOperations } from './destinations.ts'
import { type EventSource, findEvent } from './events/events.ts'
import { listEvents } from './events/list.ts'
import { listMoves } from './events/moves.ts'
import { limitOperations } from './limits.ts'
import {
  findOccasion,
  findUser,
  findUsersByExternalId,
  listOccasionTypes,
  listPeople,
  listUsers,
  type ReadPlans,
  readPerson,
} from './people/people.ts'
import { settingsOperations } from './settings.ts'
import { findTask, listTasks } from './tasks.ts'

/** Reads that take long may have their own connection. */
export type Reads = { shared: Shared; events: EventSource; readPlans: ReadPlans }

export function coldOperations(quick: Reads, slow: Reads = quick) {
  const { shared } = quick
  return {
    ...settingsOperations(shared),
    ...destinationOperations(shared),
    ...limitOperations(shared),
    ...workerOperations(shared),
    ...dismissalOperations(shared),
    ...auditOperations(shared),
    findUser: (userId) => findUser(shared, userId),
    findUsersByExternalId: (externalIds) => findUsersByExternalId(shared, externalIds),
    listUsers: (query) => listUsers(slow.shared, query),
    readPerson: (userId) => readPerson(shared, quick.readPlans, userId),
    listPeople: (query) => listPeople(slow.shared, slow.readPlans, query),
    findOccasion: (occasionId) => findOccasion(shared, occasionId),
    listOccasionTypes: () => listOccasionTypes(slow.shared),
    findTask: (taskId) => findTask(shared, taskId),
    listTasks: (query) => listTasks(slow.shared, query),
    findEvent: (eventId) => findEvent(shared, quick.events, eventId),
    listEvents: (query) => listEvents(slow.shared, slow.events, query),
    listMoves: (of) => listMoves(shared, of),
  } satisfies Partial<Store>
}
