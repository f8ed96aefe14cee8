import { describe, expect, it } from 'vitest'
import { createHeap } from '../../src/domain/heap.ts'
import { seededDice } from '../../src/library/testing/seeded-dice.ts'

describe('a heap', () => {
  it('returns the least element first, and equal elements in insertion order', () => {
    const dice = seededDice(1)
    const heap = createHeap<{ key: number; order: number }>()
    const expected = Array.from({ length: 1_000 }, (_, order) => ({ key: Math.floor(dice() * 100), order }))
    for (const entry of expected) heap.push(entry.key, entry)
    expected.sort((a, b) => a.key - b.key || a.order - b.order)
    expect(heap.leastKey()).toBe(expected[0]!.key)
    expect(expected.map(() => heap.pop())).toEqual(expected)
    expect([heap.pop(), heap.leastKey()]).toEqual([undefined, Number.POSITIVE_INFINITY])
  })
})
