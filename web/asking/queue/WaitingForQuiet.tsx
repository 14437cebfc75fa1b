import { reportFailure } from '#web/foundation/failures.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import type { AskState } from '../asks/askState.ts'
import { stopAndWait } from '../asks/asks.ts'

const QuietPanel = lazyWithTexts('quiet', () => import('./QuietPanel.tsx').then(module => module.QuietPanel))

type WaitingProps = {
  ask_id: string
  state: Extract<AskState, { phase: 'quiet' }>
  /** Puts the question back into the composer, once it is stopped. */
  onStopped(): Promise<void>
}

/** A question that waits until it is quiet: it may be asked now, or taken back. */
export function WaitingForQuiet({ ask_id, state, onStopped }: WaitingProps) {
  const withdraw = () => {
    stopAndWait(ask_id).then(onStopped).catch(reportFailure)
  }
  const { position, until, likely_at } = state
  const shown = { ask_id, position, until, likely_at }
  return <QuietPanel {...shown} onWithdraw={withdraw} onLoadError={() => undefined} />
}
