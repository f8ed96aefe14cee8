// The Terraform module for Cloudflare: valid, and the same deployment as wrangler.jsonc.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readRoot } from './support/deploy-files.ts'
import { argumentOf, type Json, problemsOf, readModule } from './support/terraform.ts'
import { readWrangler } from './support/wrangler.ts'

const module = await readModule(fileURLToPath(new URL('../../deploy/cloudflare/terraform', import.meta.url)))
const { resources, variables, locals } = module
const wrangler = readWrangler()
const script = resources['cloudflare_workers_script.terce']

/** The value that an expression has with the defaults of the variables. */
function withDefaults(value: Json): Json {
  return value.replaceAll(/\$\{var\.(\w+)\}/g, (_: string, name: string) => variables[name].default)
}

const queueName = (own: string) => withDefaults(resources[`cloudflare_queue.${own}`].queue_name)

describe('the Terraform module for Cloudflare', () => {
  it('has only arguments that its provider has, and references that lead somewhere', () => {
    expect(problemsOf(module)).toEqual([])
  })

  it('uploads the bundle, name, date and flags of wrangler.jsonc', () => {
    expect(withDefaults(script.script_name)).toBe(wrangler.name)
    expect(locals.bundle).toBe(`\${path.module}/../${wrangler.main}`)
    expect([script.content_file, script.content_sha256]).toEqual([
      `\${local.bundle}`,
      `\${filesha256(local.bundle)}`,
    ])
    expect(script.main_module).toBe(wrangler.main.split('/').at(-1))
    expect(script.compatibility_date).toBe(wrangler.compatibility_date)
    expect(script.compatibility_flags).toEqual(wrangler.compatibility_flags)
    expect(script.observability).toEqual(wrangler.observability)
  })

  it('binds the database, the queue and the metrics under the names of wrangler.jsonc', async () => {
    const [, list] = /^\$\{concat\(\s*(\[[\s\S]*?\]),\s*\[for /.exec(script.bindings)!
    const bindings = await argumentOf(`\${concat(${list})}`)
    const [database] = wrangler.d1_databases
    const [producer] = wrangler.queues.producers
    const [metrics] = wrangler.analytics_engine_datasets
    expect(bindings).toEqual([
      { type: 'd1', name: database.binding, id: `\${cloudflare_d1_database.terce.id}` },
      { type: 'queue', name: producer.binding, queue_name: `\${cloudflare_queue.due.queue_name}` },
      { type: 'analytics_engine', name: metrics.binding, dataset: `\${var.name}` },
    ])
    expect(withDefaults(`\${var.name}`)).toBe(metrics.dataset)
    expect(withDefaults(resources['cloudflare_d1_database.terce'].name)).toBe(database.database_name)
    expect(queueName('due')).toBe(producer.queue)
  })

  it('keeps secrets out of its variables and its state, and does not remove them', () => {
    expect(script.keep_bindings).toEqual(['secret_text'])
    expect(script.bindings).not.toContain('secret_text')
    expect(variables.settings.default).toEqual(wrangler.vars)
  })

  it('runs the cron trigger of wrangler.jsonc', () => {
    const { schedules } = resources['cloudflare_workers_cron_trigger.terce']
    expect(schedules.map(({ cron }: Json) => cron)).toEqual(wrangler.triggers.crons)
  })

  it.each([
    ['due', 0],
    ['dead', 1],
  ] as const)('consumes the queue %s in the batches of wrangler.jsonc', (own, index) => {
    const consumer = wrangler.queues.consumers[index]
    const made = resources[`cloudflare_queue_consumer.${own}`]
    expect(queueName(own)).toBe(consumer.queue)
    expect(made.queue_id).toBe(`\${cloudflare_queue.${own}.id}`)
    expect(made.settings).toEqual({
      batch_size: consumer.max_batch_size,
      max_wait_time_ms: consumer.max_batch_timeout * 1000,
      max_retries: consumer.max_retries,
      ...(consumer.retry_delay === undefined ? {} : { retry_delay: consumer.retry_delay }),
    })
    const dead = consumer.dead_letter_queue
    expect(made.dead_letter_queue).toBe(
      dead === undefined ? undefined : `\${cloudflare_queue.dead.queue_name}`,
    )
    if (dead !== undefined) expect(queueName('dead')).toBe(dead)
  })

  it('is deployed by the commands of docs/deploy-cloudflare.md', () => {
    const page = readRoot('docs/deploy-cloudflare.md')
    for (const name of Object.keys(variables).filter((one) => variables[one].default === undefined))
      expect(page).toContain(`-var '${name}=`)
    expect(page).toContain('terraform -chdir=deploy/cloudflare/terraform apply')
    expect(page).toContain('terraform -chdir=deploy/cloudflare/terraform output -raw database_id')
  })
})
