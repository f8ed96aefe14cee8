// Throws on a Node that is too old. Imported before all else, so that its message is the first error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18))
  throw new Error(
    `Node ${process.versions.node} is too old for the library terce. It needs Node 22.18 or newer.`,
  )

export {}
