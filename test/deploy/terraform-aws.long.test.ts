// The Terraform module for AWS: valid, and the same deployment as the CloudFormation template.
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readRoot } from './support/deploy-files.ts'
import { readTemplate } from './support/template.ts'
import { argumentOf, type Json, problemsOf, readModule } from './support/terraform.ts'

const module = await readModule(fileURLToPath(new URL('../../deploy/aws/terraform', import.meta.url)))
const { resources, variables, outputs, locals } = module
const template = readTemplate()
const globals = template.Globals.Function

/** The parts of both: the name in the template, and the name in the module. */
const FUNCTIONS = {
  ApiFunction: 'api',
  SchedulerFunction: 'scheduler',
  RecoveryFunction: 'recovery',
  WorkerFunction: 'worker',
  DeadLettersFunction: 'dead_letters',
}
const QUEUES = { Deliveries: 'deliveries', DeadLetters: 'dead_letters' }
const LOGS = {
  ApiLog: 'api',
  AccessLog: 'access',
  SchedulerLog: 'scheduler',
  RecoveryLog: 'recovery',
  WorkerLog: 'worker',
}
const ROLES = {
  ApiRole: 'api',
  SchedulerRole: 'scheduler',
  RecoveryRole: 'recovery',
  WorkerRole: 'worker',
  DeadLettersRole: 'dead_letters',
}
const properties = (name: string): Json => template.Resources[name].Properties
const ofType = (type: string) =>
  Object.keys(template.Resources).filter((name) => template.Resources[name].Type === type)
/** The text of a Sub, as the module writes it. */
const NAMES: Record<string, string> = {
  [`Terce/\${AWS::StackName}`]: `\${local.namespace}`,
}
const snake = (name: string) => name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const ALARMS = Object.fromEntries(
  ofType('AWS::CloudWatch::Alarm').map((name) => [name, snake(name.replace(/Alarm$/, ''))]),
)

/** A value of the template as the module writes it. */
function translate(value: Json): Json {
  if (Array.isArray(value)) return value.map(translate)
  if (typeof value !== 'object' || value === null) return value
  if (typeof value.Sub === 'string') return NAMES[value.Sub]
  if (value.Ref === 'HttpApi') return `\${aws_apigatewayv2_api.http.id}`
  if (value.Ref in template.Parameters) return `\${var.${snake(value.Ref)}}`
  if (value.Ref in QUEUES) return `\${aws_sqs_queue.${QUEUES[value.Ref as 'Deliveries']}.url}`
  if (value.Ref in FUNCTIONS)
    return `\${aws_lambda_function.${FUNCTIONS[value.Ref as 'ApiFunction']}.function_name}`
  if (value.Ref in LOGS) return `\${aws_cloudwatch_log_group.${LOGS[value.Ref as 'ApiLog']}.name}`
  const [name, attribute] = (value.GetAtt ?? '').split('.')
  if (name in QUEUES)
    return `\${aws_sqs_queue.${QUEUES[name as 'Deliveries']}.${attribute === 'QueueName' ? 'name' : 'arn'}}`
  if (name in ROLES) return `\${aws_iam_role.${ROLES[name as 'ApiRole']}.arn}`
  // The ARN of a log group ends with :* in CloudFormation, and without it in Terraform.
  if (name in LOGS) return `\${aws_cloudwatch_log_group.${LOGS[name as 'ApiLog']}.arn}:*`
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, translate(inner)]))
}

/** The module's expressions without ${}: a call's literal has none. */
const bare = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll(/"\$\{([\w.]+)\}"/g, '"$1"'))

