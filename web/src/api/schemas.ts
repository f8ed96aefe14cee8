// Types generated from the OpenAPI document.
import type { components, operations } from '../../../src/client/schema.ts'

export type Schemas = components['schemas']

/** The body of a successful response. */
export type ResponseOf<Name extends keyof operations> = operations[Name]['responses'] extends
  | { 200: Json<infer Body> }
  | { 201: Json<infer Body> }
  ? Body
  : never

type Json<Body> = { content: { 'application/json': Body } }
