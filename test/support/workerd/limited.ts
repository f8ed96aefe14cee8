// Simulates D1's limit of queries in one call of a Worker: each statement counts, also within a batch.

/**
 * A module that exports the handlers of `worker.js` with a D1 that rejects every query after the given number. The count
 * begins again with each call, so calls must not overlap.
 */
export function limitedEntry(queries: number): string {
  return `import worker from './worker.js'

let left = 0
function spend(count) {
  left -= count
  if (left < 0) throw new Error('D1_ERROR: Too many API requests by single Worker invocation.')
}

const real = new WeakMap()
function wrap(statement) {
  const wrapped = { bind: (...values) => wrap(statement.bind(...values)) }
  for (const method of ['raw', 'run', 'all'])
    wrapped[method] = async () => {
      spend(1)
      return statement[method]()
    }
  real.set(wrapped, statement)
  return wrapped
}

function begin({ DB, ...env }) {
  left = ${queries}
  const batch = async (statements) => {
    spend(statements.length)
    return DB.batch(statements.map((statement) => real.get(statement)))
  }
  return { ...env, DB: { prepare: (sql) => wrap(DB.prepare(sql)), batch } }
}

// As the platform does, which logs the error of a call.
async function logged(call) {
  try {
    return await call
  } catch (error) {
    console.log('Thrown: ' + error.message)
    throw error
  }
}

export default {
  fetch: (request, env, context) => logged(worker.fetch(request, begin(env), context)),
  scheduled: (event, env, context) => logged(worker.scheduled(event, begin(env), context)),
  queue: (batch, env, context) => logged(worker.queue(batch, begin(env), context)),
}
`
}
