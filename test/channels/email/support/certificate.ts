// Generates certificates, so that the repository holds no key and none expires. Writes ASN.1 by hand: Node can parse
// certificates but not create them.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const time = (year: number) => der(0x17, Buffer.from(`${year % 100}0101000000Z`))

const ECDSA_WITH_SHA256 = sequence(der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
/** Each certificate has its own name: authorities are looked up by name, so two with one name would be confused. */
function nameOf(serial: Buffer): Buffer {
  const value = der(0x0c, Buffer.from(`Terce tests ${serial.toString('hex')}`))
  return sequence(der(0x31, sequence(der(0x06, [0x55, 0x04, 0x03]), value)))
}

const CA = sequence(der(0x06, [0x55, 0x1d, 0x13]), der(0x01, [0xff]), der(0x04, sequence(der(0x01, [0xff]))))

export type Certificate = { key: string; cert: string }

/** Self-signed, for one host name. */
export function makeCertificate(host: string): Certificate {
  const own = newSubject()
  return { key: own.key, cert: issue(own, own, [CA, namesOf(host)]) }
}

/** A certificate authority, which signs certificates for host names. */
export function makeAuthority(): Certificate & { sign(host: string): Certificate } {
  const authority = newSubject()
  return {
    key: authority.key,
    cert: issue(authority, authority, [CA]),
    sign(host) {
      const subject = newSubject()
      return { key: subject.key, cert: issue(subject, authority, [namesOf(host)]) }
    },
  }
}

type Subject = { serial: Buffer; name: Buffer; privateKey: KeyObject; publicKey: KeyObject; key: string }

function newSubject(): Subject {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { serial, name: nameOf(serial), privateKey, publicKey, key }
}

function namesOf(host: string): Buffer {
  const names = sequence(der(0x82, Buffer.from(host)))
  return sequence(der(0x06, [0x55, 0x1d, 0x11]), der(0x04, names))
}

function issue(subject: Subject, issuer: Subject, extensions: Buffer[]): string {
  const body = sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, subject.serial),
    ECDSA_WITH_SHA256,
    issuer.name,
    sequence(time(2020), time(2049)),
    subject.name,
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, [0], sign('sha256', body, issuer.privateKey))
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)!.join('\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
