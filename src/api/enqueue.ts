// Applies changes that were enqueued by SQL, as the operations of the API do: one implementation of input, rules and problems.
import type { AppDeps } from '../app/app-deps.ts'
import { createTask } from '../app/tasks/tasks.ts'
import { deleteUser } from '../app/users/bulk.ts'
import { type UpsertResult, upsertUser, upsertUsers } from '../app/users/upsert.ts'
import { RowsLockedError } from '../domain/errors.ts'
import type { EnqueuedChange, EnqueuedOutcome } from '../ports/enqueue.ts'
import { invalidInput, Problem, problemJson } from './problem.ts'
import { checkShape } from './shape.ts'
import { problemOf } from './tasks/calls.ts'
import { EnqueuedTaskJson } from './tasks/json.ts'
import { findByExternalId, noSuchExternalId } from './users/calls.ts'
import { asWritten, type UserJsonDraft, userDraft } from './users/input.ts'

/**
 * One outcome for each change, in order. New people are created together, in three statements. Throws on an unexpected error.
 */
export async function applyEnqueued(
  app: AppDeps,
  changes: readonly EnqueuedChange[],
): Promise<EnqueuedOutcome[]> {
  const early = await applyFirstUpserts(app, changes)
  const outcomes: EnqueuedOutcome[] = []
  for (const change of changes) outcomes.push(early.get(change.id) ?? (await applyOne(app, change)))
  return outcomes
}

/** Upserts that no other change of their external id precedes. */
async function applyFirstUpserts(
  app: AppDeps,
  changes: readonly EnqueuedChange[],
): Promise<Map<number, EnqueuedOutcome>> {
  const seen = new Set<string>()
  const first = changes.filter(({ externalId, operation }) => {
    const isFirst = !seen.has(externalId)
    seen.add(externalId)
    return isFirst && operation === 'upsertUser'
  })
  const upserts = first.map((change) => ({ externalId: change.externalId, draft: draftOf(change) }))
  const results = await upsertUsers(app, upserts)
  return new Map(first.map(({ id }, i) => [id, outcomeOf(results[i]!, upserts[i]!.draft)]))
}

const draftOf = ({ body }: EnqueuedChange): UserJsonDraft => userDraft.parse(JSON.parse(body!))

function outcomeOf(result: UpsertResult, draft: UserJsonDraft): EnqueuedOutcome {
  if (result.kind === 'invalid') return rejected(invalidInput(asWritten(draft, result.problems)))
  return { kind: 'applied' }
}

const rejected = (problem: Problem): EnqueuedOutcome => ({ kind: 'rejected', problem: problemJson(problem) })

async function applyOne(app: AppDeps, change: EnqueuedChange): Promise<EnqueuedOutcome> {
  switch (change.operation) {
    case 'upsertUser': {
      const draft = draftOf(change)
      return outcomeOf(await upsertUser(app, change.externalId, draft), draft)
    }
    case 'deleteUser': {
      // Changes of the person that were enqueued after the deletion are still to be applied.
      const user = await findByExternalId(app, change.externalId)
      if (user !== null) await deleteUser(app, user.id, { keepEnqueued: true })
      return { kind: 'applied' }
    }
    case 'createTask':
      return createEnqueuedTask(app, change)
  }
}

async function createEnqueuedTask(
  app: AppDeps,
  { externalId, body }: EnqueuedChange,
): Promise<EnqueuedOutcome> {
  const parsed = checkShape(EnqueuedTaskJson, JSON.parse(body!))
  if (!parsed.ok) return rejected(invalidInput(parsed.problems))
  const user = await findByExternalId(app, externalId)
  if (user === null) return rejected(noSuchExternalId())
  const { externalId: _, ...input } = parsed.value
  const result = await createTask(app, user.id, input)
  if (result.kind === 'saved') return { kind: 'applied' }
  if (result.kind === 'keyed') throw new Error('A task without a keyed id found a record with one.')
  return rejected(result.kind === 'missing' ? noSuchExternalId() : problemOf(result, {}))
}

/** The problem of a change that fails with an unexpected error. Without its message, which can quote a row. */
export function unexpectedProblem(error: unknown): ReturnType<typeof problemJson> {
  if (error instanceof RowsLockedError) return problemJson(new Problem('INTERNAL', error.message))
  const { name, code } = error as { name?: string; code?: string }
  return problemJson(new Problem('INTERNAL', `Applying the change failed: ${code ?? name ?? 'error'}.`))
}
