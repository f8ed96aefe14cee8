// SHA-256 (FIPS 180-4) of a text, synchronous and without a runtime: WebCrypto is asynchronous, node:crypto
// is not everywhere, and the core has no dependencies. Tests hold it against node:crypto.

const K = new Uint32Array(64)
const INITIAL = new Uint32Array(8)
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
const schedule = new Uint32Array(64)
const hash = new Uint32Array(8)
let padded = new Uint8Array(256)

/** The digest in hexadecimal. */
export function sha256Hex(text: string): string {
  // Three bytes a character at most, and room for the padding.
  if (padded.length < text.length * 3 + 72) padded = new Uint8Array(text.length * 3 + 72)
  const length = encoder.encodeInto(text, padded).written
  const end = (((length + 8) >> 6) + 1) * 64
  padded.fill(0, length, end)
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(end - 8, Math.floor(length / 0x2000_0000))
  view.setUint32(end - 4, length << 3)
  hash.set(INITIAL)
  for (let offset = 0; offset < end; offset += 64) compress(view, offset)
  let hex = ''
  for (const word of hash) hex += word.toString(16).padStart(8, '0')
  return hex
}

function compress(block: DataView, offset: number): void {
  const w = schedule
  for (let i = 0; i < 16; i++) w[i] = block.getUint32(offset + i * 4)
  for (let i = 16; i < 64; i++) {
    const near = w[i - 15] as number
    const far = w[i - 2] as number
    const s0 = rotate(near, 7) ^ rotate(near, 18) ^ (near >>> 3)
    const s1 = rotate(far, 17) ^ rotate(far, 19) ^ (far >>> 10)
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
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
  const round = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) hash[i] = ((hash[i] as number) + (round[i] as number)) | 0
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by))
}
