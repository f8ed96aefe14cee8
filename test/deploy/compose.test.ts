// The compose file: its settings start Terce with signed deliveries, and its containers have no rights they do not need.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { expectSigned, GIVEN, PINNED_IMAGE, readRoot, STOP_SECONDS } from './support/deploy-files.ts'
import { itWith } from './support/installed.ts'

const text = readRoot('deploy/node/compose.yaml')
const compose = parse(text, { merge: true })
const { api, worker, postgres, migrate } = compose.services

/** The environment as compose passes it: `${NAME:?}` is the value, or an error without one; `${NAME:-}` may have none. */
function settingsOf({ environment }: { environment: Record<string, string> }): Record<string, string> {
  const given = (value: string) =>
    value.replace(/\$\{\w+:-\}/g, '').replace(/\$\{(\w+):\?\}/g, (_, name: string) => GIVEN[name]!)
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, given(value)]))
}

it('compose starts the API and workers after the migration, and that after PostgreSQL is healthy', () => {
  expect([api.command, worker.command, migrate.command]).toEqual([['api'], ['worker'], ['migrate']])
  for (const { depends_on } of [api, worker])
    expect(depends_on.migrate.condition).toBe('service_completed_successfully')
  expect(migrate.depends_on.postgres.condition).toBe('service_healthy')
  expect(postgres.healthcheck.test.join(' ')).toContain('pg_isready')
})

it('compose restarts what ends, and gives a worker more time to stop than a process takes', () => {
  for (const { restart } of [api, worker, postgres]) expect(restart).toBe('unless-stopped')
  expect(Number.parseInt(worker.stop_grace_period, 10)).toBeGreaterThan(STOP_SECONDS)
})

it('compose passes the URL and the secret of the webhook and the key of the secrets, so that deliveries are signed', () => {
  for (const service of [api, worker]) expectSigned(settingsOf(service))
})

it('compose migrates as a role that owns the tables, runs as one that owns nothing, and gives API keys to the API alone', () => {
  const users = [migrate, api, worker].map((service) => new URL(settingsOf(service).DATABASE_URL!).username)
  expect(users).toEqual(['terce_owner', 'terce_app', 'terce_app'])
  const withKeys = [migrate, api, worker].map(({ environment }) => 'TERCE_API_KEYS' in environment)
  expect(withKeys).toEqual([false, true, false])
  // The script creates the roles as docs/postgresql.md does, and takes the password of the superuser away.
  const [, script] = /<<'SQL'\n([\s\S]*)SQL\n/.exec(readRoot('deploy/node/postgres-roles.sh'))!
  const [, sql] = /```sql\n(CREATE ROLE terce_owner[\s\S]*?)```/.exec(readRoot('docs/postgresql.md'))!
  const noLogin = 'ALTER ROLE CURRENT_USER PASSWORD NULL;\n'
  expect(script!.replaceAll(/:'\w+'/g, "'secret'")).toBe(noLogin + sql)
  expect(postgres.volumes).toContain('./postgres-roles.sh:/docker-entrypoint-initdb.d/postgres-roles.sh:ro')
})

it('compose contains no secret, and its first lines name every variable that it needs', () => {
  for (const { environment } of [api, worker, migrate, postgres])
    for (const [name, value] of Object.entries<string>(environment))
      if (name !== 'PUBLIC_URL' && /SECRET|KEY|PASSWORD|URL/.test(name))
        expect(value, name).toMatch(/\$\{\w+:\?/)
  const head = text.slice(0, text.indexOf('services:'))
  for (const [, name] of text.matchAll(/\$\{(\w+):[?-]/g)) expect(head).toContain(name)
})

it.each(['api', 'worker', 'migrate', 'postgres'])(
  'compose gives %s a read-only root, no capability, and limits',
  (name) => {
    const { tmpfs, ...service } = compose.services[name]
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      pids_limit: expect.any(Number),
    })
    expect(service.cap_add).toBeUndefined()
    expect(tmpfs).toContain('/tmp')
  },
)

it('compose pins PostgreSQL by digest, runs it without root and out of reach, and publishes the API on this machine alone', () => {
  expect(postgres.image).toMatch(PINNED_IMAGE)
  expect([postgres.user, postgres.networks, postgres.ports]).toEqual(['postgres', ['database'], undefined])
  expect(compose.networks.database).toEqual({ internal: true })
  expect(Object.keys(api.environment)).toEqual(expect.arrayContaining(['PUBLIC_URL', 'TRUSTED_PROXIES']))
  expect([api.ports, worker.ports]).toEqual([['127.0.0.1:3000:3000'], undefined])
})

itWith(
  'docker',
  'compose',
  'compose passes docker compose config, and fails it while a secret is missing',
  () => {
    const args = ['compose', '-f', 'deploy/node/compose.yaml', 'config', '--quiet']
    const { PATH, HOME } = process.env
    const config = (env: object) =>
      spawnSync('docker', args, { env: { PATH, HOME, ...env }, encoding: 'utf8' })
    expect(config(GIVEN)).toMatchObject({ status: 0, stderr: '' })
    expect(config({ ...GIVEN, TERCE_SECRET_KEY: undefined }).stderr).toContain('TERCE_SECRET_KEY')
  },
)
