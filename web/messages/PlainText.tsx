import { Component, type ReactNode } from 'react'
import styles from './messages.module.css'

/** A text as it was written; three or more blank lines are one. */
export function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className={styles.plain}>
      {text.replaceAll(/\n(?:[ \t]*\n){3,}/g, '\n\n')}
    </div>
  )
}

type PlainFallbackProps = { text: () => string; children: ReactNode }

/** Shows a text as it was written when rendering fails, so that one message does not take the conversation with it. */
export class PlainFallback extends Component<PlainFallbackProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div dir="auto" className={styles.undrawn}>
        {this.props.text()}
      </div>
    )
  }
}
