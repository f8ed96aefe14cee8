// Finds a Chromium for the browser tests: the installed one, the one in the npm package (x64 only), or Debian's package
// unpacked into a folder of this user. Nothing is installed on the machine. The packages have the headless shell, which loads
// a page with half the CPU time of the full browser.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** One folder for each user: a file that another user unpacked cannot be replaced, and must not be run. */
const FOLDER = join(tmpdir(), `terce-chromium-${userInfo().uid}`)

export type Chromium = { executablePath: string; env?: Record<string, string> }

/** Not safe for concurrent calls: the caller holds a lock while files are unpacked. */
export async function findChromium(): Promise<Chromium> {
  const installed = INSTALLED.find((path) => existsSync(path))
  if (installed !== undefined) return { executablePath: installed }
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  return process.arch === 'x64' ? fromNpm() : fromDebian()
}

// The package unpacks to os.tmpdir(), so it runs in a process with another TMPDIR.
async function fromNpm(): Promise<Chromium> {
  const script = `import c from '@sparticuz/chromium'; process.stdout.write(await c.executablePath())`
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const env = { ...process.env, TMPDIR: FOLDER }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd, env })
  return { executablePath: stdout }
}

async function fromDebian(): Promise<Chromium> {
  const root = join(FOLDER, 'headless-shell')
  if (!existsSync(root)) await unpackDebian(root)
  const env = { ...inherited(), LD_LIBRARY_PATH: libraryFolders(join(root, 'usr/lib')).join(':') }
  const fonts = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(root, 'etc/fonts') }
  return { executablePath: join(root, 'usr/lib/chromium/chromium-headless-shell'), env: { ...env, ...fonts } }
}

/** Downloads with private package lists and archives: needs no root, and leaves those of the machine unchanged. */
async function unpackDebian(root: string): Promise<void> {
  const state = join(FOLDER, 'apt')
  for (const folder of ['lists/partial', 'archives/partial'])
    mkdirSync(join(state, folder), { recursive: true })
  const options = [
    'Debug::NoLocking=1',
    `Dir::State::lists=${join(state, 'lists')}`,
    `Dir::Cache=${state}`,
    `Dir::Cache::archives=${join(state, 'archives')}`,
    // As root, apt would drop to the user _apt, which may not write into a private folder.
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
  // At the true time also if the tests run at another one (npm run test:at): apt rejects lists that have expired.
  const env = { ...process.env, TERCE_MOVED_CLOCK: '0' }
  await run('apt-get', [...options, 'update'], { env })
  const wanted = ['chromium-headless-shell', 'fonts-liberation']
  const install = ['install', '--download-only', '--yes', '--no-install-recommends', ...wanted]
  await run('apt-get', [...options, ...install], { env, maxBuffer: 1 << 24 })
  const unpacked = join(state, 'root')
  for (const name of readdirSync(join(state, 'archives'))) {
    if (name.endsWith('.deb')) await run('dpkg', ['-x', join(state, 'archives', name), unpacked])
  }
  // Only a complete folder gets the final name.
  renameSync(unpacked, root)
  rmSync(state, { recursive: true, force: true })
}

/** Libraries are in the folder of the architecture, some in a subfolder, such as libpulsecommon. */
function libraryFolders(lib: string): string[] {
  const architectures = readdirSync(lib).filter((name) => name.includes('-linux-'))
  return architectures.flatMap((name) => {
    const folder = join(lib, name)
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return [folder, ...below.map((entry) => join(folder, entry.name))]
  })
}

const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))
