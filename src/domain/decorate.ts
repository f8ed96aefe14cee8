// Decorates operations, methods that return promises, by their names. Every wrapper of a store is made of it.

/** Decorators by the names of the operations that they are for. */
type Decorators<S> = { readonly [K in keyof S]?: (operation: S[K]) => S[K] }

/** A decorator for any operation. */
export type AnyDecorator = <Args extends unknown[], T>(
  operation: (...args: Args) => Promise<T>,
) => (...args: Args) => Promise<T>

type Operation = (...args: unknown[]) => Promise<unknown>

export function decorate<S extends object>(store: S, decorators: Decorators<S>): S {
  const byName = decorators as Readonly<Record<string, AnyDecorator | undefined>>
  const entries = Object.entries(store).map(([name, operation]: [string, Operation]) => [
    name,
    byName[name]?.(operation) ?? operation,
  ])
  return Object.fromEntries(entries) as S
}

/** One decorator for all operations, or for those that are named. */
export function decorateEach<S extends object>(
  store: S,
  decorator: AnyDecorator,
  names: readonly string[] = Object.keys(store),
): S {
  const decorators: object = Object.fromEntries(names.map((name) => [name, decorator]))
  return decorate(store, decorators as Decorators<S>)
}

/** The operations of the store that `current` returns when one is called. */
export function forward<S extends object>(current: () => S): S {
  const entries = Object.keys(current()).map((name) => [
    name,
    (...args: unknown[]) => (current() as Record<string, Operation>)[name]!(...args),
  ])
  return Object.fromEntries(entries) as S
}