describe('the Terraform module for AWS', () => {
  it('has only arguments that its providers have, and references that lead somewhere', () => {
    expect(problemsOf(module)).toEqual([])
  })

  it('has a counterpart for every resource of the template', () => {
    const named = { ...FUNCTIONS, ...QUEUES, ...LOGS, ...ROLES, ...ALARMS }
    const others = ['HttpApi', 'NetworkPolicy', 'Dashboard']
    expect([...Object.keys(named), ...others].sort()).toEqual(Object.keys(template.Resources).sort())
    const count = (type: string) =>
      Object.keys(resources).filter((name) => name.startsWith(`${type}.`)).length
    expect(count('aws_lambda_function')).toBe(ofType('AWS::Serverless::Function').length)
    expect(count('aws_sqs_queue')).toBe(ofType('AWS::SQS::Queue').length)
    expect(count('aws_iam_role')).toBe(ofType('AWS::IAM::Role').length)
    expect(count('aws_cloudwatch_log_group')).toBe(ofType('AWS::Logs::LogGroup').length)
    expect(count('aws_cloudwatch_metric_alarm')).toBe(ofType('AWS::CloudWatch::Alarm').length)
  })

  it('has a variable for every parameter, with its default, description and limits', () => {
    const { name, ...others } = variables
    expect(name.default).toBe('terce')
    expect(Object.keys(others).sort()).toEqual(Object.keys(template.Parameters).map(snake).sort())
    for (const [
      parameter,
      { Default, Description, AllowedPattern, AllowedValues, MinValue, MaxValue },
    ] of Object.entries<Json>(template.Parameters)) {
      const variable = others[snake(parameter)]
      expect([variable.default, variable.description], parameter).toEqual([Default, Description])
      const condition: string = variable.validation?.[0].condition ?? ''
      if (AllowedPattern !== undefined) expect(condition).toContain(JSON.stringify(AllowedPattern))
      if (AllowedValues !== undefined)
        expect(condition).toContain(JSON.stringify(AllowedValues).replaceAll(',', ', '))
      for (const limit of [MinValue, MaxValue].filter((value) => value !== undefined))
        expect(condition).toMatch(new RegExp(`= ${limit}\\b`))
    }
  })

  it.each(Object.entries(FUNCTIONS))('runs %s as the template does', async (name, own) => {
    const { Timeout, MemorySize, Role, LoggingConfig, Environment, CodeUri, EventInvokeConfig } =
      properties(name)
    const made = resources[`aws_lambda_function.${own}`]
    expect(made).toMatchObject({
      timeout: Timeout,
      memory_size: MemorySize ?? globals.MemorySize,
      runtime: globals.Runtime,
      architectures: globals.Architectures,
      handler: globals.Handler,
      role: translate(Role),
      logging_config: [{ log_group: translate(LoggingConfig.LogGroup), log_format: 'Text' }],
      vpc_config: [
        {
          subnet_ids: translate(globals.VpcConfig.SubnetIds),
          security_group_ids: translate(globals.VpcConfig.SecurityGroupIds),
        },
      ],
    })
    const [{ variables: given }] = made.environment
    const added = given === `\${local.settings}` ? {} : await argumentOf(given)
    expect({ ...locals.settings, ...added }).toEqual(
      translate({ ...globals.Environment.Variables, ...Environment?.Variables }),
    )
    const folder = /^\$\{data\.archive_file\.bundle\["([\w-]+)"\]\.output_path\}$/.exec(made.filename)![1]
    const { source_dir, for_each } = resources['data.archive_file.bundle']
    expect(for_each).toContain(`"${folder}"`)
    expect(source_dir.replace(`\${each.key}`, folder)).toBe(
      `\${path.module}/${CodeUri.replace('../../', '../../../').replace(/\/$/, '')}`,
    )
    const invoked = resources[`aws_lambda_function_event_invoke_config.${own}`]
    expect([invoked?.maximum_retry_attempts, invoked?.maximum_event_age_in_seconds]).toEqual([
      EventInvokeConfig?.MaximumRetryAttempts,
      EventInvokeConfig?.MaximumEventAgeInSeconds,
    ])
  })

  it.each(Object.entries(QUEUES))('has the queue %s with its timeouts', async (name, own) => {
    const { SqsManagedSseEnabled, MessageRetentionPeriod, VisibilityTimeout, RedrivePolicy } =
      properties(name)
    const made = resources[`aws_sqs_queue.${own}`]
    expect(made).toMatchObject({
      sqs_managed_sse_enabled: SqsManagedSseEnabled,
      message_retention_seconds: MessageRetentionPeriod,
      visibility_timeout_seconds: VisibilityTimeout,
    })
    const redrive = made.redrive_policy === undefined ? undefined : await argumentOf(made.redrive_policy)
    expect(redrive).toEqual(translate(RedrivePolicy))
  })

  it.each(['WorkerFunction', 'DeadLettersFunction'] as const)(
    'feeds %s from its queue in the same batches',
    (name) => {
      const { Queue, BatchSize, MaximumBatchingWindowInSeconds, FunctionResponseTypes, ScalingConfig } =
        properties(name).Events.Messages.Properties
      const { depends_on, ...made } = resources[`aws_lambda_event_source_mapping.${FUNCTIONS[name]}`]
      expect(depends_on).toEqual([`\${aws_iam_role_policy.${FUNCTIONS[name]}}`])
      const window = MaximumBatchingWindowInSeconds
      expect(made).toEqual({
        event_source_arn: translate(Queue),
        function_name: `\${aws_lambda_function.${FUNCTIONS[name]}.arn}`,
        batch_size: BatchSize,
        ...(window === undefined ? {} : { maximum_batching_window_in_seconds: window }),
        function_response_types: FunctionResponseTypes,
        scaling_config: [{ maximum_concurrency: translate(ScalingConfig.MaximumConcurrency) }],
      })
    },
  )

  it.each([
    ['SchedulerFunction', 'EveryMinute'],
    ['RecoveryFunction', 'EveryHour'],
  ] as const)('calls %s by the schedule %s', (name, event) => {
    const rule = snake(event)
    expect(resources[`aws_cloudwatch_event_rule.${rule}`].schedule_expression).toBe(
      properties(name).Events[event].Properties.Schedule,
    )
    expect(resources[`aws_cloudwatch_event_target.${rule}`]).toEqual({
      rule: `\${aws_cloudwatch_event_rule.${rule}.name}`,
      arn: `\${aws_lambda_function.${FUNCTIONS[name]}.arn}`,
    })
    expect(resources[`aws_lambda_permission.${rule}`]).toMatchObject({
      function_name: `\${aws_lambda_function.${FUNCTIONS[name]}.function_name}`,
      principal: 'events.amazonaws.com',
      source_arn: `\${aws_cloudwatch_event_rule.${rule}.arn}`,
    })
  })

  it('sends every request to the API, with the limits of the template', () => {
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = properties('HttpApi').DefaultRouteSettings
    expect(resources['aws_apigatewayv2_stage.default'].default_route_settings).toEqual([
      { throttling_rate_limit: ThrottlingRateLimit, throttling_burst_limit: ThrottlingBurstLimit },
    ])
    const { Format, DestinationArn } = properties('HttpApi').AccessLogSettings
    expect(DestinationArn).toEqual({ GetAtt: 'AccessLog.Arn' })
    expect(resources['aws_apigatewayv2_stage.default'].access_log_settings).toEqual([
      { destination_arn: `\${aws_cloudwatch_log_group.access.arn}`, format: Format },
    ])
    expect(resources['aws_apigatewayv2_route.any'].route_key).toBe('$default')
    expect(resources['aws_apigatewayv2_integration.api']).toMatchObject({
      integration_uri: `\${aws_lambda_function.api.invoke_arn}`,
      payload_format_version: '2.0',
    })
  })

  it.each(Object.entries(ROLES))('grants %s the rights of the template and no others', async (name, own) => {
    const { AssumeRolePolicyDocument, Policies } = properties(name)
    expect(resources[`aws_iam_role.${own}`].assume_role_policy).toBe(`\${local.assume_role}`)
    expect(await argumentOf(locals.assume_role)).toEqual(AssumeRolePolicyDocument)
    const { policy, role } = resources[`aws_iam_role_policy.${own}`]
    expect(role).toBe(`\${aws_iam_role.${own}.name}`)
    expect(bare(await argumentOf(policy))).toEqual(bare(translate(Policies[0].PolicyDocument)))
    expect(resources['aws_iam_role_policy_attachment.network'].for_each[own]).toBe(
      `\${aws_iam_role.${own}.name}`,
    )
  })

  it('allows network interfaces as the template does, before a function is created', async () => {
    const { PolicyDocument } = properties('NetworkPolicy')
    expect(await argumentOf(resources['aws_iam_policy.network'].policy)).toEqual(PolicyDocument)
    for (const own of Object.values(FUNCTIONS))
      expect(resources[`aws_lambda_function.${own}`].depends_on).toEqual([
        `\${aws_iam_role_policy_attachment.network}`,
      ])
  })

  it.each(Object.entries(ALARMS))('raises %s as the template does', (name, own) => {
    const { AlarmDescription, AlarmActions, Dimensions = [], TreatMissingData, ...others } = properties(name)
    const {
      alarm_name,
      alarm_description,
      alarm_actions,
      dimensions = {},
      treat_missing_data,
      ...made
    } = resources[`aws_cloudwatch_metric_alarm.${own}`]
    expect(made).toEqual(
      Object.fromEntries(Object.entries(others).map(([key, value]) => [snake(key), translate(value)])),
    )
    expect(treat_missing_data).toBe(TreatMissingData)
    expect(alarm_description).toBe(AlarmDescription.replace('WorkerConcurrency', 'worker_concurrency'))
    const given = Dimensions.map(({ Name, Value }: Json) => [Name, translate(Value)])
    expect(dimensions).toEqual(Object.fromEntries(given))
    expect([alarm_actions, AlarmActions.If[0]]).toEqual([`\${local.alarm_actions}`, 'HasAlarmTopic'])
  })

  it.each(Object.entries(LOGS))('keeps %s as long as the template does', (name, own) => {
    const made = resources[`aws_cloudwatch_log_group.${own}`]
    expect(made.retention_in_days).toBe(translate(properties(name).RetentionInDays))
    expect(made.skip_destroy).toBe(template.Resources[name].DeletionPolicy === 'Retain')
  })

  it('has the dashboard of the template', async () => {
    const names: Record<string, string> = {
      [`Terce/\${AWS::StackName}`]: `\${local.namespace}`,
      [`\${AWS::Region}`]: `\${aws_sqs_queue.deliveries.region}`,
      [`\${Deliveries.QueueName}`]: `\${aws_sqs_queue.deliveries.name}`,
    }
    let body: string = properties('Dashboard').DashboardBody.Sub
    for (const [from, to] of Object.entries(names)) body = body.replaceAll(from, to)
    const made = await argumentOf(resources['aws_cloudwatch_dashboard.terce'].dashboard_body)
    expect(bare(made)).toEqual(bare(JSON.parse(body)))
  })

  it('has the outputs of the template', () => {
    expect(Object.keys(outputs).sort()).toEqual(Object.keys(template.Outputs).map(snake).sort())
  })

  it('contains no secret', () => {
    for (const name of ['DATABASE_URL', 'TERCE_SECRET_KEY', 'WEBHOOK_SECRET', 'TERCE_API_KEYS'])
      expect(locals.settings).not.toHaveProperty(name)
  })

  it('is deployed by the commands of docs/deploy-aws.md', () => {
    const page = readRoot('docs/deploy-aws.md')
    for (const name of Object.keys(variables).filter((one) => variables[one].default === undefined))
      expect(page).toContain(`-var '${name}=`)
    expect(page).toContain('terraform -chdir=deploy/aws/terraform apply')
    expect(page).toContain('terraform -chdir=deploy/aws/terraform output -raw recovery_function')
  })
})
