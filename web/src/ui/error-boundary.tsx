// Contains an error of rendering: the part inside is replaced by the error and a way on, the rest of the page stays.
import { Component, type ReactNode } from 'react'
import { messageOf } from '../api/client.ts'
import { BASE } from '../base.ts'
import { Button, buttonClass } from './button.tsx'
import { Empty } from './panel.tsx'

type BoundaryProps = {
  children: ReactNode
  /** A change clears the error, such as the URL of the page. */
  resetKey?: string
}
type BoundaryState = { error: unknown; failedFor: string | undefined } | null

export class ErrorBoundary extends Component<BoundaryProps, { failed: BoundaryState }> {
  override state = { failed: null as BoundaryState }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error, failedFor: undefined } }
  }

  static getDerivedStateFromProps({ resetKey }: BoundaryProps, { failed }: { failed: BoundaryState }) {
    if (failed === null) return null
    if (failed.failedFor === undefined) return { failed: { ...failed, failedFor: resetKey } }
    return failed.failedFor === resetKey ? null : { failed: null }
  }

  override render() {
    const { failed } = this.state
    if (failed === null) return this.props.children
    const actions = (
      <>
        <Button icon="again" onClick={() => location.reload()}>
          Reload
        </Button>
        <a href={BASE} className={buttonClass('quiet')}>
          Go to Today
        </a>
      </>
    )
    return (
      <div role="alert">
        <Empty title="This page failed to load." action={actions}>
          {messageOf(failed.error)}
        </Empty>
      </div>
    )
  }
}
