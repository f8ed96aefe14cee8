import { expect, it } from 'vitest'
import { printTargets } from '../../bench/targets.ts'
import { FULL, QUICK } from '../../bench/workloads.ts'
import { figure } from './support/figure.ts'

it('compares Terce with the best durable peer, and with the bare loop', () => {
  const figures = [
    figure('W2', 'terce-postgres', 'perSecond', 12_000),
    figure('W2', 'pg-boss', 'perSecond', 9_000),
    figure('W2', 'graphile-worker', 'perSecond', 10_000),
    figure('W2', 'bullmq', 'perSecond', 50_000),
    figure('W2', 'bare-sql', 'perSecond', 15_000),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W2 1.20x the best durable peer, graphile-worker (target 1.2x)
  MISSED W2 80 % of bare-sql (target 92 %)`)
})

it('compares the engine of the target alone with the largest allowed value', () => {
  const figures = [
    figure('W6', 'terce-postgres', 'cpuUs', 140),
    figure('W6', 'terce-sqlite', 'cpuUs', 900),
    figure('W6', 'terce-postgres', 'firstMs', 26),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W6 cpuUs of terce-postgres 140 µs (target at most 140 µs)
  MISSED W6 firstMs of terce-postgres 26 ms (target at most 25 ms)`)
})

it('judges the import only if the file has a million people', () => {
  const figures = [figure('import', 'terce-sqlite', 'seconds', 44)]
  expect(printTargets(figures, FULL)).toContain('met    import seconds of terce-sqlite 44 s')
  expect(printTargets(figures, QUICK)).toBe('Targets:')
})

it('asks of a claim that it is short at every size, and as short with many pending as with few', () => {
  const figures = [
    figure('W5', 'terce-postgres', 'claimP50Ms', 1.5, 10_000),
    figure('W5', 'terce-postgres', 'claimP50Ms', 2.1, 1_000_000),
  ]
  expect(printTargets(figures, FULL)).toBe(`Targets:
  met    W5 claim with 10,000 pending 1.5 ms (target at most 2 ms)
  MISSED W5 claim with 1,000,000 pending 2.1 ms (target at most 2 ms)
  MISSED W5 claim with 1,000,000 pending takes 1.40x the time of 10,000 (target at most 1.3x)`)
})
