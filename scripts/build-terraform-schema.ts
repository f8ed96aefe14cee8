// Extracts the arguments of the Terraform resources that deploy/ uses from the bindings of their providers, for the tests: they
// stand in for `terraform validate`, which needs the providers themselves. Downloads 45 MB; run it after a new resource type.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BINDINGS = {
  archive: '@cdktf/provider-archive@11.0.1',
  aws: '@cdktf/provider-aws@21.22.1',
  cloudflare: '@cdktf/provider-cloudflare@13.9.1',
}

/** Required arguments end with `!`. The value is the type, or the arguments of a block or nested object. */
type Arguments = { [name: string]: string | Arguments }

const root = new URL('..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'terce-providers-'))
const sources = globSync('deploy/**/*.tf', { cwd: root }).map((path) =>
  readFileSync(join(root, path), 'utf8'),
)
const used = new Set(
  sources.flatMap((text) =>
    [...text.matchAll(/^(resource|data) "(\w+)"/gm)].map(([, ...type]) => type.join(' ')),
  ),
)
const schema: Record<string, { arguments: Arguments; attributes: string[] }> = {}
const providers: Record<string, string> = {}

for (const [provider, spec] of Object.entries(BINDINGS)) {
  const types = [...used].filter((type) => type.split(' ')[1]!.startsWith(`${provider}_`))
  execFileSync('npm', ['pack', '--silent', spec], { cwd: folder })
  const [archive] = globSync(`cdktf-provider-${provider}-*.tgz`, { cwd: folder })
  for (const type of types.sort()) {
    const [kind, name] = type.split(' ') as [string, string]
    const parts = name.slice(provider.length + 1).split('_')
    const module = kind === 'data' ? ['data', provider, ...parts].join('-') : parts.join('-')
    const path = `package/lib/${module}/index.d.ts`
    const text = execFileSync('tar', ['-xzOf', archive!, path], { cwd: folder, maxBuffer: 1e8 }).toString()
    providers[provider] = /\/providers\/([\w/]+\/[\d.]+)\/docs/.exec(text)![1]!
    schema[kind === 'data' ? `data.${name}` : name] = extract(text)
  }
}
writeFileSync(
  join(root, 'test/data/terraform-schema.json'),
  `${JSON.stringify({ providers, schema }, null, 1)}\n`,
)
rmSync(folder, { recursive: true })

function extract(text: string): { arguments: Arguments; attributes: string[] } {
  const interfaces = new Map(
    [...text.matchAll(/^export interface (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)].map(([, name, body]) => [
      name!,
      body!,
    ]),
  )
  const top = [...interfaces.keys()].find((name) =>
    text.includes(`interface ${name} extends cdktf.TerraformMetaArguments`),
  )!
  const attributes = [
    ...text.slice(text.lastIndexOf('export declare class')).matchAll(/^ {4}get (\w+)\(\)/gm),
  ]
  return {
    arguments: argumentsOf(interfaces, top),
    attributes: attributes.map(([, name]) => snake(name!)).filter((name) => !name.endsWith('_input')),
  }
}

function argumentsOf(interfaces: Map<string, string>, name: string): Arguments {
  const found = interfaces.get(name)!.matchAll(/#(\w+) \w+#\w+\}[\s\S]*?readonly \w+(\??): ([^;]+);/g)
  return Object.fromEntries(
    [...found].map(([, argument, optional, type]) => {
      const nested = [...interfaces.keys()].find((one) => type!.split(/\W+/).includes(one))
      const value =
        nested === undefined
          ? type!.replace(' | cdktf.IResolvable', '').replaceAll(/\s+/g, ' ')
          : argumentsOf(interfaces, nested)
      return [optional === '?' ? argument : `${argument}!`, value]
    }),
  )
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
