// How the operations of the OpenAPI document become calls with a type: by path, with what must be given and what comes back.
import type { paths } from './schema.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths that take a method. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never
}[keyof paths]

type ParametersOf<O> = O extends { parameters: infer P }
  ? Pick<P, keyof P & ('path' | 'query' | 'header')>
  : unknown
type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? { body: C[keyof C] }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: C[keyof C] }
    : unknown
type Options<O> = ParametersOf<O> & BodyOf<O> & { signal?: AbortSignal }

/** May be left out where nothing in it must be given. */
type Given<T> = object extends T ? [options?: T] : [options: T]

/** What an operation answers if it goes well; undefined if that is nothing. */
type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R]: R[S] extends { content: infer C } ? C[keyof C] : undefined }[keyof R]
  : never

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: Given<Options<paths[P][M]>>
) => Promise<Answer<paths[P][M]>>

/** The paths that answer a page at a time. */
type ListPath = {
  [P in PathOf<'get'>]: Answer<paths[P]['get']> extends { nextCursor: string | null } ? P : never
}[PathOf<'get'>]
type ItemOf<P extends ListPath> = Answer<paths[P]['get']> extends { items: (infer I)[] } ? I : never

export type Client = {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  delete: Call<'delete'>
  /** All items of a list. A page is read when it is reached. */
  each<P extends ListPath>(path: P, ...options: Given<Options<paths[P]['get']>>): AsyncGenerator<ItemOf<P>>
}
