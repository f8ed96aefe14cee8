// Chooses tasks and their changes, mostly around the time of their reminders.
import type { UserInput } from '../../../src/domain/users/user.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../support/fixtures.ts'
import type { Edit, TaskPlan } from '../scenario.ts'
import type { Dice } from '../support/dice.ts'
import { nearDue } from './near-due.ts'

const BEFORE = [MINUTE, HOUR, DAY, DAY, 7 * DAY]
const NIGHTS = ['22:00-08:00', '00:00-06:30', '08:30-09:30', '00:30-02:30']

type PersonPlan = { person: number; dueTimes: number[]; from: number; faultsEndAt: number }

export function chooseTasks(dice: Dice, plan: PersonPlan): Edit[] {
  const roll = dice.roll()
  const many = roll < 0.06 ? 2 : roll < 0.28 ? 1 : 0
  return Array.from({ length: many }, (_, task) => chooseTask(dice, plan, task)).flat()
}

function chooseTask(dice: Dice, { person, dueTimes, from, faultsEndAt }: PersonPlan, task: number): Edit[] {
  const days = Math.floor((faultsEndAt - from) / DAY)
  const createdAt = dice.chance(0.3)
    ? nearDue(dice, dice.pick([from, ...dueTimes]))
    : from + dice.between(1, days) * DAY
  const plan = choosePlan(dice, createdAt, task)
  const remindedAt = Math.max(createdAt, plan.dueAt - plan.remindBeforeMs)
  if (remindedAt < faultsEndAt) dueTimes.push(remindedAt)
  const soon = () =>
    dice.chance(0.2)
      ? remindedAt + dice.between(1, 72) * HOUR
      : nearDue(dice, dice.chance(0.8) ? remindedAt : plan.dueAt)
  const edits: Edit[] = []
  for (let changes = dice.pick([0, 1, 1, 2]); changes > 0; changes--) {
    const at = soon()
    edits.push({ at, person, task, kind: 'change task', change: chooseChange(dice, at, task) })
  }
  if (dice.chance(0.25)) edits.push({ at: soon(), person, kind: 'change', input: chooseUserChange(dice) })
  if (dice.chance(0.35)) edits.push({ at: soon(), person, task, kind: 'complete task' })
  if (dice.chance(0.1)) edits.push({ at: soon(), person, task, kind: 'remove task' })
  return [
    { at: createdAt, person, task, kind: 'add task', plan },
    ...edits.filter(({ at }) => at >= createdAt),
  ]
}

function choosePlan(dice: Dice, now: number, task: number): TaskPlan {
  return {
    title: `Task ${task}`,
    dueAt: chooseDue(dice, now),
    remindBeforeMs: dice.pick(BEFORE),
    quietHours: dice.chance(0.5) ? dice.pick(NIGHTS) : null,
  }
}

/** Some within the time of their reminder, a few already past due. */
function chooseDue(dice: Dice, now: number): number {
  const roll = dice.roll()
  if (roll < 0.1) return now - dice.between(0, 5) * SECOND
  if (roll < 0.5) return now + dice.between(1, 30) * HOUR
  return now + dice.between(1, 20) * DAY
}

/** A move changes the quiet hours; a corrected birth date must change nothing. */
function chooseUserChange(dice: Dice): Partial<UserInput> {
  return dice.chance(0.6)
    ? { timezone: dice.pick(['Asia/Tokyo', 'America/New_York', 'Europe/London']) }
    : { dateOfBirth: dice.pick(['1990-03-01', '1996-02-29']) }
}

function chooseChange(dice: Dice, now: number, task: number): Partial<TaskPlan> {
  const roll = dice.roll()
  if (roll < 0.6) return { dueAt: chooseDue(dice, now) }
  if (roll < 0.75) return { remindBeforeMs: dice.pick(BEFORE) }
  if (roll < 0.9) return { quietHours: dice.chance(0.7) ? dice.pick(NIGHTS) : null }
  return { title: `Task ${task} changed` }
}
