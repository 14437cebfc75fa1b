import { Component, type ReactNode } from 'react'
import styles from './messages.module.css'

type PlainFallbackProps = { text: () => string; children: ReactNode }

/** A text that cannot be drawn is shown as it was written: one odd message must not take the conversation with it. */
export class PlainFallback extends Component<PlainFallbackProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <div dir="auto" className={styles.undrawn}>
        {this.props.text()}
      </div>
    ) : (
      this.props.children
    )
  }
}
