// First answers to requests with an idempotency key: each is kept by the batch that writes what it tells of.
import type { Answer, Answered, NewAnswer } from '../../ports/store.ts'
import type { Executor, Plain, Value } from './executor.ts'

/** Statements for the batch; the answer is kept where the condition holds. A key that is taken fails the whole batch. */
export function keepAnswer(answer: NewAnswer, where: { sql: string; params: Value[] }): Plain[] {
  const { key, fingerprint, status, body, createdAt, forgetBefore } = answer
  return [
    { sql: 'DELETE FROM answers WHERE created_at < ?', params: [forgetBefore] },
    {
      sql: `INSERT INTO answers (key, fingerprint, status, body, created_at) SELECT ?, ?, ?, ?, ? WHERE ${where.sql}`,
      params: [key, fingerprint, status, body, createdAt, ...where.params],
    },
  ]
}

/** What the batch came to; or, if it failed because the key of its answer was taken, the answer that stands. */
export async function unlessAnswered<T>(
  executor: Executor,
  answer: NewAnswer | undefined,
  batch: () => Promise<T>,
): Promise<T | Answered> {
  try {
    return await batch()
  } catch (error) {
    const first = answer ? await findAnswer(executor, answer.key, answer.forgetBefore) : null
    if (first === null) throw error
    return { kind: 'answered', answer: first }
  }
}

export async function findAnswer(executor: Executor, key: string, notBefore: number): Promise<Answer | null> {
  const [row] = await executor.read({
    sql: 'SELECT fingerprint, status, body FROM answers WHERE key = ? AND created_at >= ?',
    params: [key, notBefore],
  })
  if (row === undefined) return null
  const [fingerprint, status, body] = row as [string, number, string | null]
  return { key, fingerprint, status, body }
}
