import type { Message } from '#contract/messages.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { CodeBlock } from './markdown/code/CodeBlock.tsx'
import styles from './raw.module.css'

/** The messages as they are stored, as JSON. */
export function RawDialog({ messages, onClose }: { messages: readonly Message[]; onClose(): void }) {
  const t = useTranslate()
  return (
    <Dialog title={t('message.raw')} width={600} onClose={onClose}>
      <div className={styles.raw} data-testid="message-raw">
        <CodeBlock
          code={JSON.stringify(messages.length === 1 ? messages[0] : messages, null, 2)}
          language="json"
          caret={null}
        />
      </div>
    </Dialog>
  )
}
