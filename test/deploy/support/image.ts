// Builds the image of a Dockerfile without Docker: replays COPY and RUN in one empty folder for each stage. The machine's own
// Node and shell stand in for the base image. Absolute paths are mapped into the folder of the stage.
import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { type Copy, logicalLines, parseDockerfile, type Stage } from './dockerfile.ts'

const run = promisify(execFile)
const isRoot = process.getuid!() === 0

export type Image = Stage & { root: string; workdir: string }
type Build = { context: string; ignores: (path: string) => boolean; folder: string }

export type Builder = { build(dockerfile: string): Promise<Image> }

/** Stages whose instructions are equal are built once. */
export function imageBuilder(context: string, dockerignore: string, folder: string): Builder {
  const built = new Map<string, Promise<Image>>()
  const build = { context, ignores: parseDockerignore(dockerignore), folder }
  return {
    build: async (dockerfile) => {
      const images: Image[] = []
      for (const stage of parseDockerfile(dockerfile)) {
        const key = JSON.stringify([stage, images.map(({ root }) => root)])
        if (!built.has(key)) built.set(key, buildStage(build, stage, images, `stage-${built.size}`))
        images.push(await built.get(key)!)
      }
      return images.at(-1)!
    },
  }
}

async function buildStage(build: Build, stage: Stage, earlier: Image[], name: string): Promise<Image> {
  const root = join(build.folder, name)
  mkdirSync(join(root, 'tmp'), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o1777)
  const image: Image = { ...stage, root, workdir: '/' }
  for (const step of stage.steps) {
    if (step.kind === 'workdir') {
      image.workdir = posix.resolve(image.workdir, step.path)
      mkdirSync(join(root, image.workdir), { recursive: true })
    } else if (step.kind === 'run') await replayRun(build, image, step.command)
    else if (step.from === null) copyFromContext(build, image, step)
    else await copyFromStage(image, step, earlier)
  }
  return image
}

/**
 * `npm ci` of all packages takes 28 s of CPU time and 860 MB. Where this checkout has them installed from the lock file of the
 * stage, hard links replace it. Any other command runs.
 */
async function replayRun({ context }: Build, image: Image, command: string): Promise<void> {
  const folder = join(image.root, image.workdir)
  if (command === 'npm ci --ignore-scripts' && hasInstalled(context, folder)) {
    const isLinked = await run('cp', ['-al', join(context, 'node_modules'), folder]).then(
      () => true,
      () => false,
    )
    if (isLinked) return
    // There are no hard links across file systems.
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  }
  const mapped = inRoot(image.root, asThisUser(command))
  const options = { cwd: folder, env: environmentOf(image), maxBuffer: 1e8 }
  // With a filled cache npm needs no network; without one it downloads.
  const npm = { npm_config_prefer_offline: 'true', npm_config_cache: await npmCache() }
  const env = { ...networkSettings(), ...options.env, ...npm }
  await run('nice', ['-n', '10', 'sh', '-c', mapped], { ...options, env }).catch((error) => {
    throw new Error(`RUN ${command}\n${error.stdout}${error.stderr}`)
  })
}

/** True if node_modules of the checkout has the packages of the lock file in `folder`, but for the ones of other platforms. */
function hasInstalled(checkout: string, folder: string): boolean {
  const isCopied = (path: string) =>
    existsSync(join(folder, path)) && read(folder, path) === read(checkout, path)
  if (!['package.json', 'package-lock.json', 'web/package.json'].every(isCopied)) return false
  if (!existsSync(join(checkout, 'node_modules/.package-lock.json'))) return false
  const { '': _, ...locked } = JSON.parse(read(folder, 'package-lock.json')).packages
  const installed = JSON.parse(read(checkout, 'node_modules/.package-lock.json')).packages
  const isEqual = (path: string) =>
    installed[path].version === locked[path]?.version && installed[path].integrity === locked[path].integrity
  return (
    Object.keys(installed).every(isEqual) &&
    Object.keys(locked).every((path) => path in installed || locked[path].optional === true)
  )
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}

/** A machine may reach the registry only through a proxy, or with an authority of its own. */
function networkSettings(): Record<string, string> {
  const isNeeded = (name: string) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_(registry|cafile))$|_proxy$/i.test(name)
  const entries = Object.entries(process.env).filter(([name]) => isNeeded(name))
  return Object.fromEntries(entries as [string, string][])
}

let cache: Promise<string> | undefined
function npmCache(): Promise<string> {
  cache ??= run('npm', ['config', 'get', 'cache']).then(({ stdout }) => stdout.trim())
  return cache
}

/** Only root can change owners. Without root, the files of this user stand for those of the image's user. */
function asThisUser(command: string): string {
  return isRoot ? command : command.replaceAll('1000:1000', `${process.getuid!()}:${process.getgid!()}`)
}

export function environmentOf({ root, env }: Image): Record<string, string> {
  const mapped = Object.entries(env).map(([name, value]) => [name, inRoot(root, value)])
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  return { PATH, TMPDIR: join(root, 'tmp'), ...Object.fromEntries(mapped) }
}

/** Puts the root of the image before every absolute path of a text. */
function inRoot(root: string, text: string): string {
  return text.replaceAll(/(?<=^|[\s=:'"])\/(?=[a-z])/g, `${root}/`)
}

function copyFromContext({ context, ignores }: Build, image: Image, copy: Copy): void {
  const isSeen = (path: string) => existsSync(join(context, path)) && !ignores(path)
  for (const source of copy.sources) {
    if (!isSeen(source)) throw new Error(`${copy.text}: ${source} is not in the build context`)
    const isFolder = statSync(join(context, source)).isDirectory()
    const files = isFolder ? listFiles(join(context, source)) : ['']
    const target = targetOf(image, copy, source, isFolder)
    for (const file of files.filter((path) => isSeen(posix.join(source, path)))) {
      mkdirSync(dirname(join(target, file)), { recursive: true })
      copyFileSync(join(context, source, file), join(target, file))
    }
  }
}

async function copyFromStage(image: Image, copy: Copy, earlier: Image[]): Promise<void> {
  const stage = earlier.find(({ name }) => name === copy.from)
  if (stage === undefined) throw new Error(`${copy.text}: there is no earlier stage of this name`)
  for (const source of copy.sources) {
    const from = join(stage.root, source)
    if (!existsSync(from)) throw new Error(`${copy.text}: ${source} is not in the stage`)
    const target = targetOf(image, copy, source, statSync(from).isDirectory())
    // Hard links save time. A process that may not write to the image cannot change the file of the stage through one.
    await run('cp', ['-al', from, target])
  }
}

/** The contents of a folder go into the target; a file becomes the target, or goes into it if it ends with a slash. */
function targetOf({ root, workdir }: Image, { target }: Copy, source: string, isFolder: boolean): string {
  const path = join(root, posix.resolve(workdir, target))
  return isFolder || !target.endsWith('/') ? path : join(path, posix.basename(source))
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
}

/** The last matching line counts, as in Docker. A match of a folder covers its contents. */
export function parseDockerignore(text: string): (path: string) => boolean {
  const rules = logicalLines(text).map((line) => {
    const isException = line.startsWith('!')
    const pattern = line.slice(isException ? 1 : 0).replace(/\/$/, '')
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**/', '\0')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')
      .replaceAll('\0', '(?:.*/)?')
    return { isException, matcher: new RegExp(`^${source}(?:/|$)`) }
  })
  return (path) =>
    rules.reduce((ignored, rule) => (rule.matcher.test(path) ? !rule.isException : ignored), false)
}
