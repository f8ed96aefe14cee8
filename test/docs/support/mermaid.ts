// Checks the lines of Mermaid diagrams against the part of its grammar that the documents use. Mermaid itself needs a browser
// and 150 packages.

const NAME = '[A-Za-z_][A-Za-z0-9_]*'
const GRAMMAR: Record<string, readonly RegExp[]> = {
  erDiagram: [
    new RegExp(`^${NAME} (\\|\\||\\|o|\\}o|\\}\\|)--(\\|\\||o\\||o\\{|\\|\\{) ${NAME} : (${NAME}|"[^"]+")$`),
    new RegExp(`^${NAME} \\{$`),
    new RegExp(`^${NAME} ${NAME}( (PK|FK|UK))?$`),
    /^\}$/,
  ],
  'stateDiagram-v2': [
    new RegExp(`^(\\[\\*\\]|${NAME}) --> (\\[\\*\\]|${NAME})( : [^:;]+)?$`),
    new RegExp(`^state ${NAME} \\{$`),
    /^\}$/,
  ],
  sequenceDiagram: [
    new RegExp(`^participant ${NAME} as [^;#]+$`),
    new RegExp(`^${NAME}(->>|-->>|-\\)|--\\))${NAME}: [^;#]+$`),
    new RegExp(`^Note over ${NAME}(,${NAME})?: [^;#]+$`),
    /^(loop|alt|else|opt) [^;#]+$/,
    /^(par|and|end)$/,
  ],
}

/** The lines that do not fit, or a word on a block that is not closed or a participant that is not declared. */
export function mermaidProblems(diagram: string): string[] {
  const [kind, ...rest] = diagram.trim().split('\n')
  const rules = GRAMMAR[kind!]
  if (rules === undefined) return [`unknown kind of diagram: ${kind}`]
  const lines = rest.map((line) => line.trim()).filter((line) => line !== '')
  const problems = lines.filter((line) => !rules.some((rule) => rule.test(line)))
  const opened = lines.filter((line) => /\{$/.test(line) || /^(loop|alt|opt) |^par$/.test(line)).length
  const closed = lines.filter((line) => line === '}' || line === 'end').length
  if (opened !== closed) problems.push(`${opened} blocks opened, ${closed} closed`)
  if (kind === 'sequenceDiagram') problems.push(...undeclared(lines))
  return problems
}

function undeclared(lines: readonly string[]): string[] {
  const declared = new Set(lines.map((line) => /^participant (\w+) as /.exec(line)?.[1]))
  const used = lines.flatMap((line) => /^(\w+?)(?:->>|-->>|-\)|--\))(\w+):/.exec(line)?.slice(1) ?? [])
  return [...new Set(used)].filter((name) => !declared.has(name)).map((name) => `not a participant: ${name}`)
}
