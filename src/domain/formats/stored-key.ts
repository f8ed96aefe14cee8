// An idempotency key of a request as it is stored. A caller may build keys from an address, and a key outlives the erasure
// of the person.
import { sha256Hex } from './sha256.ts'

/** `caller` is the id of the API key that the request came with; null without one. Neither contains a space. */
export function storedKey(key: string, caller: string | null): string {
  return `sha256:${sha256Hex(caller === null ? key : `${caller} ${key}`)}`
}
