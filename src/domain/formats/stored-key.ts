// An idempotency key of a request as it is stored. A caller may build keys from an address, and a key outlives the erasure
// of the person.
import { sha256Hex } from './sha256.ts'

/** Keys without this prefix were stored by an earlier release, in clear. */
export const HASHED = 'sha256:'

/** `caller` is the id of the API key that the request came with; null without one. Neither contains a space. */
export function storedKey(key: string, caller: string | null = null): string {
  return `${HASHED}${sha256Hex(caller === null ? key : `${caller} ${key}`)}`
}
