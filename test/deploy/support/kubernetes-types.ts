// Checks resources against the types of the Kubernetes API: unknown fields, missing required fields, wrong types.
import ts from 'typescript'
import type { Json } from './kustomize.ts'

/** The module of an apiVersion in the package kubernetes-types. */
function moduleOf(apiVersion: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  return `kubernetes-types/${group!.replace('.k8s.io', '')}/${version}`
}

/** The errors of the type checker, one line for each. */
export function typeErrors(resources: readonly Json[]): string[] {
  const file = new URL('checked-resources.ts', import.meta.url).pathname
  const lines = resources.flatMap((resource, index) => [
    `import type { ${resource.kind} as Kind${index} } from '${moduleOf(resource.apiVersion)}'`,
    `export const r${index}: Kind${index} = ${JSON.stringify(resource, null, 1)}`,
  ])
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ['lib.es5.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), rest[0]) : getSourceFile(name, ...rest)
  const program = ts.createProgram([file], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start, file: source }) => {
    const at =
      source === undefined ? '' : ` near ${source.text.slice(start, start! + 60).replaceAll(/\s+/g, ' ')}`
    return ts.flattenDiagnosticMessageText(messageText, ' ') + at
  })
}
