// The checks of the Terraform modules find mistakes that `terraform validate` would find.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { itWith } from './support/installed.ts'
import { parseModule, problemsOf } from './support/terraform.ts'

const QUEUE = `
variable "name" { type = string }
resource "aws_sqs_queue" "due" {
  name = var.name
}
`
const check = async (from: string, to: string) =>
  problemsOf(await parseModule({ 'main.tf': QUEUE.replace(from, to) }))

describe('the checks of a Terraform module', () => {
  it('accept a valid module', async () => {
    expect(await check('', '')).toEqual([])
  })

  it('find an unknown argument, an unknown type and a value of a wrong type', async () => {
    expect(await check('name = var', 'nmae = var')).toEqual(['aws_sqs_queue.due: nmae is no argument'])
    expect(await check('"aws_sqs_queue"', '"aws_sqs_queues"')).toEqual([
      'aws_sqs_queues.due: unknown type; run scripts/build-terraform-schema.ts',
    ])
    const late = 'name = var.name\n  delay_seconds = "soon"'
    expect(await check('name = var.name', late)).toEqual(['aws_sqs_queue.due: delay_seconds is no number'])
  })

  it('find a missing argument, also of a block', async () => {
    const target = 'resource "aws_cloudwatch_event_target" "one" {\n  rule = var.name\n}\n'
    expect(await check('resource', `${target}resource`)).toEqual([
      'aws_cloudwatch_event_target.one: arn is missing',
    ])
    const nested =
      'resource "aws_lambda_function" "one" {\n  function_name = "a"\n  role = "b"\n  vpc_config {}\n}\n'
    expect(await check('resource', `${nested}resource`)).toEqual([
      'aws_lambda_function.one.vpc_config: security_group_ids is missing',
      'aws_lambda_function.one.vpc_config: subnet_ids is missing',
    ])
  })

  it('find a variable, a resource and an attribute that do not exist, and a variable that nothing uses', async () => {
    expect(await check('= var.name', '= var.nmae')).toEqual([
      'var.nmae is not declared',
      'var.name is not used',
    ])
    const output = (value: string) => check('resource', `output "o" {\n  value = ${value}\n}\nresource`)
    expect(await output('aws_sqs_queue.deu.arn')).toEqual([
      'aws_sqs_queue.deu.arn: there is no aws_sqs_queue.deu',
    ])
    expect(await output(`"x/\${aws_sqs_queue.due.uri}"`)).toEqual([
      'aws_sqs_queue.due.uri: aws_sqs_queue has no attribute uri',
    ])
    expect(await output('aws_sqs_queue.due.arn')).toEqual([])
  })

  it('find a mistake of syntax', async () => {
    await expect(check('name = var.name', 'name = ')).rejects.toThrow()
  })
})

itWith('terraform', 'version', 'the modules are formatted as terraform fmt formats them', () => {
  const folder = fileURLToPath(new URL('../../deploy', import.meta.url))
  const { status, stdout } = spawnSync('terraform', ['fmt', '-check', '-recursive', folder], {
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
