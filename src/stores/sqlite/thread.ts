// The thread that owns a connection: runs calls one after the other and replies to each.
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './connection.ts'
import { flatten, type OpenedFile, type Reply, type ThreadCall, type ThreadFailure } from './executor.ts'
import { leaveLockFree } from './lock.ts'

const port = parentPort!

function reply(id: number, work: () => Reply & { results: unknown }): void {
  try {
    port.postMessage(work())
  } catch (error) {
    port.postMessage({ id, error: toFailure(error as ThreadFailure) } satisfies Reply)
  }
}

/** Copied by hand: of an error only name, message and stack would cross. */
function toFailure({ name, message, code, errcode, errstr }: ThreadFailure): ThreadFailure {
  return { name, message, code, errcode, errstr }
}

const { path, prefix, cache } = workerData as OpenedFile
let connection: ReturnType<typeof openConnection>
reply(0, () => {
  connection = openConnection(path, prefix, cache)
  return { id: 0, results: [] }
})

port.on('message', (call: ThreadCall) => {
  const { id } = call
  let changedRows = 0
  reply(id, () => {
    switch (call.kind) {
      case 'batch': {
        const results = connection.batch(call.commands, call.durable).map(flatten)
        changedRows = results.reduce((sum, { changes }) => sum + changes, 0)
        return { id, results }
      }
      case 'read':
        return { id, results: [flatten({ rows: connection.read(call.command), changes: 0 })] }
      case 'emptyLog':
        return { id, results: [flatten({ rows: [], changes: connection.emptyLog() ? 1 : 0 })] }
      case 'close':
        connection.close()
        return { id, results: [] }
    }
  })
  leaveLockFree(changedRows)
})
