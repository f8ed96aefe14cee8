// The CloudFormation template: its timeouts fit each other and the code, and each function has only the rights it needs.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FUNCTIONS } from '../../../scripts/build-aws.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { createEmf } from '../../../src/telemetry/emf.ts'
import { readRoot } from '../../deploy/support/deploy-files.ts'
import { itWith } from '../../deploy/support/installed.ts'
import { readTemplate } from '../../deploy/support/template.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'
import { metricsIn, parseEmf } from '../../telemetry/support/emf-schema.ts'
import { NOTICES } from '../../telemetry/support/notices.ts'

// biome-ignore lint/suspicious/noExplicitAny: the template has as many shapes as AWS has resources.
type Json = any

const template = readTemplate()
const settings: Record<string, unknown> = template.Globals.Function.Environment.Variables
const propertiesOf = (name: string): Json => template.Resources[name].Properties
const ofType = (type: string) =>
  Object.keys(template.Resources).filter((name) => template.Resources[name].Type === type)

const functions = ofType('AWS::Serverless::Function')
const deliveries = propertiesOf('Deliveries')
const worker = propertiesOf('WorkerFunction')
const dead = propertiesOf('DeadLettersFunction')
const source = worker.Events.Messages.Properties
const seconds = (name: string) => Number(settings[name]) / 1000

itWith('cfn-lint', '--version', 'the template passes cfn-lint, without a notice', () => {
  const path = fileURLToPath(new URL('../../../deploy/aws/template.yaml', import.meta.url))
  expect(execFileSync('cfn-lint', ['--include-checks', 'I', '--', path], { encoding: 'utf8' })).toBe('')
})

describe('the timeouts of the template', () => {
  it('hide a message for six times the timeout of its function plus the batching window', () => {
    const least = 6 * worker.Timeout + source.MaximumBatchingWindowInSeconds
    expect(deliveries.VisibilityTimeout).toBeGreaterThanOrEqual(least)
    expect(propertiesOf('DeadLetters').VisibilityTimeout).toBeGreaterThanOrEqual(6 * dead.Timeout)
  })

  it('make a lease outlast all receives of a message, and raise the alarm before it expires', () => {
    const { maxReceiveCount } = deliveries.RedrivePolicy
    const longest = maxReceiveCount * (deliveries.VisibilityTimeout + source.MaximumBatchingWindowInSeconds)
    expect(seconds('LEASE_MS')).toBeGreaterThan(1.25 * longest)
    expect(propertiesOf('BacklogAlarm').Threshold).toBeLessThan(seconds('LEASE_MS'))
    // A worker needs three receives to tell a poison message from the others in its batch.
    expect(maxReceiveCount).toBeGreaterThanOrEqual(3)
  })

  it('leave a worker time to finish its deliveries', () => {
    // The handler reserves two seconds, the engine five.
    for (const name of ['WEBHOOK_TIMEOUT_MS', 'EMAIL_TIMEOUT_MS'])
      expect(seconds(name)).toBeLessThan(worker.Timeout - 7)
  })

  it('call the scheduler every minute, without retries, with a timeout of at most a minute', () => {
    const { Events, Timeout, EventInvokeConfig } = propertiesOf('SchedulerFunction')
    expect(Events.EveryMinute.Properties).toEqual({ Schedule: 'rate(1 minute)' })
    expect(Timeout).toBeLessThanOrEqual(60)
    expect(EventInvokeConfig.MaximumRetryAttempts).toBe(0)
  })
})

