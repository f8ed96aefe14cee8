// One connection to a mail server: opened, logged in, used for one mail after another, and cut at any moment.
import type { Socket } from 'node:net'
import type { NodeDial } from '../dial/node-dial.ts'
import type { Nodemailer } from './nodemailer.ts'
import type { SmtpServer } from './smtp-url.ts'

type Envelope = { from: string; to: string }

type Done<T> = (error?: Error | null, value?: T) => void

/** This process closed the connection; the message says why. */
export class SessionCut extends Error {}

/** Every step rejects with nodemailer's error, or with the error that broke the connection. */
export class SmtpSession {
  /** How many mails were sent on this connection. */
  mails = 0
  private readonly server: SmtpServer
  private readonly socket: Socket
  private readonly connection: InstanceType<Nodemailer['SMTPConnection']>
  private opened = false
  private broken: Error | null = null
  private onBreak: (error: Error) => void = () => {}

  /** `silenceMs`: the connection is closed when the server sends nothing for this long, in use or idle. */
  constructor(
    { SMTPConnection }: Nodemailer,
    dial: Pick<NodeDial, 'connect'>,
    server: SmtpServer,
    silenceMs: number,
  ) {
    const { host, port, tls } = server
    this.server = server
    // A socket of our own can be destroyed at once. nodemailer would close its socket gracefully, which a hanging server delays.
    this.socket = dial.connect({ host, port })
    this.connection = new SMTPConnection({
      connection: this.socket,
      host,
      port,
      secure: tls === 'always',
      requireTLS: tls === 'require',
      ignoreTLS: tls === 'off',
      greetingTimeout: silenceMs,
      socketTimeout: silenceMs,
    })
    this.socket.on('error', (error) => this.break(error))
    this.connection.on('error', (error) => this.break(error))
    this.connection.once('end', () => this.break(new Error('closed')))
  }

  get usable(): boolean {
    return this.broken === null
  }

  /** The reply of the server to the mail. */
  async send(envelope: Envelope, bytes: Buffer): Promise<string> {
    if (!this.opened) await this.open()
    this.mails += 1
    const { from, to } = envelope
    const { response } = await this.step<{ response: string }>((done) =>
      this.connection.send({ from, to: [to], size: bytes.length }, bytes, done),
    )
    return response
  }

  /** Makes the connection ready for another mail after the server rejected one. */
  async reset(): Promise<void> {
    await this.step((done) => this.connection.reset(done))
  }

  /** Sends QUIT and does not wait for the reply. */
  quit(): void {
    if (!this.usable) return
    this.broken = new SessionCut('quit')
    this.connection.quit()
    this.connection.close()
    this.socket.destroySoon()
  }

  cut(reason: string): void {
    this.break(new SessionCut(reason))
  }

  private async open(): Promise<void> {
    const { login } = this.server
    try {
      await this.step((done) => this.socket.once('connect', () => done()))
      await this.step((done) => this.connection.connect(done))
      if (login !== null) {
        const credentials = { user: login.user, pass: login.password }
        await this.step((done) => this.connection.login({ credentials }, done))
      }
      this.opened = true
    } catch (error) {
      // A connection that is not logged in is of no use to the next mail.
      this.cut('half open')
      throw error
    }
  }

  private step<T = unknown>(begin: (done: Done<T>) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.broken !== null) return reject(this.broken)
      this.onBreak = reject
      begin((error, value) => (error ? reject(error) : resolve(value as T)))
    })
  }

  private break(error: Error): void {
    if (this.broken !== null) return
    this.broken = error
    this.onBreak(error)
    // close() stops the timers of nodemailer; destroy() closes the socket at once.
    this.connection.close()
    this.socket.destroy()
  }
}
