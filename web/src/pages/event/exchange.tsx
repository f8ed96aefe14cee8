// The destination of one attempt and the response to it.
import type { Attempt } from '../../api/types.ts'
import { Code, prettyJson } from '../../ui/code.tsx'

export function Exchange({ attempt, isOpen }: { attempt: Attempt; isOpen: boolean }) {
  const { destination, response, statusCode } = attempt
  if (destination === null && response === null) {
    return (
      <p className="text-soft text-xs">
        {attempt.outcome === 'UNKNOWN' ? 'No response is known.' : 'Response not stored (KEEP_RESPONSES).'}
      </p>
    )
  }
  return (
    <details open={isOpen}>
      <summary className="text-soft text-xs hover:text-ink">Request and response</summary>
      <div className="mt-2 space-y-2">
        {destination !== null && (
          <p className="break-all font-mono text-xs">
            {/^https?:/.test(destination) ? 'POST ' : ''}
            {destination}
          </p>
        )}
        {response === null ? (
          <p className="text-soft text-xs">No response arrived.</p>
        ) : (
          <Code label={`Response${statusCode === null ? '' : ` ${statusCode}`}`}>{textOf(response)}</Code>
        )}
        {response?.shortened && <p className="text-soft text-xs">Shortened at 4 kB.</p>}
      </div>
    </details>
  )
}

function textOf({ headers, body }: NonNullable<Attempt['response']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body === '' ? '(no body)' : prettyJson(body)].join('\n').trimStart()
}
