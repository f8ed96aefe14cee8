// Mistakes with the record of moves.
import { replan } from '../../../src/stores/sqlite-dialect/events/reschedules.ts'
import type { Executor, Statement } from '../../../src/stores/sqlite-dialect/executor.ts'
import { occasionOperations } from '../../../src/stores/sqlite-dialect/people/occasions.ts'
import { peopleOperations } from '../../../src/stores/sqlite-dialect/people/people.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const records = ({ sql }: Statement) => sql.startsWith('INSERT INTO moves')

/** The executor without the statements that record moves. */
function withoutRecords(executor: Executor): Executor {
  return {
    ...executor,
    batch: (statements, how) =>
      executor.batch(
        statements.filter((statement) => !records(statement)),
        how,
      ),
  }
}

const moveNotRecorded: Mistake = {
  name: 'move-not-recorded',
  description: 'A change of a person moves an event without a record.',
  breaks: ['moves are recorded'],
  store: (store, { executor }) =>
    replaceIn(store, { updateUser: peopleOperations(withoutRecords(executor)).updateUser }),
}

const editNotRecorded: Mistake = {
  name: 'edit-not-recorded',
  description: 'An edit, a pause or a resumption of an occasion moves its event without a record.',
  breaks: ['moves are recorded'],
  store: (store, { executor }) =>
    replaceIn(store, { saveOccasion: occasionOperations(withoutRecords(executor)).saveOccasion }),
}

const replanNotRecorded: Mistake = {
  name: 'replan-not-recorded',
  description: 'A newer timezone table moves events without a record.',
  breaks: ['moves are recorded'],
  store: (store, { executor }) =>
    replaceIn(store, { replan: (moves, at) => replan(withoutRecords(executor), moves, at) }),
}

const recordedApart: Mistake = {
  name: 'move-recorded-apart',
  description: 'A move is recorded in a transaction of its own, after the move.',
  breaks: ['moves are recorded'],
  store: (store, { executor }) => {
    const apart: Executor = {
      ...executor,
      async batch(statements, how) {
        const done = await withoutRecords(executor).batch(statements, how)
        await executor.batch(statements.filter(records), how)
        return done
      },
    }
    return replaceIn(store, { updateUser: peopleOperations(apart).updateUser })
  },
}

export const MOVE_MISTAKES: readonly Mistake[] = [
  moveNotRecorded,
  editNotRecorded,
  replanNotRecorded,
  recordedApart,
]
