import { expect, it } from 'vitest'
import { printTargets } from '../../bench/targets.ts'
import { FULL, QUICK } from '../../bench/workloads.ts'
import { figure } from './support/figure.ts'

it('compares Terce with the best durable peer', () => {
  const figures = [
    figure('W6', 'terce-postgres', 'perSecond', 4_000),
    figure('W6', 'pg-boss', 'perSecond', 1_900),
    figure('W6', 'graphile-worker', 'perSecond', 2_000),
    figure('W1', 'terce-postgres', 'perSecond', 11_000),
    figure('W1', 'graphile-worker', 'perSecond', 10_000),
    figure('W1', 'bullmq', 'perSecond', 50_000),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W6 perSecond 2.00x better than graphile-worker, the best durable peer (target 2.00x)
  MISSED W1 perSecond 1.10x better than graphile-worker, the best durable peer (target 1.20x)`)
})

it('compares the engine of the target alone with the largest allowed value', () => {
  const figures = [
    figure('W6', 'terce-postgres', 'cpuUs', 240),
    figure('W6', 'terce-sqlite', 'cpuUs', 900),
    figure('W6', 'terce-postgres', 'firstMs', 31),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W6 cpuUs of terce-postgres 240 µs (target at most 240 µs)
  MISSED W6 firstMs of terce-postgres 31 ms (target at most 30 ms)`)
})

it('judges the import only if the file has a million people', () => {
  const figures = [figure('import', 'terce-sqlite', 'seconds', 44)]
  expect(printTargets(figures, FULL)).toContain('met    import seconds of terce-sqlite 44 s')
  expect(printTargets(figures, QUICK)).toBe('Targets:')
})

it('asks of a claim that it is nearly as short as the one of graphile-worker, and as short with many pending as with few', () => {
  const figures = [
    figure('W5', 'terce-postgres', 'claimP50Ms', 1.5, 10_000),
    figure('W5', 'graphile-worker', 'claimP50Ms', 1.5, 10_000),
    figure('W5', 'terce-postgres', 'claimP50Ms', 2.1, 1_000_000),
    figure('W5', 'graphile-worker', 'claimP50Ms', 1.5, 1_000_000),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W5 claim with 10,000 pending takes 1.00x the time of graphile-worker's (target at most 1.2x)
  MISSED W5 claim with 1,000,000 pending takes 1.40x the time of graphile-worker's (target at most 1.2x)
  MISSED W5 claim with 1,000,000 pending takes 1.40x the time of 10,000 (target at most 1.3x)`)
})
