// What a dialect gives to the declarations of tables: types of columns under names that both dialects have, and Drizzle's builders of
// tables and constraints. Each table is a function of it.
import type {
  BuildColumns,
  Column,
  ColumnBuilder,
  ColumnBuilderBase,
  HasDefault,
  NotNull,
  SQL,
} from 'drizzle-orm'
import type { PgTableWithColumns } from 'drizzle-orm/pg-core'
import type { SQLiteTableWithColumns } from 'drizzle-orm/sqlite-core'

/** As Drizzle calls them. */
export type DialectName = 'sqlite' | 'pg'

type ColumnConfig<T> = {
  name: string
  dataType: 'custom'
  columnType: string
  data: T
  driverParam: unknown
  enumValues: undefined
}

/** A column by the value that it has in JavaScript. */
interface ColumnOf<D extends DialectName, T> extends ColumnBuilder<ColumnConfig<T>, object, { dialect: D }> {
  references(column: () => Column, actions: { onDelete: 'cascade' }): this
}

type Columns = Record<string, ColumnBuilderBase>

type TableConfig<D extends DialectName, N extends string, C extends Columns> = {
  name: N
  schema: string | undefined
  columns: BuildColumns<N, C, D>
  dialect: D
}

type TableOf<N extends string, C extends Columns> = {
  sqlite: SQLiteTableWithColumns<TableConfig<'sqlite', N, C>>
  pg: PgTableWithColumns<TableConfig<'pg', N, C>>
}

/** A key, an index or a check. */
export type Constraint = object
type Index = { on(...columns: Column[]): Constraint & { where(condition: SQL): Constraint } }

export type ColumnTypes<D extends DialectName> = {
  uuid(name?: string): ColumnOf<D, string>
  text(name?: string): ColumnOf<D, string>
  /** Ordered by code point, and not by the collation of the database. */
  bytewiseText(name?: string): ColumnOf<D, string>
  int(name?: string): ColumnOf<D, number>
  bigint(name?: string): ColumnOf<D, number>
  bool(name?: string): ColumnOf<D, boolean>
  /** Epoch milliseconds in JavaScript. */
  instant(name?: string): ColumnOf<D, number>
  /** The primary key of rows that the database numbers. */
  numberedKey(name?: string): HasDefault<NotNull<ColumnOf<D, number>>>
}

export type Builders<D extends DialectName> = ColumnTypes<D> & {
  table<N extends string, C extends Columns>(
    name: N,
    columns: C,
    constraints?: (columns: Record<keyof C, Column>) => Constraint[],
  ): TableOf<N, C>[D]
  index(name: string): Index
  uniqueIndex(name: string): Index
  primaryKey(of: { columns: Column[] }): Constraint
  check(name: string, condition: SQL): Constraint
}
