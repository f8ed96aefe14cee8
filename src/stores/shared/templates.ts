// The stored templates.
import { and, asc, eq } from 'drizzle-orm'
import type { Template } from '../../domain/messages/template.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Shared } from './database.ts'

export function templateOperations({ reader, writer, tables: { templates } }: Shared) {
  const templateIs = ({ type, language }: { type: string; language: string }) =>
    and(eq(templates.type, type), eq(templates.language, language))

  return {
    // `async` turns the query into a promise: each `await` of a Drizzle query runs it again.
    listTemplates: async () =>
      reader.select().from(templates).orderBy(asc(templates.type), asc(templates.language)),
    async saveTemplate(template: Template) {
      const saved =
        template.version === 1
          ? await writer
              .insert(templates)
              .values(template)
              .onConflictDoNothing()
              .returning({ type: templates.type })
          : await writer
              .update(templates)
              .set(template)
              .where(and(templateIs(template), eq(templates.version, template.version - 1)))
              .returning({ type: templates.type })
      return saved.length === 1 ? 'saved' : 'conflict'
    },
    async removeTemplate(of) {
      const removed = await writer.delete(templates).where(templateIs(of)).returning({ type: templates.type })
      return removed.length === 1
    },
  } satisfies Partial<SettingsStore>
}
