// Reads a Terraform module with HashiCorp's own parser, and checks it against the arguments of its providers and for references
// that lead nowhere, as `terraform validate` would.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import schemas from '../../data/terraform-schema.json' with { type: 'json' }

// biome-ignore lint/suspicious/noExplicitAny: the resources have as many shapes as the providers have types.
export type Json = any
type Parser = { parse(file: string, text: string): Promise<Json> }

const { parse }: Parser = createRequire(import.meta.url)('@cdktf/hcl2json')

export type Module = {
  /** By type and name, such as aws_sqs_queue.deliveries; data sources begin with `data.`. */
  resources: Record<string, Json>
  variables: Record<string, Json>
  locals: Record<string, Json>
  outputs: Record<string, Json>
  settings: Json
}

export async function readModule(folder: string): Promise<Module> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.tf'))
  return parseModule(
    Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  )
}

export async function parseModule(files: Record<string, string>): Promise<Module> {
  const module: Module = { resources: {}, variables: {}, locals: {}, outputs: {}, settings: null }
  for (const [name, text] of Object.entries(files)) {
    const { resource, data, variable, locals, output, terraform, ...others } = await parse(name, text)
    if (Object.keys(others).length > 0) throw new Error(`${name}: no check for ${Object.keys(others)}`)
    for (const [prefix, blocks] of [
      ['', resource],
      ['data.', data],
    ] as const)
      for (const [type, named] of Object.entries<Json>(blocks ?? {}))
        for (const [one, [body]] of Object.entries<Json>(named))
          module.resources[`${prefix}${type}.${one}`] = body
    for (const [one, [body]] of Object.entries<Json>(variable ?? {})) module.variables[one] = body
    for (const [one, [body]] of Object.entries<Json>(output ?? {})) module.outputs[one] = body
    Object.assign(module.locals, ...(locals ?? []))
    module.settings = terraform?.[0] ?? module.settings
  }
  return module
}

/** The object or list that a call such as jsonencode({ … }) or merge(x, { … }) contains. */
export async function argumentOf(expression: string): Promise<Json> {
  const [, literal] = /^\$\{\w+\((?:[\w.]+,\s*)?([{[][\s\S]*[}\]]),?\s*\)\}$/.exec(expression)!
  return (await parse('literal.tf', `locals {\n  it = ${literal}\n}\n`)).locals[0].it
}

const META = ['depends_on', 'for_each', 'lifecycle', 'count', 'provider']

export function problemsOf(module: Module): string[] {
  const problems: string[] = []
  for (const [name, body] of Object.entries(module.resources)) {
    const type = name.slice(0, name.lastIndexOf('.'))
    const schema = schemaOf(type)
    if (schema === undefined) problems.push(`${name}: unknown type; run scripts/build-terraform-schema.ts`)
    else checkArguments(schema.arguments, withoutMeta(body), name, problems)
  }
  const used = new Set<string>()
  const { settings: _, ...checked } = module
  for (const reference of referencesIn(checked)) {
    used.add(reference.split('.').slice(0, 2).join('.'))
    const problem = checkReference(module, reference)
    if (problem !== null) problems.push(problem)
  }
  const declared = [...prefixed('var', module.variables), ...prefixed('local', module.locals)]
  for (const name of declared.filter((one) => !used.has(one))) problems.push(`${name} is not used`)
  return problems
}

function prefixed(prefix: string, names: object): string[] {
  return Object.keys(names).map((name) => `${prefix}.${name}`)
}

type Arguments = { [name: string]: string | Arguments }
type Schema = { arguments: Arguments; attributes: string[] }

function schemaOf(type: string): Schema | undefined {
  return (schemas.schema as unknown as Record<string, Schema>)[type]
}

function withoutMeta(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !META.includes(name)))
}

function checkArguments(known: Arguments, body: Json, where: string, problems: string[]): void {
  for (const name of Object.keys(known))
    if (name.endsWith('!') && !(name.slice(0, -1) in body))
      problems.push(`${where}: ${name.slice(0, -1)} is missing`)
  for (const [name, value] of Object.entries<Json>(body)) {
    const type = known[name] ?? known[`${name}!`]
    if (type === undefined) problems.push(`${where}: ${name} is no argument`)
    else if (typeof type !== 'string') {
      // A block is a list of one; an expression is checked where it is evaluated.
      for (const one of [value].flat())
        if (typeof one === 'object') checkArguments(type, one, `${where}.${name}`, problems)
    } else if (!isOfType(type, value)) problems.push(`${where}: ${name} is no ${type}`)
  }
}

/** Expressions are not evaluated here. */
function isOfType(type: string, value: Json): boolean {
  if (typeof value === 'string' && value.includes('${')) return true
  if (type.endsWith('[]'))
    return Array.isArray(value) && value.every((one) => isOfType(type.slice(0, -2), one))
  return type.startsWith('{') ? typeof value === 'object' : typeof value === type
}

/** Every reference in the expressions of a value, such as var.name or aws_sqs_queue.deliveries.arn. */
export function referencesIn(value: Json): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(referencesIn)
  if (typeof value !== 'string') return []
  const expressions = value
    .split('${')
    .slice(1)
    .join(' ')
    .replaceAll(/\["[^"]*"\]/g, '')
  const found = expressions.matchAll(
    /(?<![\w."/-])(?:(?:var|local|data|each|path)\.|(?:aws|cloudflare)_\w+\.)[\w.]+/g,
  )
  return [...found].map(([reference]) => reference!)
}

function checkReference({ resources, variables, locals }: Module, reference: string): string | null {
  const parts = reference.split('.')
  const [first, second] = parts as [string, string]
  if (first === 'var') return second in variables ? null : `${reference} is not declared`
  if (first === 'local') return second in locals ? null : `${reference} is not declared`
  if (first === 'each') return ['key', 'value'].includes(second) ? null : `${reference} is not known`
  if (first === 'path') return second === 'module' ? null : `${reference} is not known`
  const at = first === 'data' ? 3 : 2
  const name = parts.slice(0, at).join('.')
  if (!(name in resources)) return `${reference}: there is no ${name}`
  const attribute = parts[at]
  if (attribute === undefined) return null
  const type = parts.slice(0, at - 1).join('.')
  const plain = (text: string) => text.replaceAll('_', '')
  const attributes = schemaOf(type)?.attributes.map(plain) ?? []
  return attributes.includes(plain(attribute)) ? null : `${reference}: ${type} has no attribute ${attribute}`
}
