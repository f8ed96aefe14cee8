// drizzle-orm lists each of its files in its package.json, 180 kB, and Node reads that list again for every file of it and
// for every import of it: most of the time of a start. So what was found once is remembered, and what one of its files
// imports from beside it is taken for a module like itself.
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
