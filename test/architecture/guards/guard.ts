// A rule about the source tree, with small planted trees that break it.
import type { SourceFile } from '../support/source-file.ts'

export interface Guard {
  /** A sentence that is true of the tree. */
  readonly rule: string
  /** One line for each violation. Must not read files: the same check runs on the planted trees. */
  check(files: readonly SourceFile[]): string[]
  readonly planted: readonly Planted[]
}

export interface Planted {
  /** Completes "reports …". */
  readonly violation: string
  /** Path → text. */
  readonly tree: Readonly<Record<string, string>>
  readonly reported: readonly string[]
}

export function plantedFiles(planted: Planted): SourceFile[] {
  return Object.entries(planted.tree).map(([path, text]) => ({ path, text }))
}
