// Checks a CloudFormation template against the schemas of its resources, and for references that lead nowhere. It finds less than
// cfn-lint does, and runs where cfn-lint is not installed.
import schemas from '../../data/cloudformation-schema.json' with { type: 'json' }

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  enum?: unknown[]
  $ref?: string
  items?: Schema
  minimum?: number
  maximum?: number
}
type ResourceType = { schema: Schema; definitions: Record<string, Schema>; attributes: string[] }
// biome-ignore lint/suspicious/noExplicitAny: the template has as many shapes as AWS has resources.
type Json = any

const TYPES = schemas as unknown as Record<string, ResourceType>
const FUNCTIONS = ['Ref', 'GetAtt', 'Sub', 'If']
const RESOURCE_PARTS = [
  'Type',
  'Properties',
  'DeletionPolicy',
  'UpdateReplacePolicy',
  'Condition',
  'DependsOn',
]
const PSEUDO = [
  'AWS::StackName',
  'AWS::Region',
  'AWS::AccountId',
  'AWS::Partition',
  'AWS::URLSuffix',
  'AWS::NoValue',
]

export function problemsOf(template: Json): string[] {
  const problems: string[] = []
  for (const [name, resource] of Object.entries<Json>(template.Resources)) {
    const type = TYPES[resource.Type]
    for (const part of Object.keys(resource))
      if (!RESOURCE_PARTS.includes(part)) problems.push(`${name}: ${part} is no part of a resource`)
    if (type === undefined) problems.push(`${name}: ${resource.Type} is not in cloudformation-schema.json`)
    else check(type, type.schema, resource.Properties ?? {}, name, problems)
  }
  checkReferences(template, { Resources: template.Resources, Outputs: template.Outputs }, problems)
  return problems
}

function check(type: ResourceType, given: Schema, value: Json, where: string, problems: string[]): void {
  const schema = given.$ref === undefined ? given : type.definitions[given.$ref]!
  if (isFunction(value)) return
  if (schema.type !== undefined && ![schema.type].flat().some((one) => isOf(one, value)))
    problems.push(`${where} is no ${schema.type}`)
  if (schema.enum !== undefined && !schema.enum.map(String).includes(String(value)))
    problems.push(`${where}: ${value} is not permitted`)
  if (Number(value) < (schema.minimum ?? -Infinity) || Number(value) > (schema.maximum ?? Infinity))
    problems.push(`${where}: ${value} is out of range`)
  if (Array.isArray(value) && schema.items !== undefined)
    for (const [i, one] of value.entries()) check(type, schema.items, one, `${where}.${i}`, problems)
  const { properties } = schema
  if (properties === undefined || typeof value !== 'object' || Array.isArray(value)) return
  for (const name of schema.required ?? [])
    if (!(name in value)) problems.push(`${where}: ${name} is missing`)
  for (const [name, inner] of Object.entries(value)) {
    const known = properties[name]
    if (known === undefined) problems.push(`${where}: ${name} is no property`)
    else check(type, known, inner, `${where}.${name}`, problems)
  }
}

function isFunction(value: Json): boolean {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return keys.length === 1 && FUNCTIONS.includes(keys[0]!)
}

/** CloudFormation converts between numbers, texts and booleans. */
function isOf(type: string, value: Json): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value)
  if (type === 'boolean') return /^(true|false)$/.test(String(value))
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(String(value))
  return typeof value !== 'object'
}

function checkReferences(template: Json, value: Json, problems: string[]): void {
  if (typeof value !== 'object' || value === null) return
  if (isFunction(value)) {
    const [[name, argument]] = Object.entries<Json>(value) as [[string, Json]]
    const named = (text: string) => {
      const isKnown = text in template.Resources || text in template.Parameters || PSEUDO.includes(text)
      if (!isKnown) problems.push(`there is no ${text}`)
    }
    const attribute = (text: string) => {
      const [resource, ...path] = text.split('.')
      const type = template.Resources[resource!]?.Type
      if (type === undefined) problems.push(`there is no ${resource}`)
      else if (!TYPES[type]?.attributes.includes(path.join('.'))) problems.push(`${type} has no ${text}`)
    }
    if (name === 'Ref') named(argument)
    if (name === 'GetAtt') attribute(argument)
    if (name === 'Sub')
      for (const [, text] of argument.matchAll(/\$\{([\w:.]+)\}/g))
        (text.includes('.') ? attribute : named)(text)
    if (name === 'If' && !(argument[0] in template.Conditions)) problems.push(`there is no ${argument[0]}`)
  }
  for (const inner of Object.values(value)) checkReferences(template, inner, problems)
}
