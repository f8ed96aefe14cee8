// Reads the CloudFormation template, with its short tags expanded: !Ref Queue becomes { Ref: 'Queue' }.
import { parse } from 'yaml'
import { readRoot } from './deploy-files.ts'

const tag = (name: string) =>
  (['scalar', 'seq'] as const).map((collection) => ({
    tag: `!${name}`,
    ...(collection === 'scalar'
      ? { resolve: (text: string) => ({ [name]: text }) }
      : { collection, resolve: (node: { toJSON(): unknown }) => ({ [name]: node.toJSON() }) }),
  }))
const customTags = ['Ref', 'GetAtt', 'Sub', 'If', 'Not', 'Equals'].flatMap(tag)

// biome-ignore lint/suspicious/noExplicitAny: the template has as many shapes as AWS has resources.
export function readTemplate(): any {
  return parse(readRoot('deploy/aws/template.yaml'), { customTags, logLevel: 'error' } as never)
}
