// Parses the instructions of a Dockerfile that this repository uses. Any other instruction or flag is an error, so that the
// replay in image.ts never ignores one.

export type Copy = { kind: 'copy'; from: string | null; sources: string[]; target: string; text: string }
export type Step = Copy | { kind: 'run'; command: string; text: string } | { kind: 'workdir'; path: string }

export type Stage = {
  image: string
  name: string | null
  steps: Step[]
  env: Record<string, string>
  user: string | null
  volumes: string[]
  ports: number[]
  stopSignal: string
  healthcheck: string[] | null
  entrypoint: string[]
  command: string[]
}

export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = []
  for (const line of logicalLines(text)) {
    const [, instruction, rest] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? [null, line, '']
    if (instruction === 'FROM') stages.push(newStage(rest!))
    else if (stages.length === 0) throw new Error(`Before the first FROM: ${line}`)
    else apply(stages.at(-1)!, instruction!, rest!, line)
  }
  return stages
}

/** Lines without comments; a line that ends with a backslash continues on the next. */
export function logicalLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function newStage(rest: string): Stage {
  const [, image, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? unknown(`FROM ${rest}`)
  return {
    image: image!,
    name: name ?? null,
    steps: [],
    env: {},
    user: null,
    volumes: [],
    ports: [],
    stopSignal: 'SIGTERM',
    healthcheck: null,
    entrypoint: [],
    command: [],
  }
}

function apply(stage: Stage, instruction: string, rest: string, text: string): void {
  switch (instruction) {
    case 'WORKDIR':
      stage.steps.push({ kind: 'workdir', path: rest })
      break
    case 'COPY':
      stage.steps.push(parseCopy(rest, text))
      break
    case 'RUN':
      stage.steps.push({ kind: 'run', command: rest, text })
      break
    case 'ENV':
      for (const pair of rest.split(/\s+/)) {
        const [, name, value] = /^(\w+)=([^'"\\$]*)$/.exec(pair) ?? unknown(text)
        stage.env[name!] = value!
      }
      break
    case 'USER':
      stage.user = rest
      break
    case 'VOLUME':
      stage.volumes.push(...rest.split(/\s+/))
      break
    case 'EXPOSE':
      stage.ports.push(...rest.split(/\s+/).map(Number))
      break
    case 'STOPSIGNAL':
      stage.stopSignal = rest
      break
    case 'HEALTHCHECK': {
      const [, command] = /^(?:--[a-z-]+=\w+\s+)*CMD\s+(.+)$/.exec(rest) ?? unknown(text)
      stage.healthcheck = words(command!)
      break
    }
    case 'ENTRYPOINT':
      stage.entrypoint = words(rest)
      break
    case 'CMD':
      stage.command = words(rest)
      break
    default:
      unknown(text)
  }
}

function parseCopy(rest: string, text: string): Copy {
  const parts = rest.split(/\s+/)
  const flags = parts.filter((part) => part.startsWith('--'))
  const from = flags.map((flag) => (/^--from=(.+)$/.exec(flag) ?? unknown(text))[1]!)[0] ?? null
  const paths = parts.slice(flags.length)
  const target = paths.pop()
  if (target === undefined || paths.length === 0) unknown(text)
  return { kind: 'copy', from, sources: paths, target: target!, text }
}

/** The exec form alone: with a shell in between, the process would not get the signals. */
function words(text: string): string[] {
  return JSON.parse(text)
}

function unknown(text: string): never {
  throw new Error(`This test cannot replay: ${text}`)
}
