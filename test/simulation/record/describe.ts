// Describes a run in plain lines, for a person who has to understand it.
import { describeQueue, describeQueueEntry, describeQueueFault, refs } from '../queue/describe.ts'
import type { Run } from '../run.ts'
import type { BirthdayPlan, CallFault, ChannelPlan, Chore, Edit, Fault, Scenario } from '../scenario.ts'
import type { Entry, Row, RowChange } from './trace.ts'

export function describeRun({ scenario, trace, violation }: Run): string[] {
  const lines = ['The scenario:', ...describeScenario(scenario).map(indent), 'What happened:']
  for (const entry of trace)
    lines.push(...describeEntry(entry).map((line) => indent(`${instant(entry.at)}  ${line}`)))
  if (violation !== null) {
    lines.push(`Broken at ${instant(violation.at)}: ${violation.rule}.`)
    lines.push(indent(violation.description), indent(violation.detail))
  }
  return withShortNames(lines)
}

/** Ids are long and look alike: the first event of a run is called `event-1`, and so on. */
function withShortNames(lines: readonly string[]): string[] {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return lines.map((line) => {
    for (const [, table, id] of line.matchAll(/\+ (users|occasions|events|channels) ([0-9a-f-]{36})/g)) {
      const count = (counts.get(table!) ?? 0) + 1
      counts.set(table!, count)
      names.set(id!, `${table!.slice(0, -1)}-${count}`)
    }
    return line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => names.get(id) ?? id)
  })
}

function describeScenario(scenario: Scenario): string[] {
  const { from, faultsEndAt, channels, workers, queue, edits, chores, faults } = scenario
  const { operatorDelayMs, databaseBehindMs, lateness, wakeUpsGetLost } = scenario
  return [
    `from ${instant(from)} to ${instant(faultsEndAt)}, then no faults`,
    ...channels.map((channel, i) => `channel ${i + 1}: ${describeChannel(channel)}`),
    `the operator releases a channel after ${operatorDelayMs.HELD} ms if held, ${operatorDelayMs.DISABLED} ms if disabled`,
    ...(queue === undefined ? [] : describeQueue(queue)),
    ...workers.map(({ skewMs }, i) => `worker ${i + 1}, its clock ${skew(skewMs)}`),
    ...(databaseBehindMs > 0 ? [`the database’s clock ${databaseBehindMs} ms behind`] : []),
    ...Object.entries(lateness).map(
      ([type, { belatedAfterMs, missedAfterMs }]) =>
        `${type} belated after ${belatedAfterMs ?? 'no number of'} ms, not sent after ${missedAfterMs ?? 'no number of'} ms`,
    ),
    ...(wakeUpsGetLost ? ['some wake-ups of workers get lost'] : []),
    ...edits.map((edit) => `${instant(edit.at)}  ${describeEdit(edit)}`),
    ...chores.map((chore) => `${instant(chore.at)}  ${describeChore(chore)}`),
    ...scenario.upgrades.map(
      ({ at, who, release }) =>
        `${instant(at)}  ${who === 'api' ? 'the API' : `worker ${who + 1}`} gets the timezones of ${release}`,
    ),
    ...faults.map((fault) => `${instant(fault.at)}  ${describeFault(fault)}`),
  ]
}

function skew(ms: number): string {
  if (ms === 0) return 'right'
  return ms > 0 ? `${ms} ms ahead` : `${-ms} ms behind`
}

function describeEdit(edit: Edit): string {
  const input = 'input' in edit ? ` ${JSON.stringify(edit.input)}` : ''
  const birthday = 'birthday' in edit ? ` ${describeBirthday(edit.birthday)}` : ''
  const number = 'occasion' in edit ? (edit.occasion ?? 'BIRTHDAY') : 'task' in edit ? edit.task : null
  const which = number === null ? '' : ` ${number}`
  const asked = 'plan' in edit ? edit.plan : 'change' in edit ? edit.change : null
  return `person ${edit.person}: ${edit.kind}${which}${input}${birthday}${asked === null ? '' : ` ${JSON.stringify(asked)}`}`
}

function describeBirthday({ channel, notAfter }: BirthdayPlan): string {
  const where = channel === null ? 'the default channel' : `channel ${channel + 1}`
  return `by ${where}${notAfter === null ? '' : `, not after ${notAfter}`}`
}

function describeChannel({ kind, perSecond, concurrency }: ChannelPlan): string {
  return `${kind}, ${perSecond ?? 'any number'} a second, ${concurrency ?? 'any number'} at once`
}

function describeChore(chore: Chore): string {
  switch (chore.kind) {
    case 'prune':
      return `history older than ${chore.olderThanMs} ms is removed`
    case 'replay':
      return `some failed events are replayed, under ${chore.ownKey ? 'new keys' : 'their old keys'}`
    case 'stop channel':
      return `channel ${chore.channel + 1} is set to ${chore.status}${chore.forMs ? ` for ${chore.forMs} ms` : ''}`
    case 'name default':
      return `channel ${chore.channel + 1} becomes the default`
    case 'send time':
      return `the occasions ${chore.from ? `of ${chore.from}` : 'of all times'} move to ${chore.localTime}`
    case 'write':
      return `the text for ${chore.language || 'everybody'}: ${JSON.stringify(chore.template)}`
  }
}

