// Reads the configuration of the Worker.
import { parse } from 'yaml'
import { readRoot } from './deploy-files.ts'

/** JSON with comments and trailing commas is YAML once the comments are gone. */
// biome-ignore lint/suspicious/noExplicitAny: the tests that read it know its shape.
export function readWrangler(file = 'wrangler.jsonc'): any {
  return parse(readRoot(`deploy/cloudflare/${file}`).replaceAll(/^\s*\/\/.*$/gm, ''))
}
