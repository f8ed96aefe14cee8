// Mail servers on free ports: a real one that records mails, and a scripted one that can fail at any command.
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ArrivedMail = {
  from: string
  to: string[]
  raw: Buffer
  user: string | undefined
  secure: boolean
  /** The connection on which the mail arrived. */
  connection: string
}

export type MailServer = {
  port: number
  arrivals: ArrivedMail[]
  /** Connections so mailServer. */
  connections(): number
  /** Connections that are open. */
  open(): number
  close(): Promise<void>
}

/** Without TLS and without a login by default. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const arrivals: ArrivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key === undefined ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_, callback) => {
      connections += 1
      callback()
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        arrivals.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map((recipient) => recipient.address),
          raw: Buffer.concat(chunks),
          user: session.user,
          secure: session.secure,
          connection: session.id,
        })
        callback()
      })
    },
    ...options,
  })
  // Some tests cut the connection of the client, which smtp-server reports as an error.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    arrivals,
    connections: () => connections,
    open: () => server.connections.size,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export function readMail({ raw }: ArrivedMail): Promise<Email> {
  return PostalMime.parse(raw)
}

/** An error that smtp-server turns into a reply with this code. */
export function rejection(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** The reply to each command, or an action instead. `.` is the end of a mail, `CONNECT` the greeting. */
export type Script = Readonly<Record<string, string | ((socket: Socket, line: string) => void)>>

const POLITE: Script = {
  CONNECT: '220 script.example',
  EHLO: '250 script.example',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  '.': '250 2.0.0 taken',
  RSET: '250 2.0.0 ok',
  QUIT: '221 2.0.0 bye',
}

export type ScriptedServer = {
  port: number
  heard: string[]
  /** Connections that are open. */
  sockets(): number
  untilGone(): Promise<void>
  untilHeard(command: string): Promise<void>
  close(): Promise<void>
}

/** `heard` lists the commands of all connections, a mail as one `.`. */
export async function startScript(script: Script): Promise<ScriptedServer> {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    let inMail = false
    let rest = ''
    const answer = (command: string, line: string) => {
      const reply = script[command] ?? POLITE[command] ?? '502 5.5.1 what?'
      if (typeof reply === 'function') reply(socket, line)
      else socket.write(`${reply}\r\n`)
    }
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        const command = line.split(' ')[0]!.toUpperCase()
        if (inMail && line !== '.') continue
        inMail = !inMail && command === 'DATA' && script.DATA === undefined
        heard.push(command)
        answer(command, line)
      }
    })
    answer('CONNECT', '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    sockets: () => sockets.size,
    untilGone: () => until(() => sockets.size === 0),
    untilHeard: (command) => until(() => heard.includes(command)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function until(come: () => boolean): Promise<void> {
  while (!come()) await new Promise((resolve) => setTimeout(resolve, 5))
}
