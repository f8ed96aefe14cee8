// Routes of the dashboard. In tests its base is `/` instead of `/app/`.
import { describe, expect, it } from 'vitest'
import { readRoute } from '../../web/src/router.tsx'

describe('readRoute', () => {
  it('reads the page and the id from the path', () => {
    expect(readRoute('/')).toEqual({ page: 'today', id: null })
    expect(readRoute('/people')).toEqual({ page: 'people', id: null })
    expect(readRoute('/people/')).toEqual({ page: 'people', id: null })
    expect(readRoute('/people/7')).toEqual({ page: 'people', id: '7' })
    expect(readRoute('/event/7')).toEqual({ page: 'event', id: '7' })
    expect(readRoute('/ledger')).toEqual({ page: 'ledger', id: null })
    expect(readRoute('/ledger/2026-11-16')).toEqual({ page: 'ledger', id: '2026-11-16' })
  })

  it('decodes the id, which may hold a slash', () => {
    expect(readRoute('/people/..%2Fkey')).toEqual({ page: 'people', id: '../key' })
  })

  it('is null for an id with a malformed escape', () => {
    expect(readRoute('/people/%E0%A4%A')).toBeNull()
  })

  it('is null for an unknown page, a missing id and a path that is too long', () => {
    for (const path of ['/nowhere', '/event', '/upcoming/7', '/people/7/more']) {
      expect([path, readRoute(path)]).toEqual([path, null])
    }
  })
})
