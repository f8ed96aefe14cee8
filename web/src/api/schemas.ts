// The types that are made of the OpenAPI document, for whoever names them.
import type { components, operations } from '../../../src/client/schema.ts'

export type Schemas = components['schemas']

/** What an operation answers when all is well. */
export type AnswerOf<Name extends keyof operations> = operations[Name]['responses'] extends
  | { 200: Json<infer Body> }
  | { 201: Json<infer Body> }
  ? Body
  : never

type Json<Body> = { content: { 'application/json': Body } }
