// Runs the commands of an image as its user, on free ports.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { environmentOf, type Image } from './image.ts'

export type Container = { image: Image; process: ChildProcess; env: Record<string, string>; output(): string }

/** `args` replace the CMD of the image, as in `docker run` and in Kubernetes. */
export function startContainer(image: Image, args: string[], settings: Record<string, string>): Container {
  const env = { ...environmentOf(image), ...settings }
  const [program, ...given] = [...image.entrypoint, ...args]
  const [uid, gid] = image.user!.split(':').map(Number)
  const user = process.getuid!() === 0 ? { uid: uid!, gid: gid! } : {}
  const child = spawn(program!, given, { cwd: join(image.root, image.workdir), env, ...user })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  return { image, process: child, env, output: () => printed }
}

/** Waits until a probe of the container succeeds. An exit before that is an error. */
export async function untilOk({ process: child, output }: Container, url: string): Promise<void> {
  const isOk = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isOk())) {
    if (child.exitCode !== null) throw new Error(`The image exited with ${child.exitCode}:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Sends the stop signal of the image, and resolves to the exit code. */
export async function stopContainer({ process: child, image }: Container): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill(image.stopSignal as NodeJS.Signals)
  const [code] = await exited
  return code
}

/** The exit code of the image's HEALTHCHECK. */
export async function checkHealth({ image, env }: Container): Promise<number> {
  const [program, ...args] = image.healthcheck!
  return promisify(execFile)(program!, args, { env }).then(
    () => 0,
    (error) => error.code,
  )
}

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return String(port)
}