function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'reply':
      return `channel ${fault.channel + 1}, ${fault.times} times: ${JSON.stringify(fault.reply)}`
    case 'down':
      return `channel ${fault.channel + 1}, for ${fault.forMs} ms: ${JSON.stringify(fault.reply)}`
    case 'stop':
      return `worker ${fault.who + 1} receives SIGTERM, back after ${fault.downMs} ms`
    case 'clock':
      return `the clock of worker ${fault.who + 1} is set: ${skew(fault.skewMs)}`
    case 'clock jump':
      return `the clocks of all workers are set forward by ${fault.aheadMs} ms, and back after ${fault.forMs} ms`
    case 'outage':
      return `every worker dies, back after ${fault.forMs} ms`
    case 'handler':
      return `the next ${fault.times} handlers: ${fault.how}${fault.how === 'slow' ? `, ${fault.ms} ms` : ''}`
    case 'message':
    case 'no runs':
    case 'extra run':
      return describeQueueFault(fault)
    case 'crash':
      return `${where(fault)}: it crashes, back after ${fault.downMs} ms`
    case 'pause':
      return `${where(fault)}: it pauses for ${fault.forMs} ms`
    case 'failure':
      return `${where(fault)}: the call fails, ${fault.times} times`
  }
}

function where({ who, stage, op }: CallFault): string {
  const call = op === 'any' ? 'the next call' : `the next ${op}`
  return `${stage} ${call} of ${typeof who === 'number' ? `worker ${who + 1}` : CALLER[who]}`
}

const CALLER = { api: 'the API', cron: 'the scheduler' }

function describeEntry(entry: Entry): string[] {
  switch (entry.kind) {
    case 'requested':
      return [`${entry.who} calls ${entry.op} for ${refs(entry.refs)}`]
    case 'responded':
      return []
    case 'claimed':
      return [`${entry.who} claimed ${refs(entry.refs)}`]
    case 'commit':
      return entry.rows.map((row) => `${entry.who} ${entry.op}: ${describeRow(row)}`)
    case 'read':
      return [
        `${entry.who} reads ${entry.channels.map(({ id, status, isDefault }) => `${id} ${status}${isDefault ? ', the default' : ''}`).join('; ')}`,
      ]
    case 'send':
      return [`${entry.who} sends ${entry.eventId} to ${entry.channel}`]
    case 'arrival':
      return [
        `${entry.eventId} reaches ${entry.channel} under ${entry.key}: ${entry.reply}`,
        `  ${entry.body}`,
      ]
    case 'lost':
      return [`${entry.eventId} is lost before it reaches ${entry.channel}: ${entry.reply}`]
    case 'result':
      return [`${entry.who} gets the result of ${entry.eventId}: ${entry.error ?? entry.statusCode}`]
    case 'edit':
      return [`${describeEdit(entry.edit)} -> ${entry.result}`]
    case 'lifecycle':
      return [`${entry.who} ${entry.what}${entry.forMs === undefined ? '' : ` for ${entry.forMs} ms`}`]
    case 'table':
      return [`${entry.who} has the timezones of ${entry.release}`]
    case 'replan':
      return [`${entry.who} ${entry.what} replanning`]
    case 'failure':
      return [`${entry.op} of ${entry.who} fails, ${entry.stage} it took effect`]
    case 'unexpected':
      return [`${entry.who} got an unexpected error during ${entry.during}: ${entry.error}`]
    case 'stale':
      return [`${entry.who} has lost ${entry.count} of its claims`]
    case 'account':
      return [`the ledger finds ${entry.problems.length} problems`, ...entry.problems]
    case 'end':
      return ['the end']
    default:
      return [describeQueueEntry(entry)]
  }
}

const HIDDEN_COLUMNS = [
  ...['id', 'event_id', 'created_at', 'updated_at', 'search_text', 'fingerprint'],
  ...['settings', 'secrets'],
]
const INSTANTS = [
  'target_at',
  'wake_at',
  'lease_until',
  'executed_at',
  'claimed_at',
  'started_at',
  'finished_at',
  'default_since',
  'due_at',
  'completed_at',
  'reminder_sent_at',
]

function describeRow({ table, before, after }: RowChange): string {
  const name = (row: Row) => `${table} ${row.id ?? row.event_id ?? ''}`
  if (before === null) return `+ ${name(after!)} ${fields(after!, Object.keys(after!))}`
  if (after === null) return `- ${name(before)}`
  return `~ ${name(after)} ${fields(
    after,
    Object.keys(after).filter((column) => before[column] !== after[column]),
  )}`
}

function fields(row: Row, columns: readonly string[]): string {
  return columns
    .filter((column) => row[column] !== null && !HIDDEN_COLUMNS.includes(column))
    .map((column) => {
      const value = row[column]!
      return `${column}=${INSTANTS.includes(column) ? instant(value as number) : value}`
    })
    .join(' ')
}

function instant(at: number): string {
  return new Date(at).toISOString()
}

function indent(line: string): string {
  return `  ${line}`
}
