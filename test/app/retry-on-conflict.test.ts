import { describe, expect, it } from 'vitest'
import { retryOnConflict } from '../../src/app/retry-on-conflict.ts'

describe('retryOnConflict', () => {
  it('repeats the attempt until it returns a result', async () => {
    const results = [null, null, 'saved']
    expect(await retryOnConflict('User 1', async () => results.shift() ?? null)).toBe('saved')
    expect(results).toEqual([])
  })

  it('throws, naming the record, after 100 conflicts in a row', async () => {
    let tries = 0
    const attempt = async () => {
      tries += 1
      return null
    }
    await expect(retryOnConflict('User 1', attempt)).rejects.toThrow(
      'User 1 changed under each of 100 tries to change it.',
    )
    expect(tries).toBe(100)
  })

  it('does not retry an attempt that throws', async () => {
    let tries = 0
    const attempt = async () => {
      tries += 1
      throw new Error('The store is down.')
    }
    await expect(retryOnConflict('User 1', attempt)).rejects.toThrow('The store is down.')
    expect(tries).toBe(1)
  })
})
