// The exports and the manifest of the package, read from the sources: what each export imports, and how large it is.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ROOT } from './support/checkout.ts'

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const COMMAND = ['./bin/terce.js', './dist/cli/terce.js', './dist/stores/sqlite/thread.js']

/** Bytes, minified and not compressed, with all that the entry imports but packages. About a tenth above the size of 0.2.0. */
const BUDGETS: Record<string, number> = {
  '.': 908_000,
  './adapters': 2_700,
  './testing': 899_000,
  './client': 7_000,
  './receiver': 6_000,
  './core': 270_000,
  './worker': 791_000,
  './lambda': 845_000,
}

/** `entry` is a compiled file of the manifest. Its source is bundled, which needs no build. */
async function bundle(entry: string) {
  const source = entry.replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts')
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, source)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    // The command imports compiled files, which are bundled by themselves.
    external: ['cloudflare:workers', '../dist/*'],
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const outside = imports.filter(({ external }) => external).map(({ path, kind }) => ({ path, kind }))
  return { bytes: outputFiles[0]!.contents.length, outside }
}

describe('the export', () => {
  const entries = Object.entries<{ default?: string }>(manifest.exports)

  it.each(entries.filter(([, target]) => target.default))('%s is within its size', async (name, target) => {
    const { bytes } = await bundle(target.default!)
    expect(bytes).toBeLessThan(BUDGETS[name]!)
    expect(bytes).toBeGreaterThan(BUDGETS[name]! * 0.7)
  })

  it.each(['./adapters', './client', './receiver', './core'])(
    '%s imports nothing outside the package',
    async (name) => {
      const { outside } = await bundle(manifest.exports[name].default)
      expect(outside).toEqual([])
    },
  )
})

describe('the manifest', () => {
  it('names every package that the code imports, and no other', async () => {
    const all = [
      ...COMMAND,
      ...['.', './testing', './worker', './lambda'].map((name) => manifest.exports[name].default),
    ]
    const outside = (await Promise.all(all.map(bundle))).flatMap((one) => one.outside)
    const packages = outside.filter(({ path }) => !/^(node:|cloudflare:|\.)/.test(path))
    const nameOf = (path: string) => /^(@[^/]+\/)?[^/]+/.exec(path)![0]
    const needed = new Set(packages.map(({ path }) => nameOf(path)))
    const optional = Object.keys({ ...manifest.optionalDependencies, ...manifest.peerDependencies })
    const known = [...Object.keys(manifest.dependencies), ...optional]
    expect([...needed].filter((name) => !known.includes(name))).toEqual([])
    // A peer of @hono/zod-openapi, which re-exports it.
    expect(Object.keys(manifest.dependencies).filter((name) => !needed.has(name))).toEqual(['zod'])
    expect(optional.filter((name) => !/^node-linux/.test(name) && !needed.has(name))).toEqual([])
  })

  it('ships what its pages link to, but for the pages about the repository that README.md and the index name', async () => {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      maxBuffer: 1e7,
    })
    const paths: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
    const pages = paths.filter((path) => path.endsWith('.md'))
    expect(pages).toContain('docs/deploy-node.md')
    const ofRepository =
      /^(CONTRIBUTING\.md|docs\/(architecture|data-model|requirements|simulation|how-terce-is-tested)\.md|docs\/decisions\b.*)$/
    const dead = pages.flatMap((page) => {
      const links = readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)
      const targets = [...links].map(([, link]) => normalize(join(dirname(page), link!)).replace(/\/$/, ''))
      const isShipped = (path: string) => paths.some((one) => one === path || one.startsWith(`${path}/`))
      const isIndex = page === 'README.md' || page === 'docs/README.md'
      return targets
        .filter((path) => !isShipped(path) && !(isIndex && ofRepository.test(path)))
        .map((path) => `${page} links to ${path}`)
    })
    expect(dead).toEqual([])
  })

  it('has no script that npm runs when the package is installed', () => {
    const names = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']
    expect(Object.keys(manifest.scripts).filter((name) => names.includes(name))).toEqual([])
  })
})
