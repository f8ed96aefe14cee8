// Parses the URL of a mail server: host, port, TLS and login. Pure.

/**
 * `always`: TLS from the first byte. `require`: STARTTLS, or nothing is sent. `auto`: STARTTLS where the server has it.
 * `off`: unencrypted.
 */
type SmtpTls = 'always' | 'require' | 'auto' | 'off'

export type SmtpServer = {
  host: string
  port: number
  tls: SmtpTls
  login: { user: string; password: string } | null
}

const DEFAULT_PORT = { 'smtp:': 587, 'smtps:': 465 }

/**
 * `smtps://USER:PASSWORD@HOST:PORT` or `smtp://…`, the second with `?tls=require`, `auto` or `off`; null for anything else.
 * With a password the default is `require`: a password is sent unencrypted only if the URL says so.
 */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol } = url
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return null
  const login = readLogin(url)
  const tls = readTls(url, login !== null)
  const host = readHost(url)
  if (login === undefined || tls === null || host === null || !/^\/?$/.test(url.pathname)) return null
  return {
    host,
    port: url.port === '' ? DEFAULT_PORT[protocol] : Number(url.port),
    tls,
    login,
  }
}

/** The parser leaves the host of `smtp:` as it is written. As a host of `http:`, every spelling is normalised. */
function readHost({ hostname }: URL): string | null {
  const url = `http://${hostname}`
  if (hostname === '' || !URL.canParse(url)) return null
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

/** Null without a login; undefined if the user or the password is missing or cannot be decoded. */
function readLogin({ username, password }: URL): SmtpServer['login'] | undefined {
  if (username === '' && password === '') return null
  if (username === '' || password === '') return undefined
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return undefined
  }
}

function readTls({ protocol, searchParams }: URL, hasLogin: boolean): SmtpTls | null {
  const asked = searchParams.get('tls')
  const known = [...searchParams.keys()].every((name) => name === 'tls') && searchParams.size <= 1
  if (!known || (protocol === 'smtps:' && asked !== null)) return null
  if (protocol === 'smtps:') return 'always'
  if (asked === null) return hasLogin ? 'require' : 'auto'
  return asked === 'require' || asked === 'auto' || asked === 'off' ? asked : null
}
