// What goes over the wire about people and events, under the names that the dashboard has for it. The shapes are those of
// the OpenAPI document: nothing here can drift from what the server says.
import type { AnswerOf, Schemas } from './schemas.ts'

export type Page<T> = { items: T[]; nextCursor: string | null }

export type User = Schemas['User']
export type NewUser = Schemas['NewUser']
export type PersonRow = AnswerOf<'listPeople'>['items'][number]
export type Impact = AnswerOf<'changeUser'>
export type Move = Schemas['Move']

export type Event = Schemas['Event']
export type EventStatus = Event['status']
export type EventDetail = Schemas['EventWithAttempts']
export type RelatedEvent = Schemas['RelatedEvent']
export type Attempt = Schemas['Attempt']
export type AttemptOutcome = Attempt['outcome']
export type Explanation = Schemas['Explanation']
export type ReplayFilter = Partial<Schemas['Replays']>
export type ReplayResult = AnswerOf<'replayEvents'>
export type ReplayParts = Schemas['ReplayParts']

export type Today = Schemas['Today']
export type WaveStep = Today['wave'][number]
export type RecentEvent = Today['recent'][number]
export type Failures = AnswerOf<'readFailures'>
export type FailureGroup = Failures['groups'][number]
export type Upcoming = AnswerOf<'readUpcoming'>

export type Occasion = Schemas['Occasion']
export type OccasionInput = Schemas['NewOccasion']
export type Occurrence = Schemas['Occurrence']
export type Task = Schemas['Task']

export type Session = AnswerOf<'readSession'>
export type Scope = NonNullable<Session['scope']>
