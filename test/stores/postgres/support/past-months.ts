// Partitions for months of the past, as an installation of that time has them.
import { firstIdAt } from '../../../../src/domain/events/uuid.ts'
import { query } from './audit.ts'

/** For a database without settled events. `from` is a month such as 2019-01. */
export async function createPastMonths(url: string, from: string, count: number): Promise<void> {
  const [year, month] = from.split('-').map(Number)
  const idOf = (index: number) => firstIdAt(Date.UTC(year!, month! - 1 + index))
  const nameOf = (index: number) =>
    new Date(Date.UTC(year!, month! - 1 + index)).toISOString().slice(0, 7).replace('-', '_')
  const statements = ['settled_events', 'payloads'].flatMap((table) =>
    Array.from({ length: count }, (_, i) => [
      `CREATE TABLE terce.${table}_${nameOf(i)} (LIKE terce.${table}_other INCLUDING ALL)`,
      `ALTER TABLE terce.${table} ATTACH PARTITION terce.${table}_${nameOf(i)} FOR VALUES FROM ('${idOf(i)}') TO ('${idOf(i + 1)}')`,
    ]).flat(),
  )
  await query(url, statements.join(';\n'))
}
