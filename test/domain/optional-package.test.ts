// Optional packages: the message of a missing one, and errors of an installed one.
import { describe, expect, it } from 'vitest'
import { loadOptional, MissingPackageError } from '../../src/domain/optional-package.ts'

const notFound = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /app/smtp.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })

describe('an optional package', () => {
  it('is loaded if it is installed', async () => {
    expect(await loadOptional('Sending', 'post', async () => 'the package')).toBe('the package')
  })

  it('is named with the command that installs it if it is missing', async () => {
    const loading = loadOptional('Sending', 'post', () => Promise.reject(notFound('post')))
    await expect(loading).rejects.toThrow(new MissingPackageError('Sending', 'post'))
    await expect(loading).rejects.toThrow('Sending needs post: npm install post')
  })

  it('is not reported as missing if it fails to load, or if a package that it needs is missing', async () => {
    const broken = new Error('Unexpected token')
    await expect(loadOptional('Sending', 'post', () => Promise.reject(broken))).rejects.toBe(broken)
    const needed = notFound('stamps')
    await expect(loadOptional('Sending', 'post', () => Promise.reject(needed))).rejects.toBe(needed)
  })
})
