// The address of a caller. Headers count only if a trusted proxy sent them, because a caller can set them too.
import type { Context } from 'hono'
import { callerGroup, isInRanges, parseIpAddress } from '../../../domain/access/ip-address.ts'

/** Null where the address is unknown. */
export function callerAddress(c: Context): string | null {
  const { remoteAddress, trustedProxies } = c.get('access')
  let address = remoteAddress(c)
  // Each proxy appends the address that it saw.
  const forwarded = c.req.header('X-Forwarded-For')?.split(',') ?? []
  while (address !== null && isInRanges(trustedProxies, address)) {
    const before = forwarded.pop()?.trim() ?? ''
    if (parseIpAddress(before) === null) break
    address = before
  }
  return address
}

/** Names the caller's address in a rate limit. */
export function callerOf(c: Context): string {
  return callerGroup(callerAddress(c) ?? 'unknown')
}
