// Types of the API for people and events, under the names of the dashboard. Derived from the OpenAPI document, so that
// they cannot drift from the server.
import type { ResponseOf, Schemas } from './schemas.ts'

export type Page<T> = { items: T[]; nextCursor: string | null }

export type User = Schemas['User']
export type NewUser = Schemas['NewUser']
/** A person in a list, with the next and the last message. */
export type ListedUser = Schemas['ListedUser']
export type Move = Schemas['Move']

export type Event = Schemas['Event']
/** An event in a list, with the name of its person. */
export type ListedEvent = Schemas['ListedEvent']
export type EventStatus = Event['status']
/** The filters of a list of events. */
export type EventFilter = {
  order?: 'newest'
  /** One, or several with commas between them. */
  status?: string
  id?: string
  idempotencyKey?: string
  type?: string
  channel?: string
  exactReason?: string
  unresolved?: 'true'
  dueFrom?: string
  dueBefore?: string
  settledFrom?: string
  settledBefore?: string
  unknownFrom?: string
  limit?: number
}
/** Of one person, or of all people. */
export type EventsRequest = { userId: string | null; filter: EventFilter }

export type EventDetail = Schemas['EventWithAttempts']
export type RelatedEvent = Schemas['RelatedEvent']
export type Attempt = Schemas['Attempt']
export type Explanation = Schemas['Explanation']
export type ReplayFilter = Partial<Schemas['Replays']>
export type ReplayResult = ResponseOf<'replayEvents'>
export type ReplayParts = Schemas['ReplayParts']

export type Today = Schemas['Today']
export type StoppedChannel = Today['stoppedChannels'][number]
export type WaveStep = Today['wave'][number]
export type RecentEvent = Today['recent'][number]
export type Failures = ResponseOf<'readFailures'>
export type FailureGroup = Failures['groups'][number]
export type Upcoming = ResponseOf<'readUpcoming'>

export type LedgerDay = Schemas['LedgerDay']
export type LedgerLine = Schemas['LedgerLine']

export type Occasion = Schemas['Occasion']
export type OccasionInput = Schemas['NewOccasion']
export type Task = Schemas['Task']

export type Session = ResponseOf<'readSession'>
export type Scope = NonNullable<Session['scope']>
