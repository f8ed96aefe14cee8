// Compiles src/ to dist/: JavaScript of every file, and declarations of the files that the exports of the package reach.
// Checks no types: `npm test` does, and this runs in every `npm ci`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONFIG = join(ROOT, 'tsconfig.build.json')

export function compile(): void {
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT, undefined, CONFIG)
  const unchecked = { ...options, noCheck: true }
  const host = ts.createCompilerHost(unchecked)
  // Both programs read each file once.
  const read = new Map<string, ts.SourceFile | undefined>()
  const { getSourceFile } = host
  host.getSourceFile = (name, version) => {
    if (!read.has(name)) read.set(name, getSourceFile(name, version))
    return read.get(name)
  }
  ts.createProgram(fileNames, { ...unchecked, declaration: false }, host).emit()
  emitDeclarations(ts.createProgram(fileNames, { ...unchecked, emitDeclarationOnly: true }, host))
}

const RELATIVE = /(['"])(\.{1,2}\/[^'"]+)\.ts\1/g

/** Of 400 files the exports reach 80. Zod's types in the others take most of the time and of the bytes. */
function emitDeclarations(program: ts.Program): void {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const entries = Object.values<{ types?: string }>(exports).flatMap(({ types }) => types ?? [])
  const sources = new Set(
    entries.map((name) => join(ROOT, name.replace('dist', 'src').replace('.d.ts', '.ts'))),
  )
  for (const source of sources)
    program.emit(program.getSourceFile(source), (file, text) => {
      for (const [, , path] of text.matchAll(RELATIVE)) sources.add(join(source, '..', `${path}.ts`))
      // TypeScript rewrites the extension in JavaScript only, and before 5.0 it rejects .ts here.
      ts.sys.writeFile(file, text.replaceAll(RELATIVE, '$1$2.js$1'))
    })
}
