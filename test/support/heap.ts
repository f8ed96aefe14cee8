// Memory that is still in use, for tests of what a request retains.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The bytes of the heap after a complete collection. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
