import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'
import { isForInputMethod } from '#web/foundation/inputMethod.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { ariaKeysOf, useShortcut } from '#web/foundation/shortcuts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconArrowsMaximize, IconArrowsMinimize, IconArrowUp, IconPlayerStopFilled } from '#web/kit/icons.ts'
import { COMPOSER_FIELD, focusComposerWhereKeysAre } from './composerField.ts'
import styles from './composer.module.css'
import { GrowingFor } from './GrowingFor.tsx'
import { Remaining } from './Remaining.tsx'
import { ModelPicker } from './ModelPicker.tsx'
import { sends } from './sendKey.ts'
import { SendHint } from './SendHint.tsx'
import { TokenHint } from './hints.tsx'
import { useAutosize } from './useAutosize.ts'
import type { Draft } from '../drafts/useDraft.ts'
import type { FileSlots } from '../drafts/draftFiles.tsx'
import { useExpanded } from './useExpanded.ts'
import { useHeldSend } from './useHeldSend.ts'
import type { ModelChoices } from './modelChoice.tsx'

type ComposerProps = {
  draft: Draft & { files: FileSlots }
  choice: ModelChoices | null
  /** Why nothing can be sent now; the draft is never locked. */
  hindrance: ReactNode
  onSend(text: string): void
  /** There while an answer is awaited: then it can be stopped, and the next question written. */
  awaited: Awaited | null
}

/** `growing_since`: milliseconds since the epoch when the answer began here; null while it has not, or began elsewhere. */
type Awaited = { growing_since: number | null; stop(): void }

export function Composer({ draft, choice, hindrance, onSend, awaited }: ComposerProps) {
  const t = useTranslate()
  const { sendKey } = usePreferences()
  const reason = useId()
  const field = useAutosize(draft.text)
  useFocusHere(draft.conversation)
  const { expanded, mayExpand, expand } = useExpanded(draft.conversation, draft.text)
  const maySend = draft.text.trim() !== '' && awaited === null && choice !== null && hindrance === null
  const send = useHeldSend({
    text: draft.text,
    isLoading: choice === null && hindrance === '',
    maySend,
    onSend: words => {
      expand(false)
      onSend(words)
    },
  })
  const tip = typeof hindrance === 'string' && hindrance !== '' ? hindrance : t('composer.send')
  // Another button takes the place of the pressed one, which loses the focus.
  const writeOn = focusComposerWhereKeysAre
  useShortcut('stop', awaited?.stop ?? null)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const wantsLess = event.key === 'Escape' && expanded && awaited === null && !isForInputMethod(event.nativeEvent)
    if (!wantsLess && !sends(event.nativeEvent, sendKey)) return
    event.preventDefault()
    if (wantsLess) expand(false)
    else send()
  }
  return (
    <form
      className={styles.composer}
      onSubmit={event => {
        event.preventDefault()
        send()
        writeOn()
      }}
    >
      {draft.files.above}
      <div className={styles.writing}>
        <textarea
          ref={field}
          id={COMPOSER_FIELD}
          dir="auto"
          className={expanded ? styles.expanded : styles.field}
          data-testid="composer"
          data-composer
          rows={1}
          value={draft.text}
          aria-label={t('composer.label')}
          aria-keyshortcuts={ariaKeysOf('focusComposer')}
          placeholder={t(placeholderOf(awaited, draft.files))}
          aria-describedby={reason}
          enterKeyHint={sendKey === 'Enter' ? 'send' : 'enter'}
          // The draft is kept by the page; the browser must not restore it as well after going Back.
          autoComplete="off"
          onChange={event => draft.write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {mayExpand && (
          <Expand
            expanded={expanded}
            onExpand={next => {
              expand(next)
              writeOn()
            }}
          />
        )}
      </div>
      <div className={styles.tools}>
        {draft.files.button}
        {choice !== null && <ModelPicker choice={choice} />}
        <span className={styles.facts} id={reason}>
          {hindrance ?? (
            <>
              <TokenHint text={draft.text} choice={choice} />
              <Remaining choice={choice} />
            </>
          )}
        </span>
        {awaited !== null && awaited.growing_since !== null && <GrowingFor since={awaited.growing_since} />}
        {awaited === null ? (
          <SendButton disabled={!maySend} tip={tip} />
        ) : (
          <StopButton
            onStop={() => {
              awaited.stop()
              writeOn()
            }}
          />
        )}
      </div>
      <SendHint />
    </form>
  )
}

function SendButton({ disabled, tip }: { disabled: boolean; tip: string }) {
  const t = useTranslate()
  return (
    <button
      type="submit"
      className={styles.send}
      data-testid="send"
      aria-label={t('composer.send')}
      title={disabled ? tip : undefined}
      data-tip={disabled ? undefined : tip}
      disabled={disabled}
    >
      <IconArrowUp size={18} aria-hidden />
    </button>
  )
}

function StopButton({ onStop }: { onStop(): void }) {
  const t = useTranslate()
  return (
    <button
      type="button"
      className={styles.stop}
      data-testid="stop"
      aria-label={t('composer.stop')}
      data-tip={t('composer.stop')}
      aria-keyshortcuts={ariaKeysOf('stop')}
      onClick={onStop}
    >
      <IconPlayerStopFilled size={16} aria-hidden />
    </button>
  )
}

function Expand({ expanded, onExpand }: { expanded: boolean; onExpand(expanded: boolean): void }) {
  const t = useTranslate()
  const Icon = expanded ? IconArrowsMinimize : IconArrowsMaximize
  const label = t(expanded ? 'composer.shrink' : 'composer.expand')
  return (
    <button
      type="button"
      className={styles.expand}
      data-testid="composer-expand"
      aria-label={label}
      data-tip={label}
      aria-expanded={expanded}
      onClick={() => onExpand(!expanded)}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
    </button>
  )
}

function placeholderOf(awaited: Awaited | null, { button }: FileSlots) {
  if (awaited !== null) return 'composer.placeholderNext'
  return button === null ? 'composer.placeholder' : 'composer.placeholderFiles'
}

function useFocusHere(conversation: string): void {
  useEffect(focusComposerWhereKeysAre, [conversation])
}
