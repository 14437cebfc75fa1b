import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ariaKeysOf, isForInputMethod } from '#web/foundation/shortcuts.ts'
import { usePreferences } from '#web/foundation/preferences.ts'
import { useShortcut } from '#web/foundation/useShortcut.ts'
import { useModelName } from '#web/foundation/portal.ts'
import type { ModelChoice } from '#contract/models.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { lazyWithTexts } from '#web/kit/lazyComponent.tsx'
import type { QuestionDraft } from '#web/sources/source.ts'
import { LevelPicker } from '#web/instructions/lazyInstructions.ts'
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconArrowUp,
  IconChevronDown,
  IconPlayerStopFilled,
} from '#web/kit/icons.ts'
import { SmallIconButton } from '#web/kit/IconButton.tsx'
import { MenuButton } from '#web/kit/MenuButton.tsx'
import { usePromptSlot } from '#web/prompts/promptSlot.tsx'
import type { DraftFiles } from '../drafts/draftFiles.tsx'
import type { Draft } from '../drafts/useDraft.ts'
import { COMPOSER_FIELD, focusComposerWhereKeysAre, isDesktop, useAutosize } from './composerField.ts'
import styles from './composer.module.css'
import { GrowingFor, Remaining, SendHint, TokenHint } from './hints.tsx'
import type { ModelChoices } from '../conversation/modelChoice.ts'
import { sends, sendsQuietly } from './sendKey.ts'
import { SendWays } from './SendWays.tsx'
import type { SendWhen } from './sendWhen.ts'

const ModelMenu = lazyWithTexts('attachments', () =>
  import('#web/attachments/ModelMenu.tsx').then(module => module.ModelMenu),
)

type ComposerProps = {
  draft: ComposerDraft
  choice: ModelChoices | null
  /** Why nothing can be sent now; '' while loading. The draft can be edited in any case. */
  disabledReason: ReactNode
  onSend(text: string, when: SendWhen): void
  /** The running ask, if there is one. It can be stopped, and the next question can be written meanwhile. */
  awaited: Awaited | null
}

type ComposerDraft = Draft & { files: Pick<DraftFiles, 'above' | 'button' | 'hint' | 'question' | 'openEarlier'> }

/**
 * `growing_since`: milliseconds since the epoch when the answer began; null while it has not begun, or when it began on
 * another page.
 */
type Awaited = { growing_since: number | null; stop(): void }

export function Composer({ draft, choice, disabledReason, onSend, awaited }: ComposerProps) {
  const t = useTranslate()
  const reasonId = useId()
  useEffect(focusComposerWhereKeysAre, [draft.conversation])
  const expansion = useExpansion(draft)
  const prompts = usePromptSlot(draft)
  const maySend =
    draft.text.trim() !== '' && awaited === null && choice !== null && disabledReason === null && !prompts.holds
  const send = useDeferredSend({
    text: draft.text,
    isLoading: choice === null && disabledReason === '',
    maySend,
    onSend: (text, when) => {
      expansion.expand(false)
      onSend(prompts.finish(text), when)
    },
  })
  useShortcut('stop', awaited?.stop ?? null)
  return (
    <form
      className={styles.composer}
      onSubmit={event => {
        event.preventDefault()
        send('now')
        // The stop button replaces the pressed one, so the focus would be lost.
        focusComposerWhereKeysAre()
      }}
    >
      {prompts.menu}
      {draft.files.above}
      <TextField draft={draft} expansion={expansion} isAwaiting={awaited !== null} reasonId={reasonId} onSend={send} />
      <div className={styles.tools}>
        {draft.files.button}
        {choice !== null && <ModelPicker choice={choice} question={draft.files.question} />}
        {choice !== null && choice.levels.length > 0 && (
          <LevelPicker
            levels={choice.levels}
            level={choice.level}
            onChoose={choice.chooseLevel}
            className={styles.pick}
            onLoadError={() => undefined}
          />
        )}
        <span className={styles.facts} id={reasonId}>
          {disabledReason ?? prompts.hint ?? (
            <>
              {draft.files.hint !== null && <span>{draft.files.hint}</span>}
              <TokenHint text={draft.text} choice={choice} />
              <Remaining choice={choice} />
            </>
          )}
        </span>
        {awaited !== null && awaited.growing_since !== null && <GrowingFor since={awaited.growing_since} />}
        {awaited === null ? (
          <SendWays source={choice?.source ?? null} disabled={!maySend} onSend={send}>
            <SendButton
              disabled={!maySend}
              tip={typeof disabledReason === 'string' && disabledReason !== '' ? disabledReason : t('composer.send')}
            />
          </SendWays>
        ) : (
          <StopButton onStop={awaited.stop} />
        )}
      </div>
      <SendHint onEarlier={draft.files.openEarlier} />
    </form>
  )
}

type TextFieldProps = {
  draft: ComposerDraft
  expansion: Expansion
  isAwaiting: boolean
  reasonId: string
  onSend(when: SendWhen): void
}

