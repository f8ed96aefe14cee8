// `terce keys`: a key is printed once, stored as a hash, listed without its value, and can be revoked.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createChannel } from '../../../src/app/channels/channels.ts'
import { addImport } from '../../../src/cli/commands/import.ts'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import { addPrune } from '../../../src/cli/commands/prune.ts'
import { addReplay } from '../../../src/cli/commands/replay.ts'
import { addTimezones } from '../../../src/cli/commands/tz.ts'
import { addKeys } from '../../../src/cli/keys/keys.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { channelsOf } from '../../../src/runtimes/shared/channels.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addKeys, addImport, addMigrate, addPrune, addReplay, addTimezones)
const keys = (...args: string[]) => database.terce(['keys', ...args])
const create = (...args: string[]) => keys('create', '--name', 'ci', '--scope', 'write', ...args)

describe('terce keys create', () => {
  it('prints a key of 256 bits on standard output, and stores only its hash', async () => {
    const { code, stdout, stderr } = await create()
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^terce_[\w-]{43}\n$/)])
    expect(stderr).toMatch(/\(write\) created\. It will not be shown again\./)
    const key = stdout.trim()
    for (const name of readdirSync(database.folder))
      expect(readFileSync(join(database.folder, name), 'latin1')).not.toContain(key)
    expect(await database.open().listApiKeys()).toMatchObject([
      { name: 'ci', scope: 'write', revokedAt: null },
    ])
  })

  it.each([
    [['--name', 'ci', '--scope', 'root'], /Use one of read, write, admin/],
    [['--name', ' ', '--scope', 'read'], /1 to 100 characters/],
    [['--name', 'a\u001b[2J', '--scope', 'read'], /control characters/],
    [['--scope', 'read'], /--name/],
    [['--name', 'ci', '--scope', 'read', '--expires', 'soon'], /such as 90d/],
    [['--name', 'ci', '--scope', 'read', '--expires', '0d'], /such as 90d/],
    [['--name', 'ci', '--scope', 'read', '--from', '10.0.0.1/8'], /such as 10\.0\.0\.0\/8/],
  ])('exits with 2 and one line for %j', async (args, why) => {
    const { code, stdout, stderr } = await keys('create', ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(why)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('terce keys create --expires and --from', () => {
  it('limit a key in time and to addresses, and the list shows both', async () => {
    const before = Date.now()
    const limits = ['--expires', '90d', '--from', '10.0.0.0/8, 192.0.2.7', '--from', '2001:db8::/32']
    const made = JSON.parse((await create(...limits, '--json')).stdout)
    const days = (Date.parse(made.expiresAt) - before) / 86_400_000
    expect([Math.round(days), made.allowedFrom]).toEqual([90, ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']])
    const { stdout } = await keys('list')
    expect(stdout).toContain(`never used  expires ${made.expiresAt}  from 10.0.0.0/8,192.0.2.7,2001:db8::/32`)
  })
})

describe('terce keys list and revoke', () => {
  it('says that there are no keys', async () => {
    await database.terce(['migrate'])
    const { code, stdout, stderr } = await keys('list')
    expect([code, stdout, stderr]).toEqual([0, '', expect.stringMatching(/^There are no keys/)])
  })

  it('list keys without their values, and revoke a key once', async () => {
    const made = JSON.parse((await create('--json')).stdout)
    const listed = await keys('list', '--json')
    const { key, dryRun: _, ...rest } = made
    expect(key).toMatch(/^terce_/)
    expect(JSON.parse(listed.stdout)).toEqual(rest)
    expect((await keys('list')).stdout).toMatch(new RegExp(`^${made.id}  write  ci  never used\\n$`))

    expect((await keys('revoke', made.id)).code).toBe(0)
    expect((await keys('list')).stdout).toMatch(/ci {2}revoked \d{4}-/)
    const again = await keys('revoke', made.id)
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/No active key /)])
  })
})

describe('terce keys --dry-run', () => {
  it('creates no key, and prints what the first key changes', async () => {
    const { code, stdout, stderr } = await create('--dry-run')
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(/Would create key "ci" with scope write\. It would be the first key/)
    expect((await keys('list')).stdout).toBe('')
    await create()
    const second = await create('--dry-run', '--json')
    expect(JSON.parse(second.stdout)).toEqual({ name: 'ci', scope: 'write', first: false, dryRun: true })
  })

  it('revokes no key, and prints which one it would be', async () => {
    const { id } = JSON.parse((await create('--json')).stdout)
    const { code, stderr } = await keys('revoke', id, '--dry-run')
    expect([code, stderr]).toEqual([0, `Key ${id} (write, ci) would be revoked.\n`])
    expect((await keys('list')).stdout).toMatch(/never used/)
    expect((await keys('revoke', id)).code).toBe(0)
    expect((await keys('revoke', id, '--dry-run')).code).toBe(1)
  })
})

describe('terce keys reseal', () => {
  const [OLD, NEW] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
  const reseal = (TERCE_SECRET_KEY: string, ...args: string[]) =>
    database.terce(['keys', 'reseal', ...args], {
      DATABASE_URL: `sqlite:${database.path}`,
      TERCE_SECRET_KEY,
    })

  async function addChannel(name: string) {
    await create()
    const store = database.open()
    const config = readConfig({ TERCE_SECRET_KEY: OLD })
    const deps = channelsOf(config, { store, clock: systemClock, ids: createIds(Math.random) })
    const settings = {
      kind: 'webhook',
      url: 'https://example.com/',
      perSecond: null,
      concurrency: null,
    } as const
    await createChannel(deps, { name, settings, secret: null, isDefault: false })
  }

  it('encrypts every secret with the first key, prints the number, and has nothing to do the second time', async () => {
    await addChannel('crm')
    const dry = await reseal(`${NEW},${OLD}`, '--dry-run')
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([
      0,
      '1 secret would be resealed, 0 are current.\n',
      '',
    ])
    const first = await reseal(`${NEW},${OLD}`)
    expect([first.code, first.stdout]).toEqual([0, '1 secret resealed, 0 were current.\n'])
    const entries = await database
      .open()
      .listAuditEntries({ limit: 5, before: null, action: 'secret.resealed' })
    expect(entries).toMatchObject([{ actor: 'cli', details: '{"resealed":1}' }])
    const second = await reseal(NEW, '--json')
    expect(JSON.parse(second.stdout)).toEqual({ resealed: 0, current: 1, unreadable: [], dryRun: false })
  })

  it('exits with 1 and names the channels whose secrets no key opens', async () => {
    await addChannel('crm')
    const { code, stdout, stderr } = await reseal(NEW)
    expect([code, stdout]).toEqual([1, '0 secrets resealed, 0 were current.\n'])
    expect(stderr).toMatch(/"crm": .*another TERCE_SECRET_KEY/)
  })

  it('exits with 1 without TERCE_SECRET_KEY, and with 2 for a value that is no key', async () => {
    await create()
    expect(await keys('reseal')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TERCE_SECRET_KEY'),
    })
    const wrong = await reseal(`${NEW},short`)
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('TERCE_SECRET_KEY=***')])
  })
})

it('terce keys records who created and revoked a key in the audit log', async () => {
  const { id } = JSON.parse((await create('--json')).stdout)
  await keys('revoke', id)
  const entries = (await database.open().listAuditEntries({ limit: 10, before: null })).reverse()
  expect(entries.map(({ action, actor, objectId }) => [action, actor, objectId])).toEqual([
    ['key.created', 'cli', id],
    ['key.revoked', 'cli', id],
  ])
})

describe('every command that writes', () => {
  it.each(['migrate', 'prune', 'keys create', 'keys revoke', 'keys reseal', 'import', 'tz replan', 'replay'])(
    'has --dry-run: terce %s',
    async (command) => {
      const { stdout } = await database.terce([...command.split(' '), '--help'])
      expect(stdout).toContain('--dry-run')
    },
  )
})
