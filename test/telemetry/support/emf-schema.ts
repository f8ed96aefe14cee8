// The rules of CloudWatch for a line in its embedded metric format: its JSON schema, and what the text of the specification adds.
import { expect } from 'vitest'
import { z } from 'zod'

const name = z.string().min(1).max(255)

const DOCUMENT = z.looseObject({
  _aws: z.strictObject({
    Timestamp: z.int(),
    CloudWatchMetrics: z.array(
      z.strictObject({
        Namespace: name,
        Dimensions: z.array(z.array(name).max(9)).min(1),
        Metrics: z
          .array(z.strictObject({ Name: name, Unit: z.enum(['Count', 'Seconds', 'Bytes', 'None']) }))
          .min(1)
          .max(100),
      }),
    ),
  }),
})

export type EmfLine = z.infer<typeof DOCUMENT>

/** Parses a line that CloudWatch accepts; fails the test if it would not. */
export function parseEmf(line: string): EmfLine {
  expect(Buffer.byteLength(line)).toBeLessThan(256 * 1024)
  expect(line).not.toContain('\n')
  const document = DOCUMENT.parse(JSON.parse(line))
  for (const { Dimensions, Metrics } of document._aws.CloudWatchMetrics) {
    for (const dimension of Dimensions.flat()) {
      expect(document[dimension], dimension).toMatch(/^(?!:)[\x20-\x7e]{1,1024}$/)
      expect((document[dimension] as string).trim()).not.toBe('')
    }
    for (const { Name } of Metrics) {
      const values = [document[Name]].flat()
      expect(values.length, Name).toBeLessThanOrEqual(100)
      expect(values.length, Name).toBeGreaterThan(0)
      for (const value of values) expect(value, Name).toEqual(expect.any(Number))
    }
  }
  return document
}

/** The metrics of a line: `name{labels} values` for each set of dimensions. */
export function metricsIn(document: EmfLine): string[] {
  return document._aws.CloudWatchMetrics.flatMap(({ Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((set) => {
        const labels = set.map((label) => `${label}=${document[label]}`).join()
        return `${Name}{${labels}} ${[document[Name]].flat().join()}`
      }),
    ),
  )
}