function TextField({ draft, expansion, isAwaiting, reasonId, onSend }: TextFieldProps) {
  const t = useTranslate()
  const { sendKey } = usePreferences()
  const field = useAutosize(draft.text)
  const { expanded, mayExpand, expand } = expansion
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const shrinks = event.key === 'Escape' && expanded && !isAwaiting && !isForInputMethod(event.nativeEvent)
    const isQuiet = sendsQuietly(event.nativeEvent)
    if (!shrinks && !isQuiet && !sends(event.nativeEvent, sendKey)) return
    event.preventDefault()
    if (shrinks) expand(false)
    else onSend(isQuiet ? 'quiet' : 'now')
  }
  const firstPlaceholder =
    draft.files.button !== null && isDesktop() ? 'composer.placeholderFiles' : 'composer.placeholder'
  return (
    <div className={styles.writing}>
      <textarea
        ref={field}
        id={COMPOSER_FIELD}
        className={`bare-field ${styles.question} ${expanded ? styles.expanded : styles.field}`}
        data-testid="composer"
        data-composer
        rows={1}
        value={draft.text}
        aria-label={t('composer.label')}
        aria-keyshortcuts={ariaKeysOf('focusComposer')}
        placeholder={t(isAwaiting ? 'composer.placeholderNext' : firstPlaceholder)}
        aria-describedby={reasonId}
        enterKeyHint={sendKey === 'Enter' ? 'send' : 'enter'}
        // The page keeps the draft; the browser must not restore it as well after going back.
        autoComplete="off"
        onChange={event => draft.write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {mayExpand && <ExpandButton expanded={expanded} onExpand={expand} />}
    </div>
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
      onClick={() => {
        onStop()
        focusComposerWhereKeysAre()
      }}
    >
      <IconPlayerStopFilled size={16} aria-hidden />
    </button>
  )
}

function ExpandButton({ expanded, onExpand }: { expanded: boolean; onExpand(expanded: boolean): void }) {
  const t = useTranslate()
  const Icon = expanded ? IconArrowsMinimize : IconArrowsMaximize
  const label = t(expanded ? 'composer.shrink' : 'composer.expand')
  return (
    <SmallIconButton
      className={styles.expand}
      data-testid="composer-expand"
      label={label}
      aria-expanded={expanded}
      onClick={() => {
        onExpand(!expanded)
        focusComposerWhereKeysAre()
      }}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
    </SmallIconButton>
  )
}

/** A text this long has the button for the whole height. */
const LONG = { characters: 300, lines: 6 }

type Expansion = { expanded: boolean; mayExpand: boolean; expand(expanded: boolean): void }

/** Whether the field has the whole height. Another conversation or an emptied field starts small again. */
function useExpansion({ conversation, text }: Draft): Expansion {
  const [expandedIn, setExpandedIn] = useState<string | null>(null)
  if (expandedIn !== null && (expandedIn !== conversation || text === '')) setExpandedIn(null)
  const expanded = expandedIn === conversation
  return {
    expanded,
    mayExpand: expanded || text.length > LONG.characters || text.split('\n', LONG.lines).length === LONG.lines,
    expand: next => setExpandedIn(next ? conversation : null),
  }
}

type Sending = { text: string; isLoading: boolean; maySend: boolean; onSend(text: string, when: SendWhen): void }

/**
 * Sends now; or, while the models are still loading, as soon as they are there, unless the text has been changed
 * meanwhile.
 */
function useDeferredSend({ text, isLoading, maySend, onSend }: Sending): (when: SendWhen) => void {
  const deferred = useRef<{ text: string; when: SendWhen } | null>(null)
  useEffect(() => {
    if (deferred.current === null || isLoading) return
    const wanted = deferred.current
    deferred.current = null
    if (maySend && wanted.text === text) onSend(text, wanted.when)
  }, [isLoading, maySend, text, onSend])
  return when => {
    if (maySend) onSend(text, when)
    else if (isLoading && text.trim() !== '') deferred.current = { text, when }
  }
}

/** Chooses the model of the next question: from a list with what each can, where anything of it is known. */
function ModelPicker({ choice, question }: { choice: ModelChoices; question: QuestionDraft | null }) {
  const { model, models, choose } = choice
  const t = useTranslate()
  const modelName = useModelName()
  const [wanted, setWanted] = useState(false)
  const name = modelName(model) ?? model
  if (models.length < 2) return <span className={styles.model}>{name}</span>
  const label = t('composer.model', { model: name })
  const inside = (
    <>
      <span className={styles.modelName}>{name}</span>
      <IconChevronDown size={14} aria-hidden />
    </>
  )
  if (question === null || !models.some(isKnown)) {
    const entries = models.map(({ code }) => ({
      label: modelName(code) ?? code,
      chosen: code === model,
      run: () => choose(code),
    }))
    return (
      <MenuButton label={label} className={styles.pick} entries={entries} position="top-start">
        {inside}
      </MenuButton>
    )
  }
  const parts = { label, className: styles.pick }
  const button = <ModelButton {...parts} onOpen={() => setWanted(true)} inside={inside} />
  return wanted ? (
    <ModelMenu {...parts} draft={question} fallback={button} onLoadError={() => setWanted(false)}>
      {inside}
    </ModelMenu>
  ) : (
    button
  )
}

const isKnown = ({ takes_pictures, takes_files, context_length }: ModelChoice): boolean =>
  takes_pictures !== null || takes_files !== null || context_length !== null

type ModelButtonProps = { label: string; className: string | undefined; inside: ReactNode; onOpen(): void }

/** Until the list is loaded, which its first opening does. */
function ModelButton({ label, className, inside, onOpen }: ModelButtonProps) {
  const preload = () => {
    ModelMenu.preload().catch(() => null)
  }
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      data-tip={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={onOpen}
    >
      {inside}
    </button>
  )
}
