// Verifies ledger files and inclusion proofs of Terce. This file imports nothing and shares no code with Terce, so that it can
// be read and run alone. It needs JSON and WebCrypto (Node 20, Deno, Bun, browsers, Workers).
//
// A ledger file has one entry for each closed day: a header, its signature, and one [column, commitment] pair for each line of
// the account; null in place of lines that were pruned. The header is a text of `name value` lines. It is signed with Ed25519, names
// the SHA-256 of the header of the day before, and has the root of a Merkle tree over the lines. A commitment is the SHA-256 of a
// line and a random salt.

export type Finding = {
  /** `information` does not make a file wrong: the signed account itself reports an unexplained or a surplus message. */
  level: 'error' | 'information'
  /** Such as `BAD_SIGNATURE`. */
  code: string
  /** Null if it is not about one day. */
  day: string | null
  text: string
}

type Header = { day: string; previous: string; root: string; counts: Record<string, number> }
/** A day of the file, and the hash of its header. */
type Before = { day: string; hash: string }
type Line = [column: string, commitment: string]
type Bytes = Uint8Array<ArrayBuffer>
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON, of which every field is checked before it is used
type Json = any

const HASH = /^[0-9a-f]{64}$/
const COLUMNS = ['delivered', 'failed', 'excused', 'open', 'unexplained', 'surplus']
const COUNTS = `lines expected delivered late ${COLUMNS.slice(1).join(' ')} carried people`.split(' ')
const HEADER = new RegExp(
  '^format terce-ledger/1\nday (?<day>\\d{4}-\\d\\d-\\d\\d)\n' +
    'previous (?<previous>[0-9a-f]{64})\nroot (?<root>[0-9a-f]{64})\n' +
    COUNTS.map((name) => `${name} (?<${name}>0|[1-9]\\d{0,14})\n`).join('') +
    'tzVersion \\d{4}[a-z]+\nclosedAt \\d{4}-\\d\\d-\\d\\dT[\\d:]{8}\\.\\d{3}Z\n$',
)
/** The fields of a line, in the order in which the text of its commitment has them after the salt. */
const FIELDS =
  'column reason occasionId eventId occurrence dueAt settledAt attempt entry because carriedFrom'.split(' ')

type Make = (code: string, day: string | null, text: string) => Finding
const error: Make = (code, day, text) => ({ level: 'error', code, day, text })
const note: Make = (code, day, text) => ({ level: 'information', code, day, text })
const NOT_JSON = error('NOT_JSON', null, 'The file is not JSON: it is another file, or it was cut off.')

/** The public keys that may have signed, in base64; any key if it is not given. */
export type Expected = string | readonly string[]

/** Checks a ledger file or a proof: only a proof has this format. */
export function verify(json: string, expected?: Expected): Promise<Finding[]> {
  const isProof = /"format"\s*:\s*"terce-ledger-proof\//.test(json)
  return (isProof ? verifyProof : verifyFile)(json, expected)
}

/** Checks every day of a ledger file and the chain between them. An empty list: nothing is wrong. */
export async function verifyFile(json: string, expected?: Expected): Promise<Finding[]> {
  const file = parse(json)
  if (file === null) return [NOT_JSON]
  if (file.format !== 'terce-ledger/1' || typeof file.publicKey !== 'string' || !isList(file.days, isDay))
    return [error('WRONG_FORMAT', null, 'The file does not have the form of terce-ledger/1.')]
  const keys: string[] = [file.publicKey, ...file.days.map(({ publicKey = file.publicKey }) => publicKey)]
  const findings = [...new Set(keys)].flatMap((key) => checkKey(key, expected))
  if (file.days.length === 0) findings.push(error('NO_DAYS', null, 'The file has no days.'))
  const earlier = new Set<string>()
  let before: Before | null = null
  for (const [i, { header: text, signature, lines }] of file.days.entries()) {
    const header = parseHeader(text)
    findings.push(...(await checkHeader(header, text, signature, keys[i + 1]!)))
    if (header === null) continue
    if (keys[i + 1] !== keys[i])
      findings.push(note('KEY_CHANGED', header.day, `From ${header.day} on the key is ${keys[i + 1]}.`))
    findings.push(...(await checkLines(header, lines)))
    if (before !== null) findings.push(...checkChain(before, header, earlier))
    earlier.add(header.day)
    before = { day: header.day, hash: hex(await sha256(utf8(text))) }
  }
  return findings
}