describe('the queues of the template', () => {
  it('deliver batches of a hundred after at most a second, and get single failures back', () => {
    expect([source.BatchSize, source.MaximumBatchingWindowInSeconds]).toEqual([100, 1])
    for (const { Events } of [worker, dead])
      expect(Events.Messages.Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures'])
  })

  it('have a dead-letter queue with a consumer, an alarm and more than a day', () => {
    const arn = { GetAtt: 'DeadLetters.Arn' }
    expect([deliveries.RedrivePolicy.deadLetterTargetArn, dead.Events.Messages.Properties.Queue]).toEqual([
      arn,
      arn,
    ])
    expect(propertiesOf('DeadLetters').MessageRetentionPeriod).toBeGreaterThan(86_400)
    expect(propertiesOf('DeadLettersAlarm').Dimensions[0].Value).toEqual({ GetAtt: 'DeadLetters.QueueName' })
  })

  it('keep their messages when they are replaced, and logs outlive the stack', () => {
    const policies = { 'AWS::SQS::Queue': 'Delete', 'AWS::Logs::LogGroup': 'Retain' }
    for (const [type, DeletionPolicy] of Object.entries(policies))
      for (const name of ofType(type))
        expect(template.Resources[name]).toMatchObject({ DeletionPolicy, UpdateReplacePolicy: 'Retain' })
  })
})

describe('the functions of the template', () => {
  it('match the bundles that are built, and have settings that the code accepts', () => {
    const bundles = Object.keys(FUNCTIONS).map((name) => `../../build/aws/${name}/`)
    expect(functions.map((name) => propertiesOf(name).CodeUri).toSorted()).toEqual(bundles.toSorted())
    expect(template.Globals.Function.Runtime).toBe('nodejs24.x')
    const plain = Object.entries(settings).filter(([, value]) => typeof value === 'string')
    expect(() => readConfig({ ...Object.fromEntries(plain), METRICS_NAMESPACE: 'Terce/terce' })).not.toThrow()
  })

  it('have limits: of the API, so that connections are left to the others, and of workers at their queue', () => {
    const limit = { If: ['HasApiConcurrency', { Ref: 'ApiConcurrency' }, { Ref: 'AWS::NoValue' }] }
    expect(propertiesOf('ApiFunction').ReservedConcurrentExecutions).toEqual(limit)
    // Reserved concurrency would return throttled messages to the queue and use up their receives.
    expect(source.ScalingConfig.MaximumConcurrency).toEqual({ Ref: 'WorkerConcurrency' })
    expect(worker.ReservedConcurrentExecutions).toBeUndefined()
    const { ApiConcurrency, WorkerConcurrency } = template.Parameters
    // Two connections for each function: docs/deploy-aws.md has this sum.
    expect((ApiConcurrency.Default + WorkerConcurrency.Default + 1 + 1 + 2) * 2).toBe(128)
  })

  it('get the ARN of their secret, and no secret in their environment', () => {
    expect(settings.SECRETS_ARN).toEqual({ Ref: 'SecretArn' })
    const variables = functions.map((name) => propertiesOf(name).Environment?.Variables ?? {})
    for (const name of ['DATABASE_URL', 'TERCE_SECRET_KEY', 'WEBHOOK_SECRET', 'TERCE_API_KEYS'])
      for (const given of [settings, ...variables]) expect(given).not.toHaveProperty(name)
    // A dynamic reference is resolved at deployment: its value would be in the environment.
    expect(readRoot('deploy/aws/template.yaml')).not.toContain('{{resolve:')
  })

  const consuming = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']
  it.each([
    ['ApiFunction', 'ApiLog', null, []],
    ['SchedulerFunction', 'SchedulerLog', 'Deliveries', ['SendMessage']],
    ['RecoveryFunction', 'RecoveryLog', 'Deliveries', ['SendMessage']],
    ['WorkerFunction', 'WorkerLog', 'Deliveries', consuming],
    ['DeadLettersFunction', 'WorkerLog', 'DeadLetters', consuming],
  ])('use no log and queue but their own, and have only these rights: %s', (name, log, queue, actions) => {
    const { Role, LoggingConfig, Policies, Environment } = propertiesOf(name)
    expect([LoggingConfig.LogGroup.Ref, Environment?.Variables.QUEUE_URL.Ref ?? null]).toEqual([log, queue])
    expect(Policies).toBeUndefined()
    const role = propertiesOf(Role.GetAtt.replace('.Arn', ''))
    expect(role.ManagedPolicyArns).toEqual([{ Ref: 'NetworkPolicy' }])
    const statements = role.Policies.flatMap((policy: Json) => policy.PolicyDocument.Statement)
    const allowed = statements.flatMap(({ Action, Resource }: Json) =>
      Action.map((action: string) => `${Resource.Ref ?? Resource.GetAtt.replace('.Arn', '')} ${action}`),
    )
    const needed = [
      ...actions.map((action) => `${queue} sqs:${action}`),
      `${log} logs:CreateLogStream`,
      `${log} logs:PutLogEvents`,
      'SecretArn secretsmanager:GetSecretValue',
    ]
    expect(allowed.toSorted()).toEqual(needed.toSorted())
  })

  it('may create network interfaces, the only right on all resources, and not by their own code', () => {
    const [allowed, denied, ...others] = propertiesOf('NetworkPolicy').PolicyDocument.Statement
    expect([allowed.Effect, denied.Effect, others]).toEqual(['Allow', 'Deny', []])
    expect(denied.Action).toEqual(allowed.Action)
    for (const action of allowed.Action)
      expect(action).toMatch(/^ec2:\w*(NetworkInterfaces?|PrivateIpAddresses|Subnets)$/)
    // Only a request of the code of a function has this key.
    expect(denied.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'false' } })
  })

  it('log no path of a request, which can be the secret of a calendar feed or have an id', () => {
    const { DestinationArn, Format } = propertiesOf('HttpApi').AccessLogSettings
    expect(DestinationArn).toEqual({ GetAtt: 'AccessLog.Arn' })
    const field =
      /^\$context\.(requestId|identity\.sourceIp|requestTime|httpMethod|status|response\w+|integrationErrorMessage)$/
    for (const value of Object.values(JSON.parse(Format))) expect(value).toMatch(field)
  })
})

