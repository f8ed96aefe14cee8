// The CloudFormation template: its timeouts fit each other and the code, and each function has only the rights it needs.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FUNCTIONS } from '../../../scripts/build-aws.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { createEmf } from '../../../src/telemetry/emf.ts'
import { problemsOf } from '../../deploy/support/cloudformation.ts'
import { itWith } from '../../deploy/support/installed.ts'
import { readTemplate } from '../../deploy/support/template.ts'
import { createTestClock, T0 } from '../../support/fixtures.ts'
import { metricsIn, parseEmf } from '../../telemetry/support/emf-schema.ts'
import { NOTICES } from '../../telemetry/support/notices.ts'

const PATH = fileURLToPath(new URL('../../../deploy/aws/template.yaml', import.meta.url))

const template = readTemplate()

type Statement = {
  Effect: string
  Action: string[]
  Resource: { GetAtt?: string; Ref?: string }
  Condition?: object
}
type Source = {
  Type: string
  Properties: {
    Schedule: string
    Queue: unknown
    BatchSize: number
    MaximumBatchingWindowInSeconds: number
    FunctionResponseTypes: string[]
  }
}
/** The properties that these tests read, of all kinds of resources. */
type Properties = {
  CodeUri: string
  Timeout: number
  Role: { GetAtt: string }
  Policies: { PolicyDocument: { Statement: Statement[] } }[]
  PolicyDocument: { Statement: Statement[] }
  ManagedPolicyArns: unknown[]
  LoggingConfig: { LogGroup: { Ref: string } }
  Environment: { Variables: Record<string, unknown> }
  EventInvokeConfig: { MaximumRetryAttempts: number }
  ReservedConcurrentExecutions: unknown
  Events: Record<string, Source>
  VisibilityTimeout: number
  MessageRetentionPeriod: number
  RedrivePolicy: { deadLetterTargetArn: unknown; maxReceiveCount: number }
  Dimensions?: { Name: string; Value: unknown }[]
  Threshold: number
  Namespace: unknown
  MetricName: string
  DashboardBody: { Sub: string }
  AccessLogSettings: { DestinationArn: unknown; Format: string }
}
type Resource = {
  Type: string
  DeletionPolicy?: string
  UpdateReplacePolicy?: string
  Properties: Properties
}
const resources: Record<string, Resource> = template.Resources
const settings: Record<string, unknown> = template.Globals.Function.Environment.Variables
const propertiesOf = (name: string) => resources[name]!.Properties
const ofType = (type: string) => Object.keys(resources).filter((name) => resources[name]!.Type === type)

const deliveries = propertiesOf('Deliveries')
const worker = propertiesOf('WorkerFunction')
const source = worker.Events.Messages!.Properties
const seconds = (name: string) => Number(settings[name]) / 1000

describe('the timeouts of the template', () => {
  it('hide a message for six times the timeout of a worker plus the batching window', () => {
    const least = 6 * worker.Timeout + source.MaximumBatchingWindowInSeconds
    expect(deliveries.VisibilityTimeout).toBeGreaterThanOrEqual(least)
    const dead = propertiesOf('DeadLettersFunction')
    expect(propertiesOf('DeadLetters').VisibilityTimeout).toBeGreaterThanOrEqual(6 * dead.Timeout)
  })

  it('make a lease outlast all receives of a message', () => {
    const { maxReceiveCount } = deliveries.RedrivePolicy
    const longest = maxReceiveCount * (deliveries.VisibilityTimeout + source.MaximumBatchingWindowInSeconds)
    expect(seconds('LEASE_MS')).toBeGreaterThan(1.25 * longest)
    // A worker needs three receives to tell a poison message from the others in its batch.
    expect(maxReceiveCount).toBeGreaterThanOrEqual(3)
  })

  it('leave a worker time to finish its deliveries', () => {
    // The handler reserves two seconds, the engine five.
    const forSending = worker.Timeout - 7
    expect(seconds('WEBHOOK_TIMEOUT_MS')).toBeLessThan(forSending)
    expect(seconds('EMAIL_TIMEOUT_MS')).toBeLessThan(forSending)
  })

  it('keep dead letters for longer than a lease, and raise the alarm before a lease expires', () => {
    expect(propertiesOf('DeadLetters').MessageRetentionPeriod).toBeGreaterThan(86_400)
    expect(propertiesOf('BacklogAlarm').Threshold).toBeLessThan(seconds('LEASE_MS'))
  })

  it('call the scheduler every minute, with a timeout of at most a minute', () => {
    const scheduler = propertiesOf('SchedulerFunction')
    expect(scheduler.Events.EveryMinute).toEqual({
      Type: 'Schedule',
      Properties: { Schedule: 'rate(1 minute)' },
    })
    expect(scheduler.Timeout).toBeLessThanOrEqual(60)
    expect(scheduler.EventInvokeConfig.MaximumRetryAttempts).toBe(0)
  })
})

