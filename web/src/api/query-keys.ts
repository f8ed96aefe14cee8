// Cache keys of queries, so that a change can invalidate them.

/** Names the mutation that creates the first API key: requests sent before it signs this browser in may be rejected. */
export const CREATE_FIRST_KEY = ['create-first-key']

export const KEYS = {
  session: ['session'],
  today: ['today'],
  people: ['people'],
  user: (id: string) => ['user', id],
  eventsOfUser: (id: string) => ['user', id, 'events'],
  occasions: (userId: string) => ['user', userId, 'occasions'],
  tasks: (userId: string) => ['user', userId, 'tasks'],
  events: ['events'],
  event: (id: string) => ['event', id],
  explanation: (id: string) => ['event', id, 'explanation'],
  failures: ['failures'],
  upcoming: ['upcoming'],
  ledger: ['ledger'],
  reportTarget: ['report-target'],
  channels: ['channels'],
  templates: ['templates'],
  occasionTypes: ['occasion-types'],
  settings: ['settings'],
  apiKeys: ['keys'],
  audit: ['audit'],
  inbox: ['inbox'],
  timezones: ['timezones'],
  feeds: ['feeds'],
} as const
