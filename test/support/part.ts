// TERCE_PART=K/N: a long test runs only its seeds and planted mistakes K, K + N, K + 2N, ... Without it everything runs.
export type Part = { k: number; n: number }

const WHOLE: Part = { k: 0, n: 1 }

export function readPart(text: string | undefined): Part {
  if (text === undefined || text === '') return WHOLE
  const [, k, n] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (n === undefined || Number(k) >= Number(n))
    throw new Error(`TERCE_PART must be K/N with K from 0 to N - 1, such as 3/10, and is "${text}".`)
  return { k: Number(k), n: Number(n) }
}

export const isInPart = (index: number, { k, n } = readPart(process.env.TERCE_PART)): boolean =>
  index % n === k

export const isWhole = (): boolean => readPart(process.env.TERCE_PART).n === 1
