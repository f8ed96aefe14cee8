// The groups of operations in the order in which a reader needs them, and the calls that most readers need.

export const TAGS = [
  { name: 'People', description: 'Create, change, import and export people.' },
  { name: 'Events', description: 'Messages: scheduled, delivered and failed; replays.' },
  { name: 'Occasions', description: 'Birthdays, anniversaries and other recurring dates.' },
  { name: 'Tasks', description: 'Reminders before something is due.' },
  { name: 'Channels', description: 'Where messages are sent: webhooks and e-mail.' },
  { name: 'Templates', description: 'The texts of messages.' },
  { name: 'Timezones', description: 'The timezone data, and replanning after a change of it.' },
  {
    name: 'Ledger',
    description: 'The account of each day: what was due, what became of it, and who could be missed.',
  },
  { name: 'Calendar feeds', description: 'Upcoming messages in a calendar app.' },
  { name: 'API keys', description: 'Who may call the API.' },
  { name: 'Audit', description: 'Who changed what.' },
  { name: 'Dashboard', description: 'Sign-in, the data of the dashboard, bulk actions.' },
  { name: 'Inbox (development)', description: 'The built-in receiver, for trying Terce out.' },
  { name: 'Service', description: 'Health, metrics, settings and this reference.' },
] as const

export type Tag = (typeof TAGS)[number]['name']

/** By operation id. */
export const COMMON_CALLS = [
  'createUser',
  'changeUser',
  'listEvents',
  'explainEvent',
  'replayEvent',
  'createOccasion',
  'deleteUser',
]