/** Checks that one line, whose content the proof shows, is in the signed account of its day. */
export async function verifyProof(json: string, expected?: Expected): Promise<Finding[]> {
  const proof = parse(json)
  if (proof === null) return [NOT_JSON]
  const { format, publicKey, header: text, signature, line, salt, index, path } = proof
  const hasTexts = [publicKey, text, signature, salt].every((one) => typeof one === 'string')
  if (format !== 'terce-ledger-proof/1' || !hasTexts || !isLine(line) || !isList(path, isHash))
    return [error('WRONG_FORMAT', null, 'The proof does not have the form of terce-ledger-proof/1.')]
  const header = parseHeader(text)
  const findings = checkKey(publicKey, expected)
  findings.push(...(await checkHeader(header, text, signature, publicKey)))
  if (header === null) return findings
  const { day, root, counts } = header
  if (!Number.isInteger(index) || index < 0 || index >= counts.lines!)
    return [...findings, error('WRONG_INDEX', day, `The account of ${day} has no line ${index}.`)]
  const commitment = await sha256(utf8(JSON.stringify([salt, ...FIELDS.map((name) => line[name])])))
  const leaf = await leafHash(line.column, commitment)
  if ((await rootOfPath(leaf, index, counts.lines!, path)) !== root)
    findings.push(error('WRONG_PATH', day, `The line is not in the account of ${day}, or it was altered.`))
  return findings
}

function checkKey(publicKey: string, expected: Expected = publicKey): Finding[] {
  if ([expected].flat().includes(publicKey)) return []
  return [error('OTHER_KEY', null, `The key is ${publicKey}, not the expected key ${expected}.`)]
}

async function checkHeader(header: Header | null, text: string, signature: string, publicKey: string) {
  const findings: Finding[] = []
  const day = header?.day ?? null
  if (!(await isSigned(text, signature, publicKey)))
    findings.push(error('BAD_SIGNATURE', day, `This key did not sign the header of ${day ?? 'a day'}.`))
  if (header === null)
    return [...findings, error('BAD_HEADER', null, `A header has another form: ${JSON.stringify(text)}`)]
  const { counts } = header
  for (const name of ['unexplained', 'surplus'].filter((one) => counts[one] !== 0))
    findings.push(
      note(name.toUpperCase(), day, `The account of ${day} itself reports ${name} ${counts[name]}.`),
    )
  return findings
}

/** The lines must have known columns, be in strictly ascending order, and give the counts and the root of the header. */
async function checkLines({ day, root, counts }: Header, lines: Line[] | null): Promise<Finding[]> {
  if (lines === null)
    return [note('LINES_PRUNED', day, `The lines of ${day} were pruned; its header is checked.`)]
  const findings: Finding[] = []
  const unknown = lines.filter(([column, commitment]) => !COLUMNS.includes(column) || !isHash(commitment))
  if (unknown.length > 0)
    findings.push(error('BAD_LINE', day, `${day} has lines of an unknown form: ${unknown.length}.`))
  if (lines.some(([, commitment], i) => i > 0 && commitment <= lines[i - 1]![1]))
    findings.push(error('WRONG_ORDER', day, `The lines of ${day} are not in order, or one is there twice.`))
  const found: Record<string, number> = Object.fromEntries(COLUMNS.map((column) => [column, 0]))
  for (const [column] of lines) if (Object.hasOwn(found, column)) found[column]! += 1
  found.lines = lines.length
  found.expected = lines.length - found.surplus!
  for (const [name, count] of Object.entries(found)) {
    const text = `The header of ${day} says ${name} ${counts[name]}, and its lines give ${count}.`
    if (counts[name] !== count) findings.push(error('WRONG_COUNT', day, text))
  }
  // Which deliveries were late and which lines were carried is inside the commitments: only limits can be checked.
  if (counts.late! > counts.delivered! || counts.carried! > counts.lines!)
    findings.push(error('WRONG_COUNT', day, `${day} counts more late or carried lines than there are.`))
  if ((await rootOfLines(lines)) !== root)
    findings.push(error('WRONG_ROOT', day, `A line of ${day} was altered, added, removed or moved.`))
  return findings
}

function checkChain(before: Before, { day, previous }: Header, earlier: Set<string>): Finding[] {
  if (earlier.has(day)) return [error('DAY_TWICE', day, `${day} is in the file twice.`)]
  if (day < before.day) return [error('DAYS_OUT_OF_ORDER', day, `${day} comes after ${before.day}.`)]
  if (Date.parse(day) - Date.parse(before.day) !== 86_400_000)
    return [error('DAY_MISSING', day, `The days between ${before.day} and ${day} are missing.`)]
  if (previous === before.hash) return []
  return [error('CHAIN_CUT', day, `${day} does not continue ${before.day}: one of them was replaced.`)]
}