describe('the queues of the template', () => {
  it('report single failures, and use batches', () => {
    for (const name of ['WorkerFunction', 'DeadLettersFunction'])
      expect(propertiesOf(name).Events.Messages!.Properties.FunctionResponseTypes).toEqual([
        'ReportBatchItemFailures',
      ])
    // docs/requirements.md: a hundred messages, after a second at most.
    expect([source.BatchSize, source.MaximumBatchingWindowInSeconds]).toEqual([100, 1])
    expect(worker.ReservedConcurrentExecutions).toBeUndefined()
  })

  it('have a dead-letter queue with a consumer and an alarm', () => {
    expect(deliveries.RedrivePolicy.deadLetterTargetArn).toEqual({ GetAtt: 'DeadLetters.Arn' })
    expect(propertiesOf('DeadLettersFunction').Events.Messages!.Properties.Queue).toEqual({
      GetAtt: 'DeadLetters.Arn',
    })
    expect(propertiesOf('DeadLettersAlarm').Dimensions).toEqual([
      { Name: 'QueueName', Value: { GetAtt: 'DeadLetters.QueueName' } },
    ])
  })

  it('are in the environment of the functions that use them', () => {
    const queueOf = (name: string) => propertiesOf(name).Environment.Variables.QUEUE_URL
    for (const name of ['SchedulerFunction', 'RecoveryFunction', 'WorkerFunction'])
      expect(queueOf(name)).toEqual({ Ref: 'Deliveries' })
    expect(queueOf('DeadLettersFunction')).toEqual({ Ref: 'DeadLetters' })
  })
})

describe('the functions of the template', () => {
  it('match the bundles that are built', () => {
    const folders = ofType('AWS::Serverless::Function').map((name) => propertiesOf(name).CodeUri)
    expect(folders.sort()).toEqual(
      Object.keys(FUNCTIONS)
        .map((name) => `../../build/aws/${name}/`)
        .sort(),
    )
  })

  it('run on the release of Node that Terce runs on elsewhere', () => {
    expect(template.Globals.Function.Runtime).toBe('nodejs24.x')
  })

  it('have settings that the code accepts', () => {
    const plain = Object.entries(settings).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    expect(() => readConfig(Object.fromEntries(plain))).not.toThrow()
  })

  it('of the API have a limit, which leaves connections to the others', () => {
    const limit = { If: ['HasApiConcurrency', { Ref: 'ApiConcurrency' }, { Ref: 'AWS::NoValue' }] }
    expect(propertiesOf('ApiFunction').ReservedConcurrentExecutions).toEqual(limit)
    const { ApiConcurrency, WorkerConcurrency } = template.Parameters
    // Two connections for each function: docs/deploy-aws.md has this sum.
    const functions = ApiConcurrency.Default + WorkerConcurrency.Default + 1 + 1 + 2
    expect(functions * 2).toBe(128)
  })

  it('get the ARN of their secret, and no secret in their environment', () => {
    expect(settings.SECRETS_ARN).toEqual({ Ref: 'SecretArn' })
    const own = ofType('AWS::Serverless::Function').map((name) => propertiesOf(name).Environment?.Variables)
    for (const name of ['DATABASE_URL', 'TERCE_SECRET_KEY', 'WEBHOOK_SECRET', 'TERCE_API_KEYS'])
      for (const variables of [settings, ...own]) expect(variables ?? {}).not.toHaveProperty(name)
    // A dynamic reference is resolved at deployment: its value would be in the environment.
    expect(readFileSync(PATH, 'utf8')).not.toContain('{{resolve:')
  })

  const may: Record<string, string[]> = {
    ApiFunction: [],
    SchedulerFunction: ['Deliveries sqs:SendMessage'],
    RecoveryFunction: ['Deliveries sqs:SendMessage'],
    WorkerFunction: consuming('Deliveries'),
    DeadLettersFunction: consuming('DeadLetters'),
  }

  function consuming(queue: string): string[] {
    const actions = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage']
    return actions.map((action) => `${queue} sqs:${action}`)
  }

  for (const name of ofType('AWS::Serverless::Function')) {
    it(`grant ${name} only the rights it needs`, () => {
      const { Role, LoggingConfig, Policies } = propertiesOf(name)
      expect(Policies).toBeUndefined()
      const role = propertiesOf(Role.GetAtt.replace('.Arn', ''))
      expect(role.ManagedPolicyArns).toEqual([{ Ref: 'NetworkPolicy' }])
      const allowed = role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap(
        ({ Effect, Action, Resource }) => {
          expect(Effect).toBe('Allow')
          const resource = Resource.Ref ?? Resource.GetAtt!.replace('.Arn', '')
          return Action.map((action) => `${resource} ${action}`)
        },
      )
      const log = LoggingConfig.LogGroup.Ref
      const logging = ['CreateLogStream', 'PutLogEvents'].map((action) => `${log} logs:${action}`)
      const reading = ['SecretArn secretsmanager:GetSecretValue']
      expect(allowed.sort()).toEqual([...may[name]!, ...logging, ...reading].sort())
    })
  }

  it('may create network interfaces, the only right on all resources', () => {
    const statements = propertiesOf('NetworkPolicy').PolicyDocument.Statement
    for (const action of statements.flatMap(({ Action }) => Action))
      expect(action).toMatch(/^ec2:\w*(NetworkInterfaces?|PrivateIpAddresses|Subnets)$/)
  })

  it('may not create network interfaces by their own code', () => {
    const [allowed, denied, ...others] = propertiesOf('NetworkPolicy').PolicyDocument.Statement
    expect(others).toEqual([])
    expect([allowed!.Effect, denied!.Effect]).toEqual(['Allow', 'Deny'])
    expect(denied!.Action).toEqual(allowed!.Action)
    // Only a request of the code of a function has this key.
    expect(denied!.Condition).toEqual({ Null: { 'lambda:SourceFunctionArn': 'false' } })
  })
})

