// Creates the person with an external id, or changes them. The unique index decides which of two first calls creates.
import type { FieldProblem } from '../../domain/errors.ts'
import { parseExternalId } from '../../domain/users/user.ts'
import type { NewPerson } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { type ChangeResult, changeUser } from './change.ts'
import { createUsers, planDraft } from './create.ts'
import { draftProblems, type UserDraft } from './draft.ts'

export type UpsertResult =
  | { kind: 'created'; person: NewPerson }
  | (ChangeResult & { kind: 'changed' | 'outdated' })
  | { kind: 'invalid'; problems: FieldProblem[] }

/**
 * Idempotent for ever: a repeated call finds the person and, if nothing differs, writes nothing. `ifVersion: '*'` and a list of
 * versions only change a person who exists.
 */
export async function upsertUser(
  deps: AppDeps,
  externalIdText: string,
  draft: UserDraft,
  how: { ifVersion?: readonly number[] | '*' | null; dryRun?: boolean } = {},
): Promise<UpsertResult> {
  const { ifVersion = null, dryRun = false } = how
  const parsed = parseExternalId(externalIdText)
  const problems = [...(parsed.ok ? [] : parsed.problems), ...otherExternalId(draft, parsed)]
  if (!parsed.ok || problems.length > 0 || (draft.problems ?? []).length > 0)
    return { kind: 'invalid', problems: [...problems, ...draftProblems(deps, draft)] }
  const externalId = parsed.value
  const input = { ...draft.input, externalId }
  return retryOnConflict('The person with an external id', async () => {
    const [user] = await deps.store.findUsersByExternalId([externalId])
    if (user === undefined) {
      if (ifVersion !== null) return { kind: 'outdated' }
      return create(deps, { ...draft, input }, dryRun)
    }
    const versions = ifVersion === '*' ? null : ifVersion
    const change = { input, ifVersion: versions, dryRun, of: { externalId }, ifDifferent: true }
    const result = await changeUser(deps, user.id, change)
    // The person was deleted, or got another external id, since they were found.
    if (result.kind === 'missing' || result.kind === 'taken') return null
    return result
  })
}

async function create(deps: AppDeps, draft: UserDraft, dryRun: boolean): Promise<UpsertResult | null> {
  if (dryRun) {
    const planned = planDraft(deps, draft)
    return planned.ok ? { kind: 'created', person: planned.value } : { kind: 'invalid', ...planned }
  }
  const result = await createUsers(deps, [draft])
  if (result.kind !== 'done') throw new Error('A request without a key found a stored response.')
  const outcome = result.outcomes[0]!
  return outcome.kind === 'taken' ? null : outcome
}

/** The body may repeat the external id of the path, in any spelling of it. */
function otherExternalId({ input }: UserDraft, inPath: ReturnType<typeof parseExternalId>): FieldProblem[] {
  if (input.externalId === undefined || !inPath.ok) return []
  const inBody = input.externalId === null ? null : parseExternalId(input.externalId)
  if (inBody?.ok && inBody.value === inPath.value) return []
  const message = 'The external ids in the path and in the body differ. Omit it in the body.'
  return [{ field: 'externalId', code: 'CONFLICTING_FIELDS', message }]
}
