// Every table of the documents is compared with the code by a test, or has a reason why it is not.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tablesIn } from '../support/tables.ts'

const ROOT = new URL('../../../', import.meta.url).pathname

/** By page and header: the test that compares the table, or `no:` and the reason. */
const TABLES: Record<string, Record<string, string>> = {
  'README.md': {
    'the same work | Terce | pg-boss | graphile-worker': 'test/bench/readme.test.ts',
    'the queue alone | Terce | pg-boss | graphile-worker | BullMQ ¹': 'test/bench/readme.test.ts',
    'runtime | database | queue | finds due events |': 'test/runtimes/scenario.long.test.ts',
  },
  'docs/architecture.md': {
    'folder | contents | may import': 'test/docs/tables/layout.test.ts',
    'outcome of an attempt | the event | counts as a retry': 'test/docs/tables/outcomes.test.ts',
    'question | file': 'test/docs/architecture.test.ts',
  },
  'docs/cli.md': {
    'command | purpose': 'test/docs/tables/layout.test.ts',
    'check | fails | warns': 'test/docs/cli.test.ts',
  },
  'docs/client.md': { 'object | methods': 'test/docs/cli.test.ts' },
  'docs/comparison.md': {
    '| cron and a queue | Temporal Schedules | a marketing tool | Terce': 'no: prose that compares tools',
  },
  'docs/data-model.md': { 'table | key | purpose': 'test/docs/architecture.test.ts' },
  'docs/deploy-aws.md': {
    'parameter | default | meaning': 'test/runtimes/aws/template.test.ts',
    'alarm | meaning': 'test/runtimes/aws/template.test.ts',
    'limit of AWS | arithmetic | effect': 'no: limits of AWS',
    'people | functions and queues | CloudWatch | NAT gateway | database | a month': 'no: arithmetic',
  },
  'docs/deploy-cloudflare.md': {
    'setting | on Cloudflare': 'test/docs/tables/settings.test.ts',
    'failure | effect': 'test/simulation/simulation.test.ts',
    'operation | per second': 'no: measured by bench/cloudflare.ts',
    'column | content': 'test/deploy/cloudflare-dashboard.test.ts',
    'alert | query | log line': 'test/deploy/cloudflare-dashboard.test.ts',
    'limit | Workers Paid | effect': 'no: limits of Cloudflare',
    'people | events a month | stored | a month': 'no: arithmetic',
  },
  'docs/deploy-node.md': { 'file | purpose': 'test/deploy/compose.test.ts' },
  'docs/email.md': {
    'setting | kind | default | meaning': 'test/docs/tables/email.test.ts',
    'URL | effect': 'test/docs/email.test.ts',
    'result | effect': 'test/docs/tables/email.test.ts',
  },
  'docs/embed.md': {
    'call | in one transaction': 'test/library/terce.test.ts',
    'the call rejects with | meaning': 'test/library/current-call.test.ts',
    'a handler | the event': 'test/docs/tables/embed.test.ts',
    'framework | mounted by': 'test/docs/tables/embed.test.ts',
  },
  'docs/enqueue.md': { 'function | effect': 'test/docs/enqueue.test.ts' },
  'docs/glossary.md': {
    'status in the API | word in the dashboard | meaning': 'test/docs/operate.test.ts',
  },
  'docs/guarantees.md': {
    'reason | meaning': 'test/docs/tables/outcomes.test.ts',
    'change | takes effect on every worker within | the event': 'test/engine/claims-ahead.test.ts',
  },
  'docs/import-export.md': { 'column | also | value': 'test/docs/import-export.test.ts' },
  'docs/ledger.md': {
    'what | command line | API | dashboard': 'test/docs/ledger.long.test.ts',
    'home | closes days': 'no: a summary; each home has a test of its own',
  },
  'docs/local-time.md': {
    'date, place | next occurrence after 15 November 2026 | instant (UTC)':
      'test/docs/tables/local-time.test.ts',
    'place | 2026 law | 09:00 on 15 December 2026 | Node 20 (tz 2025c) | Node 24.21 (tz 2026c)':
      'test/docs/tables/local-time.test.ts',
  },
  'docs/occasions.md': {
    'field | meaning | default': 'test/docs/tables/occasions.test.ts',
    '`calendar` | description | dates covered | name of an occurrence': 'test/docs/tables/occasions.test.ts',
    'calendar | the day | in a year without it': 'test/domain/calendars/calendars.test.ts',
  },
  'docs/monitor.md': {
    'message | action': 'test/docs/operate.test.ts',
    'metric | kind | labels | meaning': 'test/docs/operate.test.ts',
    'further metric | kind | labels | meaning': 'test/docs/operate.test.ts',
  },
  'docs/operate.md': {
    'command | purpose': 'test/docs/tables/layout.test.ts',
    'filter | values': 'test/docs/operate.test.ts',
    'where | what remains after the response | until':
      'no: prose about databases; the SQLite rows in test/runtimes/node/erasure.test.ts',
    'since the backup | after the restore':
      'no: as the lost writes in test/stores/postgres/lost-writes.test.ts',
  },
  'docs/outages.md': { 'where | while a destination is down': 'test/docs/operate.test.ts' },
  'docs/security.md': {
    'asset | where it is | what its loss means': 'no: prose, the threat model',
    'actor | can | must not | tests': 'test/docs/security-checklist.test.ts',
    'boundary | check': 'test/docs/security-checklist.test.ts',
    '| Node, SQLite | Node, PostgreSQL | Cloudflare Workers, D1 | AWS Lambda, PostgreSQL':
      'no: prose that compares the platforms',
  },
  'docs/security-asvs.md': {
    'heading | status | tests | remark': 'test/docs/security-checklist.test.ts',
  },
  'docs/postgresql.md': {
    'variable | default | meaning': 'test/docs/tables/settings.test.ts',
    '`sslmode` | encrypted | authority checked | host name checked':
      'test/runtimes/node/postgres-tls.test.ts',
    'event | outcome': 'no: prose; test/stores/postgres/standby.long.test.ts and test/chaos run each row',
    'lost write | outcome': 'test/stores/postgres/lost-writes.test.ts',
  },
  'docs/preview.md': {
    'people from | command | what is listed': 'test/cli/preview/preview.test.ts',
    'note | meaning': 'test/docs/tables/occasions.test.ts',
  },
  'docs/recipes.md': { 'in the job | in Terce': 'no: prose that compares a cron job' },
  'docs/scale.md': {
    '| closed | open': 'no: measured by bench/dashboard.ts',
    'during a spike | p50 | p99': 'no: measured by bench/dashboard.ts',
    'people | SQLite, 1 M | PostgreSQL, 1 M | PostgreSQL, 10 M | PostgreSQL, 30 M | goal':
      'test/bench/scale.test.ts',
  },
  'docs/settings.md': { 'variable | default | meaning': 'test/docs/tables/settings.test.ts' },
  'docs/simulation.md': { 'found by | bug | fix': 'no: a record of the past' },
  'docs/templates.md': {
    'limit | at most': 'test/docs/templates.test.ts',
    'type | built-in text': 'test/docs/templates.test.ts',
    'variable | example | meaning': 'test/docs/templates.test.ts',
  },
  'docs/testing.md': { 'call | effect': 'test/docs/testing.long.test.ts' },
  'docs/how-terce-is-tested.md': {
    'part | faults': 'test/chaos/chaos.long.test.ts',
    'rule | meaning': 'test/docs/tables/layout.test.ts',
  },
  'docs/webhooks.md': {
    'header | value': 'test/docs/tables/outcomes.test.ts',
    'response | effect': 'test/docs/webhook-responses.test.ts',
    'request | response | effect in Terce': 'test/docs/tables/outcomes.test.ts',
  },
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

it.each(pages)('%s has no table without a test that compares it, or a reason', (page) => {
  const found = tablesIn(readFileSync(ROOT + page, 'utf8')).map(({ header }) => header.join(' | ').trim())
  expect(found.sort()).toEqual(Object.keys(TABLES[page] ?? {}).sort())
})

it('the tests that compare tables exist', () => {
  const tests = Object.values(TABLES)
    .flatMap((tables) => Object.values(tables))
    .filter((text) => !text.startsWith('no: '))
  expect(tests.filter((test) => !existsSync(ROOT + test))).toEqual([])
})
