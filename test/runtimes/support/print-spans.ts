// Stands in for an OpenTelemetry SDK: loaded before Terce, prints each span when it ends.
import { type Span, type TracerProvider, trace } from '@opentelemetry/api'

const startActiveSpan = (
  name: string,
  { attributes }: { attributes: Record<string, unknown> },
  work: (span: Span) => unknown,
) => {
  const seen = { ...attributes }
  const span = {
    setAttribute(key: string, value: unknown) {
      seen[key] = value
    },
    setStatus() {},
    end() {
      process.stderr.write(`span ${name} ${JSON.stringify(seen)}\n`)
    },
  }
  return work(span as unknown as Span)
}

trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) } as unknown as TracerProvider)