describe('docs/deploy-aws.md', () => {
  const page = readFileSync(new URL('../../../docs/deploy-aws.md', import.meta.url), 'utf8')

  it('documents every parameter, alarm and output', () => {
    const names = [...Object.keys(template.Parameters), ...ofType('AWS::CloudWatch::Alarm')]
    for (const name of [...names, 'ApiUrl', 'RecoveryFunction']) expect(page).toContain(name)
  })

  it('states the defaults of the template', () => {
    const rows = [...page.matchAll(/^\| `(\w+)`(?:, `(\w+)`)? \| (.*?) \|/gm)]
    for (const [, first, second, shown] of rows) {
      const parameters = [first, second].flatMap((name) => template.Parameters[name ?? ''] ?? [])
      const defaults = parameters.map(({ Default: value }) => (value === '' ? 'none' : (value ?? 'required')))
      if (defaults.length > 0) expect(shown!.replaceAll('`', '')).toBe([...new Set(defaults)].join(', '))
    }
    expect(rows.length).toBeGreaterThan(8)
    expect(page).toContain(`\`LEASE_MS\` is\n\`${settings.LEASE_MS}\``)
  })
})

describe('the metrics of the template', () => {
  const namespace = `Terce/\${AWS::StackName}`

  /** Every metric that the code writes to CloudWatch, with its dimensions: `name{label=value}`. */
  const written = new Set<string>()
  const emf = createEmf(createTestClock(T0), {
    namespace,
    write: (line) => {
      for (const metric of metricsIn(parseEmf(line))) written.add(metric.replace(/ .*$/, ''))
    },
  })
  for (const notice of NOTICES) emf.telemetry(notice)
  emf.flush()

  const isOurs = (name: string) =>
    JSON.stringify(propertiesOf(name).Namespace) === JSON.stringify({ Sub: namespace })
  const alarms = ofType('AWS::CloudWatch::Alarm').filter(isOurs)

  it('have a namespace that the functions write to', () => {
    expect(settings.METRICS_NAMESPACE).toEqual({ Sub: namespace })
    expect(() => readConfig({ METRICS_NAMESPACE: 'Terce/terce' })).not.toThrow()
  })

  it.each(alarms)('are written by the code: %s', (name) => {
    const { MetricName, Dimensions = [] } = propertiesOf(name)
    const labels = Dimensions.map(({ Name, Value }) => `${Name}=${Value}`).join()
    expect([...written]).toContain(`${MetricName}{${labels}}`)
  })

  it('raise an alarm for overdue, failed and unexplained events, a destination that is down and a silent scheduler', () => {
    expect(alarms.sort()).toEqual([
      'DestinationDownAlarm',
      'FailedEventsAlarm',
      'LedgerSurplusAlarm',
      'LedgerUnclosedAlarm',
      'LedgerUnexplainedAlarm',
      'OldestDueAlarm',
      'SchedulerSilentAlarm',
    ])
    expect(propertiesOf('OldestDueAlarm')).toMatchObject({
      Threshold: 120,
      ComparisonOperator: 'GreaterThanThreshold',
    })
    expect(propertiesOf('FailedEventsAlarm')).toMatchObject({ Threshold: 1, Statistic: 'Sum' })
    for (const name of ['LedgerUnexplainedAlarm', 'LedgerSurplusAlarm'])
      expect(propertiesOf(name)).toMatchObject({
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        Statistic: 'Maximum',
        // The scheduler reports each minute: a gap of less than the period does not end the alarm.
        Period: 300,
        EvaluationPeriods: 1,
      })
    // An account is computed by hourly runs: a day that ended an hour ago may be open.
    expect(propertiesOf('LedgerUnclosedAlarm')).toMatchObject({
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      Statistic: 'Minimum',
      Period: 3600,
      EvaluationPeriods: 12,
    })
    const silent = propertiesOf('SchedulerSilentAlarm')
    expect(silent).toMatchObject({ TreatMissingData: 'breaching', Period: 300, EvaluationPeriods: 1 })
  })

  it('raise an alarm for the errors of every function, and for throttles', () => {
    const watched = ofType('AWS::CloudWatch::Alarm').flatMap((name) => {
      const { MetricName, Dimensions = [] } = propertiesOf(name)
      return Dimensions.map(({ Value }) => `${MetricName} ${(Value as { Ref?: string }).Ref}`)
    })
    for (const name of ['SchedulerFunction', 'RecoveryFunction', 'WorkerFunction', 'DeadLettersFunction'])
      expect(watched).toContain(`Errors ${name}`)
    // The gateway reports an error of the API's function as 500 or 503, beside those that the function responds with.
    expect(watched).toContain('5xx HttpApi')
    expect(propertiesOf('ThrottlesAlarm')).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Throttles' })
  })

  it('are on the dashboard by their names and labels', () => {
    const body = JSON.parse(propertiesOf('Dashboard').DashboardBody.Sub)
    const shown: string[] = body.widgets.flatMap(({ properties }: { properties: { metrics: unknown[][] } }) =>
      properties.metrics.flatMap(([first, name, ...others]) => {
        if (first === namespace) return [`${name}{${others.filter((one) => typeof one === 'string').join()}}`]
        const search = (first as { expression?: string }).expression
        if (search === undefined) return []
        const [, within, labels, metric] =
          /^SEARCH\('\{"([^"]+)",([\w,]+)\} MetricName="(\w+)"', '\w+', 60\)$/.exec(search)!
        expect(within).toBe(namespace)
        return [`${metric}{${labels}}`]
      }),
    )
    const known = [...written].map((metric) => metric.replaceAll(/=[^,}]*/g, ''))
    expect(shown.length).toBeGreaterThan(9)
    for (const metric of shown) expect(known).toContain(metric)
  })
})

