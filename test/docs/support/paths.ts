// Finds the paths that a page names, in code spans and in links, and says which of them do not exist.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('../../../', import.meta.url).pathname

/** `folder` is where the page lies: links are relative to it, code spans to the root of the project. */
export function missingPaths(text: string, folder = 'docs'): string[] {
  const spans = [
    ...text.matchAll(/`((?:src|test|web|docs|deploy|bench|migrations|examples|scripts|bin)(?:\/[\w.-]+)*)`/g),
  ]
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
  const paths = [...spans.map((match) => match[1]!), ...links.map((match) => join(folder, match[1]!))]
  return [...new Set(paths)].filter((path) => !existsSync(join(ROOT, path)))
}
