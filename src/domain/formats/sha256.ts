// SHA-256 (FIPS 180-4) of a text, synchronous and on any runtime: WebCrypto is asynchronous, node:crypto is not available
// everywhere, and the core has no dependencies. Tests compare it with node:crypto.

const K = new Int32Array(64)
const INITIAL = new Int32Array(8)
for (let candidate = 2, found = 0; found < 64; candidate++) {
  if (!isPrime(candidate)) continue
  if (found < 8) INITIAL[found] = fraction(candidate ** (1 / 2))
  K[found++] = fraction(candidate ** (1 / 3))
}

function isPrime(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false
  return true
}

function fraction(x: number): number {
  return ((x - Math.floor(x)) * 2 ** 32) | 0
}

const encoder = new TextEncoder()
const hash = new Int32Array(8)
const schedule = new Int32Array(64)
let buffer = new Uint8Array(256)

/** The digest in hexadecimal. */
export function sha256Hex(text: string): string {
  // At most three bytes per character.
  reserve(text.length * 3)
  digest(encoder.encodeInto(text, buffer).written)
  let hex = ''
  for (let i = 0; i < 8; i++) {
    const word = hash[i]!
    hex += HEX[word >>> 24]! + HEX[(word >>> 16) & 255]! + HEX[(word >>> 8) & 255]! + HEX[word & 255]!
  }
  return hex
}

// Number.toString(16) of a whole word takes ten times as long as the hash itself.
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Makes room in the shared buffer for a content of this length and its padding. */
function reserve(length: number): void {
  if (buffer.length < length + 72) buffer = new Uint8Array(length + 72)
}

/** Pads the content at the start of the shared buffer, and leaves its digest in `hash`. */
function digest(length: number): void {
  const bytes = buffer
  const end = (((length + 8) >> 6) + 1) * 64
  bytes[length] = 0x80
  for (let i = length + 1; i < end; i++) bytes[i] = 0
  for (let i = 1, rest = length * 8; rest > 0; i++, rest = Math.floor(rest / 256)) bytes[end - i] = rest % 256
  hash.set(INITIAL)
  for (let offset = 0; offset < end; offset += 64) compress(bytes, offset)
}

function compress(bytes: Uint8Array, offset: number): void {
  const w = schedule
  const k = K
  for (let i = 0, at = offset; i < 16; i++, at += 4) {
    w[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
  }
  for (let i = 16; i < 64; i++) {
    const near = w[i - 15]!
    const far = w[i - 2]!
    const s0 = ((near >>> 7) | (near << 25)) ^ ((near >>> 18) | (near << 14)) ^ (near >>> 3)
    const s1 = ((far >>> 17) | (far << 15)) ^ ((far >>> 19) | (far << 13)) ^ (far >>> 10)
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0
  }
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  hash[0] = (hash[0]! + a) | 0
  hash[1] = (hash[1]! + b) | 0
  hash[2] = (hash[2]! + c) | 0
  hash[3] = (hash[3]! + d) | 0
  hash[4] = (hash[4]! + e) | 0
  hash[5] = (hash[5]! + f) | 0
  hash[6] = (hash[6]! + g) | 0
  hash[7] = (hash[7]! + h) | 0
}
