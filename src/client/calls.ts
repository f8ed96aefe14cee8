// Types of the client's calls, derived from the OpenAPI document: the parameters and the response of each path.
import type { paths } from './schema.ts'

export type Method = 'get' | 'post' | 'put' | 'delete'

/** The paths that have a method. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never
}[keyof paths]

type ParametersOf<O> = O extends { parameters: infer P }
  ? Pick<P, keyof P & ('path' | 'query' | 'header')>
  : unknown
/** An input as applications have it: optional fields may be undefined, and `data` of an interface, which no index signature accepts. */
export type Input<B> = {
  [K in keyof B]: object extends Pick<B, K> ? (K extends 'data' ? object | null : B[K]) | undefined : B[K]
}
type BodyOf<O> = O extends { requestBody: { content: infer C } }
  ? { body: Input<C[keyof C]> }
  : O extends { requestBody?: { content: infer C } }
    ? { body?: Input<C[keyof C]> }
    : unknown
type Options<O> = ParametersOf<O> & BodyOf<O> & { signal?: AbortSignal }

/** Optional if all its fields are optional. */
type Given<T> = object extends T ? [options?: T] : [options: T]

/** The body of a successful response; undefined if it is empty. */
type Answer<O> = O extends { responses: infer R }
  ? { [S in keyof R]: R[S] extends { content: infer C } ? C[keyof C] : undefined }[keyof R]
  : never

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: Given<Options<paths[P][M]>>
) => Promise<Answer<paths[P][M]>>

/** The paths of paginated lists. */
type ListPath = {
  [P in PathOf<'get'>]: Answer<paths[P]['get']> extends { nextCursor: string | null } ? P : never
}[PathOf<'get'>]
type ItemOf<P extends ListPath> = Answer<paths[P]['get']> extends { items: (infer I)[] } ? I : never

export type PathClient = {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  delete: Call<'delete'>
  /** Iterates over all items of a list. Pages are requested as needed. */
  each<P extends ListPath>(path: P, ...options: Given<Options<paths[P]['get']>>): AsyncGenerator<ItemOf<P>>
  /**
   * Exports all people, page by page; the pages joined are one file. Throws `INCOMPLETE_EXPORT` if the last page does not end
   * with the end of the export.
   */
  exportPeople(...options: Given<Options<paths['/user/export']['get']>>): AsyncGenerator<string>
  /** Imports a CSV table, in as many requests as the server needs. A TerceError has what was written before it in `soFar`. */
  importPeople(
    table: string,
    ...options: Given<Omit<Options<paths['/user/import']['post']>, 'body'>>
  ): Promise<Answer<paths['/user/import']['post']>>
}
