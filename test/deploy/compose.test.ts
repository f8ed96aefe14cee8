// The compose file: its settings start Terce with signed deliveries, and its containers have no rights they do not need.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/runtimes/config/config.ts'
import { expectDocumented, GIVEN, PASSED, PINNED_IMAGE, readRoot } from './support/deploy-files.ts'

const FILE = new URL('../../deploy/node/compose.yaml', import.meta.url)
const text = readRoot('deploy/node/compose.yaml')
const compose = parse(text, { merge: true })
const { api, worker, postgres, migrate } = compose.services

/** What compose makes of ${NAME:?}: the value, or an error if there is none; of ${NAME:-} without a value: nothing. */
function interpolate(value: string): string {
  return value.replace(/\$\{\w+:-\}/g, '').replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => {
    expect(GIVEN, `${name} has a value in this test`).toHaveProperty(name)
    return GIVEN[name]!
  })
}

describe('the compose file', () => {
  it('starts an API and workers after PostgreSQL is healthy, with documented settings', () => {
    expect([api.command, worker.command]).toEqual([['api'], ['worker']])
    for (const { environment, depends_on, build } of [api, worker]) {
      expectDocumented(Object.keys(environment))
      expect(depends_on.migrate.condition).toBe('service_completed_successfully')
      expect(build.dockerfile).toBe('deploy/node/Dockerfile')
    }
    expect(migrate.depends_on.postgres.condition).toBe('service_healthy')
    expect(postgres.healthcheck.test.join(' ')).toContain('pg_isready')
    expect(worker.stop_grace_period).toBe('20s')
  })

  it('passes the URL and the secret of the webhook and the key of the secrets, so that deliveries are signed', () => {
    for (const { environment } of [api, worker]) {
      expect(Object.keys(environment)).toEqual(expect.arrayContaining(PASSED))
      const entries = Object.entries<string>(environment)
      const config = readConfig(
        Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value)])),
      )
      expect(config.webhookUrl).toBe(GIVEN.WEBHOOK_URL)
      expect(config.webhookSecrets).toEqual([GIVEN.WEBHOOK_SECRET])
      expect(config.secretKeys).toEqual([Buffer.alloc(32, 7)])
    }
  })

  it('migrates as a role that owns the tables and is no superuser, runs as one that owns nothing, and gives API keys to the API alone', () => {
    const userOf = ({ environment }: { environment: Record<string, string> }) =>
      new URL(interpolate(environment.DATABASE_URL!)).username
    expect([migrate, api, worker].map(userOf)).toEqual(['terce_owner', 'terce_app', 'terce_app'])
    // The superuser is that of the image, which no service connects as.
    expect(postgres.environment.POSTGRES_USER).toBeUndefined()
    expect(Object.keys(migrate.environment)).toEqual(['DATABASE_URL'])
    expect('TERCE_API_KEYS' in api.environment).toBe(true)
    expect('TERCE_API_KEYS' in worker.environment).toBe(false)
    const [, script] = /<<'SQL'\n([\s\S]*)SQL\n/.exec(readRoot('deploy/node/postgres-roles.sh'))!
    const [, documented] = /```sql\n(CREATE ROLE terce_owner[\s\S]*?)```/.exec(
      readRoot('docs/postgresql.md'),
    )!
    const [noLogin, ...others] = script!.replaceAll(/:'\w+'/g, "'secret'").split(/(?<=\n)/)
    expect(noLogin).toBe('ALTER ROLE CURRENT_USER PASSWORD NULL;\n')
    expect(others.join('')).toBe(documented)
    expect(postgres.volumes).toContain('./postgres-roles.sh:/docker-entrypoint-initdb.d/postgres-roles.sh:ro')
  })

  it('does not start while a secret is missing, and contains none', () => {
    const values = [api, worker, migrate, postgres].flatMap(({ environment }) =>
      Object.entries<string>(environment),
    )
    for (const [name, value] of values)
      if (name !== 'PUBLIC_URL' && /SECRET|KEY|PASSWORD|URL/.test(name))
        expect(value, name).toMatch(/\$\{\w+:\?/)
  })

  it('passes the public URL and the trusted proxies to the API, and starts without them', () => {
    const { PUBLIC_URL, TRUSTED_PROXIES } = api.environment
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of compose
    expect([PUBLIC_URL, TRUSTED_PROXIES]).toEqual(['${PUBLIC_URL:-}', '${TRUSTED_PROXIES:-}'])
  })

  it('names in its first lines every variable that it needs', () => {
    const needed = new Set([...text.matchAll(/\$\{(\w+):[?-]/g)].map(([, name]) => name!))
    const head = text.slice(0, text.indexOf('services:'))
    for (const name of needed) expect(head).toContain(name)
  })

  it('pulls PostgreSQL by digest', () => {
    expect(postgres.image).toMatch(PINNED_IMAGE)
    expect(postgres.image).toMatch(/^postgres:18\./)
  })

  for (const name of ['api', 'worker', 'migrate', 'postgres']) {
    it(`gives ${name} a read-only root, no capability, no new privileges, and limits`, () => {
      const service = compose.services[name]
      expect(service.read_only).toBe(true)
      expect(service.cap_drop).toEqual(['ALL'])
      expect(service.cap_add).toBeUndefined()
      expect(service.security_opt).toEqual(['no-new-privileges:true'])
      expect(service.tmpfs.map((mount: string) => mount.split(':')[0])).toContain('/tmp')
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.pids_limit).toBeGreaterThan(0)
    })
  }

  it('runs PostgreSQL without root, on a network that does not reach the internet', () => {
    expect(postgres.user).toBe('postgres')
    expect(postgres.networks).toEqual(['database'])
    expect(compose.networks.database).toEqual({ internal: true })
    for (const { networks } of [api, worker]) expect(networks).toEqual(['default', 'database'])
    expect(postgres.ports).toBeUndefined()
  })

  it('passes docker compose config, and fails it while a secret is missing', ({ skip }) => {
    const programs = [['docker', 'compose'], ['docker-compose']]
    const found = programs.find(
      ([program, ...args]) => spawnSync(program!, [...args, 'version']).status === 0,
    )
    skip(found === undefined, 'neither docker compose nor docker-compose is installed')
    const [program, ...args] = [...found!, '-f', fileURLToPath(FILE), 'config', '--quiet']
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, ...GIVEN }
    const { status, stderr } = spawnSync(program!, args, { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const without = spawnSync(program!, args, {
      env: { ...env, TERCE_SECRET_KEY: undefined },
      encoding: 'utf8',
    })
    expect(without.status).not.toBe(0)
    expect(without.stderr).toContain('TERCE_SECRET_KEY')
  })

  it('publishes the API on this machine alone', () => {
    expect(api.ports).toEqual(['127.0.0.1:3000:3000'])
    expect(worker.ports).toBeUndefined()
  })
})
