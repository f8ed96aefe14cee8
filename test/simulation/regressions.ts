// Seeds whose histories once broke a promise, each with what it was. They are lived again with every run.
export const REGRESSIONS: readonly { seed: number; was: string }[] = [
  { seed: 161, was: 'a replay under the original’s key repeated the bytes of one that had a key of its own' },
  { seed: 516, was: 'the replay of a replay carried other bytes under the key of the original' },
  {
    seed: 30,
    was: 'an event parked with its destination came back before the time its receiver had asked for',
  },
  { seed: 1307, was: 'a replay whose original was pruned carried other bytes under the original’s key' },
]
