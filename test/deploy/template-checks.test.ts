// The checks of a CloudFormation template find mistakes that cfn-lint would find.
import { describe, expect, it } from 'vitest'
import { problemsOf } from './support/cloudformation.ts'
import { readTemplate } from './support/template.ts'

/** The problems of the template after a change. */
// biome-ignore lint/suspicious/noExplicitAny: the template has as many shapes as AWS has resources.
function check(change: (resources: any) => void): string[] {
  const template = readTemplate()
  change(template.Resources)
  return problemsOf(template)
}

describe('the checks of a CloudFormation template', () => {
  it('accept deploy/aws/template.yaml', () => {
    expect(check(() => {})).toEqual([])
  })

  it('find an unknown type, property or part of a resource', () => {
    expect(check(({ Deliveries }) => (Deliveries.Type = 'AWS::SQS::Queues'))).toContain(
      'Deliveries: AWS::SQS::Queues is not in cloudformation-schema.json',
    )
    expect(check(({ Deliveries }) => (Deliveries.Properties.VisibilityTimout = 1))).toEqual([
      'Deliveries: VisibilityTimout is no property',
    ])
    expect(check(({ WorkerLog }) => (WorkerLog.DeletePolicy = 'Retain'))).toEqual([
      'WorkerLog: DeletePolicy is no part of a resource',
    ])
  })

  it('find a missing property, a wrong type, and a value that is not permitted or out of range', () => {
    expect(check(({ ApiRole }) => delete ApiRole.Properties.AssumeRolePolicyDocument)).toEqual([
      'ApiRole: AssumeRolePolicyDocument is missing',
    ])
    expect(check(({ BacklogAlarm }) => (BacklogAlarm.Properties.Period = 'a minute'))).toEqual([
      'BacklogAlarm.Period is no integer',
    ])
    expect(check(({ WorkerLog }) => (WorkerLog.Properties.RetentionInDays = 8))).toEqual([
      'WorkerLog.RetentionInDays: 8 is not permitted',
    ])
    expect(check(({ WorkerFunction }) => (WorkerFunction.Properties.Timeout = 901))).toEqual([
      'WorkerFunction.Timeout: 901 is out of range',
    ])
    expect(check(({ BacklogAlarm }) => delete BacklogAlarm.Properties.Dimensions[0].Name)).toEqual([
      'BacklogAlarm.Dimensions.0: Name is missing',
    ])
  })

  it('find references to resources and attributes that do not exist', () => {
    expect(check((resources) => delete resources.WorkerLog)).toContain('there is no WorkerLog')
    const misspell = ({ ApiFunction }: { ApiFunction: { Properties: { Role: object } } }) => {
      ApiFunction.Properties.Role = { GetAtt: 'ApiRole.Aarn' }
    }
    expect(check(misspell)).toEqual(['AWS::IAM::Role has no ApiRole.Aarn'])
  })
})