describe('the logs of the template', () => {
  it('outlive the stack, and queues that are replaced keep their messages', () => {
    for (const name of ofType('AWS::Logs::LogGroup'))
      expect(resources[name]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    for (const name of ofType('AWS::SQS::Queue'))
      expect(resources[name]).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Retain' })
  })

  it('are separate for the API, its requests, the scheduler, recovery and the workers', () => {
    const logOf = (name: string) => propertiesOf(name).LoggingConfig.LogGroup.Ref
    expect(['ApiFunction', 'SchedulerFunction', 'RecoveryFunction', 'WorkerFunction'].map(logOf)).toEqual([
      'ApiLog',
      'SchedulerLog',
      'RecoveryLog',
      'WorkerLog',
    ])
    expect(propertiesOf('HttpApi').AccessLogSettings.DestinationArn).toEqual({ GetAtt: 'AccessLog.Arn' })
  })

  it('have no path of a request, which can be the secret of a feed or have an id', () => {
    const format = JSON.parse(propertiesOf('HttpApi').AccessLogSettings.Format)
    const allowed =
      /^\$context\.(requestId|identity\.sourceIp|requestTime|httpMethod|status|response\w+|integrationErrorMessage)$/
    for (const value of Object.values(format)) expect(value).toMatch(allowed)
  })
})

it('the template has only properties of its resources, and references that lead somewhere', () => {
  expect(problemsOf(template)).toEqual([])
})

itWith('cfn-lint', '--version', 'the template passes cfn-lint, without a notice', () => {
  expect(execFileSync('cfn-lint', ['--include-checks', 'I', '--', PATH], { encoding: 'utf8' })).toBe('')
})
