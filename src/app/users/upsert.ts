// Creates the person with an external id, or changes them. The unique index decides which of two first calls creates.
import type { FieldProblem } from '../../domain/errors.ts'
import { differs, parseUserChange, type User } from '../../domain/users/user.ts'
import { parseExternalId } from '../../domain/users/user-fields.ts'
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
  const checked = check(deps, externalIdText, draft)
  if (checked.kind === 'invalid') return checked
  const { externalId, input } = checked
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

/**
 * Creates the new people in one operation, and changes the others one after the other: one result for each upsert, in order.
 * Reads and writes nothing more for people who do not change.
 */
export async function upsertUsers(
  deps: AppDeps,
  upserts: readonly { externalId: string; draft: UserDraft }[],
): Promise<UpsertResult[]> {
  const checked = upserts.map(({ externalId, draft }) => check(deps, externalId, draft))
  const ids = checked.flatMap((one) => (one.kind === 'valid' ? [one.externalId] : []))
  const users = await deps.store.findUsersByExternalId(ids)
  const known = new Map(users.map((user) => [user.externalId, user]))
  const drafts = checked.flatMap((one, i) =>
    one.kind === 'valid' && !known.has(one.externalId) ? [{ ...upserts[i]!.draft, input: one.input }] : [],
  )
  const created = await createUsers(deps, drafts)
  const seen = new Set<string>()
  const results: UpsertResult[] = []
  for (const [i, { externalId, draft }] of upserts.entries()) {
    const one = checked[i]!
    results.push(early(one) ?? (await upsertUser(deps, externalId, draft)))
  }
  return results

  /** Null if the person has to be changed. */
  function early(one: Checked): UpsertResult | null {
    if (one.kind === 'invalid') return one
    const user = known.get(one.externalId)
    const isFirst = !seen.has(one.externalId)
    seen.add(one.externalId)
    if (user !== undefined) return isFirst ? unchanged(deps, user, one.input) : null
    const outcome = created.shift()!
    return outcome.kind === 'taken' ? null : outcome
  }
}

function unchanged({ clock, planner }: AppDeps, user: User, input: UserDraft['input']): UpsertResult | null {
  const fields = parseUserChange(user, input, { now: clock.now(), table: planner.table })
  if (!fields.ok || differs(user, fields.value)) return null
  return { kind: 'changed', user, rescheduled: 0, skipped: 0, moves: [] }
}

type Checked =
  | { kind: 'valid'; externalId: string; input: UserDraft['input'] & { externalId: string } }
  | { kind: 'invalid'; problems: FieldProblem[] }

function check(deps: AppDeps, externalIdText: string, draft: UserDraft): Checked {
  const parsed = parseExternalId(externalIdText)
  const problems = [...(parsed.ok ? [] : parsed.problems), ...otherExternalId(draft, parsed)]
  if (!parsed.ok || problems.length > 0 || (draft.problems ?? []).length > 0)
    return { kind: 'invalid', problems: [...problems, ...draftProblems(deps, draft)] }
  return { kind: 'valid', externalId: parsed.value, input: { ...draft.input, externalId: parsed.value } }
}

async function create(deps: AppDeps, draft: UserDraft, dryRun: boolean): Promise<UpsertResult | null> {
  if (dryRun) {
    const planned = planDraft(deps, draft)
    return planned.ok ? { kind: 'created', person: planned.value } : { kind: 'invalid', ...planned }
  }
  const [outcome] = await createUsers(deps, [draft])
  return outcome!.kind === 'taken' ? null : outcome!
}

/** The body may repeat the external id of the path, in any spelling of it. */
function otherExternalId({ input }: UserDraft, inPath: ReturnType<typeof parseExternalId>): FieldProblem[] {
  if (input.externalId === undefined || !inPath.ok) return []
  const inBody = input.externalId === null ? null : parseExternalId(input.externalId)
  if (inBody?.ok && inBody.value === inPath.value) return []
  const message = 'The external ids in the path and in the body differ. Omit it in the body.'
  return [{ field: 'externalId', code: 'CONFLICTING_FIELDS', message }]
}
