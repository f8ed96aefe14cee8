// Resolves imports of drizzle-orm faster. Its package.json lists every file (180 kB), and Node reads that list for each import
// of the package and for each file in it: most of the start time. This hook caches each resolved specifier, and resolves
// relative imports inside the package without reading package.json.
import module from 'node:module'

const found = new Map()

module.registerHooks?.({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (specifier.startsWith('.') && parentURL?.includes('/node_modules/drizzle-orm/'))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    if (!specifier.startsWith('drizzle-orm')) return next(specifier, context)
    if (!found.has(specifier)) found.set(specifier, next(specifier, context))
    return { ...found.get(specifier), shortCircuit: true }
  },
})
