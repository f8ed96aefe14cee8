// package-lock.json: the same packages for everybody, from any registry.
import { describe, expect, it } from 'vitest'
import { readLock } from './support/checkout.ts'

const packages = Object.entries(readLock())

describe('package-lock.json', () => {
  it('names no registry, so that npm installs from the configured one', () => {
    const named = packages.filter(([, { resolved }]) => resolved !== undefined && /[:/]{2}/.test(resolved))
    expect(named).toEqual([])
  })

  it('has a hash of every package from a registry', () => {
    const installed = packages.filter(([path, { link }]) => path.includes('node_modules/') && !link)
    expect(installed.length).toBeGreaterThan(100)
    expect(
      installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    ).toEqual([])
  })

  // drizzle-orm has kysely, knex and @prisma/client as optional peers: under their own names, npm counts them, and TypeScript, as
  // optional packages of Terce, and `npm ci --omit=dev` installs 83 MB more.
  it('has the libraries that the adapters are tested with, and the compiler, for development only', () => {
    const names = ['test-knex', 'test-kysely', 'test-prisma-client', '@prisma/adapter-pg', 'typescript']
    const lock = readLock()
    expect(names.filter((name) => lock[`node_modules/${name}`]?.dev !== true)).toEqual([])
  })
})
