// npm run bench -- [NAME] [options]: runs the benchmark of that name. Without a name it compares Terce with its peers.
const NAMES = ['cloudflare', 'dashboard', 'library']

const [name = ''] = process.argv.slice(2)
if (NAMES.includes(name)) process.argv.splice(2, 1)
else if (name !== '' && !name.startsWith('-')) {
  console.error(
    `There is no benchmark ${name}. Give one of ${NAMES.join(', ')}, or none to compare Terce with its peers.`,
  )
  process.exit(2)
}
await import(NAMES.includes(name) ? `./${name}.ts` : './run.ts')