describe('the metrics of the template', () => {
  const namespace = `Terce/\${AWS::StackName}`
  /** Every metric that the code writes to CloudWatch, with its dimensions: `name{label=value}`. */
  const written = new Set<string>()
  const write = (line: string) => {
    for (const metric of metricsIn(parseEmf(line))) written.add(metric.replace(/ .*$/, ''))
  }
  const emf = createEmf(createTestClock(T0), { namespace, write })
  for (const notice of NOTICES) emf.telemetry(notice)
  emf.flush()

  it('raise alarms on metrics that the code writes, and on a scheduler that does not run', () => {
    expect(settings.METRICS_NAMESPACE).toEqual({ Sub: namespace })
    const own = ofType('AWS::CloudWatch::Alarm')
      .map(propertiesOf)
      .filter(({ Namespace }) => Namespace?.Sub === namespace)
    const watched = own.map(({ MetricName, Dimensions = [] }) => {
      const labels = Dimensions.map(({ Name, Value }: Json) => `${Name}=${Value}`).join()
      return `${MetricName}{${labels}}`
    })
    expect(watched).toHaveLength(5)
    expect([...written]).toEqual(expect.arrayContaining(watched))
    expect(propertiesOf('SchedulerSilentAlarm').TreatMissingData).toBe('breaching')
  })

  it('raise an alarm for the errors of every function', () => {
    const watched = ofType('AWS::CloudWatch::Alarm').map((name) => {
      const { MetricName, Dimensions = [] } = propertiesOf(name)
      return `${MetricName} ${Dimensions[0]?.Value.Ref}`
    })
    // The gateway reports an error of the API's function as 500 or 503, beside those that the function responds with.
    for (const name of functions)
      expect(watched).toContain(name === 'ApiFunction' ? '5xx HttpApi' : `Errors ${name}`)
  })

  it('are on the dashboard by their names and labels', () => {
    const body: string = propertiesOf('Dashboard').DashboardBody.Sub
    const plain = [...body.matchAll(/\["Terce\/[^"]+", "(\w+)"/g)].map(([, name]) => `${name}{}`)
    const searched = [...body.matchAll(/,([\w,]+)\} MetricName=\\"(\w+)\\"/g)]
    const shown = [...plain, ...searched.map(([, labels, name]) => `${name}{${labels}}`)]
    expect(shown.length).toBeGreaterThan(9)
    const known = [...written].map((metric) => metric.replaceAll(/=[^,}]*/g, ''))
    expect(known).toEqual(expect.arrayContaining(shown))
  })
})

it('docs/deploy-aws.md has every parameter with its default, and the alarms of the template', () => {
  const page = readRoot('docs/deploy-aws.md')
  const rows = [...page.matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \| (.*?) \|/gm)]
  for (const [name, { Default: value }] of Object.entries<Json>(template.Parameters)) {
    const [, first, second, shown] = rows.find(([, one, two]) => one === name || two === name)!
    const defaults = second === undefined ? [shown] : shown!.split(', ')
    const ofThis = defaults.at(name === first ? 0 : -1)!.replaceAll('`', '')
    expect(ofThis, name).toBe(value === '' ? 'none' : String(value ?? 'required'))
  }
  const alarms = [...page.matchAll(/`(\w+Alarm)`/g)].map(([, name]) => name!)
  expect(new Set(alarms)).toEqual(new Set(ofType('AWS::CloudWatch::Alarm')))
  expect(page).toContain(`\`LEASE_MS\` is\n\`${settings.LEASE_MS}\``)
})