/** Null if the text is no header of this format. */
function parseHeader(text: string): Header | null {
  const { day, previous, root, ...counts } = (HEADER.exec(text)?.groups ?? {}) as Record<string, string>
  if (day === undefined || previous === undefined || root === undefined) return null
  if (Number.isNaN(Date.parse(day))) return null
  const numbers = Object.entries(counts).map(([name, digits]) => [name, Number(digits)])
  return { day, previous, root, counts: Object.fromEntries(numbers) }
}

/** How many lines are hashed at once. A power of two, so that each part is a subtree. */
const PART = 8_192

/** The root of the tree of RFC 6962. */
async function rootOfLines(lines: Line[]): Promise<string> {
  if (lines.length === 0) return hex(await sha256(utf8('')))
  const parts: Bytes[] = []
  for (let i = 0; i < lines.length; i += PART) {
    const leaves = lines.slice(i, i + PART).map(([column, hash]) => leafHash(column, bytesOfHex(hash)))
    parts.push(await joinAll(await Promise.all(leaves)))
  }
  return hex(await joinAll(parts))
}

/** Joins hashes in pairs, level by level. An odd last one moves up unchanged. */
async function joinAll(hashes: Bytes[]): Promise<Bytes> {
  if (hashes.length === 1) return hashes[0]!
  const level: (Bytes | Promise<Bytes>)[] = []
  for (let i = 0; i < hashes.length; i += 2) {
    const [left, right] = [hashes[i]!, hashes[i + 1]]
    level.push(right === undefined ? left : nodeHash(left, right))
  }
  return joinAll(await Promise.all(level))
}

/** The root that a path leads to; null if it is too long or too short for a leaf at this index in a tree of this size. */
async function rootOfPath(leaf: Bytes, index: number, size: number, path: string[]): Promise<string | null> {
  let hash = leaf
  let used = 0
  for (let at = index, last = size - 1; last > 0; at = Math.floor(at / 2), last = Math.floor(last / 2)) {
    if (at === last && at % 2 === 0) continue // An odd last hash moves up unchanged.
    if (used === path.length) return null
    const other = bytesOfHex(path[used++]!)
    hash = await (at % 2 === 0 ? nodeHash(hash, other) : nodeHash(other, hash))
  }
  return used === path.length ? hex(hash) : null
}

/** Leaves begin with 0 and nodes with 1, so that neither can stand for the other. */
const leafHash = (column: string, commitment: Bytes) => hashOf(0, utf8(column), commitment)
const nodeHash = (left: Bytes, right: Bytes) => hashOf(1, left, right)
const hashOf = (prefix: number, first: Bytes, second: Bytes) =>
  sha256(new Uint8Array([prefix, ...first, ...second]))

/** By node:crypto where it exists: for so few bytes WebCrypto takes several times as long. */
const native = (globalThis as Json).process?.getBuiltinModule?.('node:crypto')?.hash
const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  native?.('sha256', bytes, 'buffer') ?? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

async function isSigned(text: string, signature: string, publicKey: string): Promise<boolean> {
  const [key, bytes] = [bytesOfBase64(publicKey), bytesOfBase64(signature)]
  if (key.length !== 32 || bytes.length !== 64) return false
  const imported = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify'])
  return crypto.subtle.verify({ name: 'Ed25519' }, imported, bytes, utf8(text))
}

const encoder = new TextEncoder()
const utf8 = (text: string) => encoder.encode(text)
const hex = (bytes: Bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const bytesOfHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Empty if the text is not base64. */
function bytesOfBase64(text: string): Bytes {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
  return Uint8Array.from(isBase64 ? atob(text) : '', (one) => one.charCodeAt(0))
}

/** Null if the text is not JSON. A number or a text becomes an object without fields. */
function parse(json: string): Json {
  try {
    return Object(JSON.parse(json))
  } catch {
    return null
  }
}

const isList = (value: Json, isOne: (one: Json) => boolean) => Array.isArray(value) && value.every(isOne)
const isText = (value: Json) => typeof value === 'string'
const isHash = (value: Json) => isText(value) && HASH.test(value)
const isPair = (value: Json) => isList(value, isText) && value.length === 2
const isDay = (value: Json) =>
  [value?.header, value?.signature, value?.publicKey ?? ''].every(isText) &&
  (value.lines === null || isList(value.lines, isPair))
const isLine = (value: Json) => Object.keys(Object(value)).sort().join() === [...FIELDS].sort().join()
