// Runs a job of the ledger's benchmark in a process of its own, so that its CPU time and memory are those of the job alone.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { end, onStop } from '../servers.ts'

const JOB = fileURLToPath(new URL('job.ts', import.meta.url))

export function runJob<T>(job: object): Promise<T> {
  const child = fork(JOB, [JSON.stringify(job)], { execArgv: ['--expose-gc'] })
  onStop(() => end(child, 'SIGKILL'))
  return new Promise((resolve, reject) => {
    let result: T | undefined
    child.once('message', (message) => (result = message as T))
    child.once('exit', (code, signal) => {
      if (result !== undefined && code === 0) resolve(result)
      else reject(new Error(`The job ${JSON.stringify(job)} ended with ${code ?? signal}.`))
    })
  })
}
