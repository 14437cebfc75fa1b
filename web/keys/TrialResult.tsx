import { Button } from '@mantine/core'
import type { KeyTrial } from '#contract/keyTrials.ts'
import type { UserKey } from '#contract/keys.ts'
import { agoText } from '#web/foundation/times.ts'
import { useLanguage, useTranslate, useTranslateMessage } from '#web/i18n/useTranslate.ts'
import { IconAlertTriangle, IconCheck, IconClock, IconCopy } from '#web/kit/icons.ts'
import { useCopied } from '#web/kit/useCopied.ts'
import { outcomeTexts } from './outcomeTexts.ts'
import type { TrialState } from './useTrial.ts'
import styles from './keys.module.css'

/** `address`: as the chosen tool takes it; `secret`: null where the page does not know it. */
export type TrialFacts = { of: UserKey; keys: readonly UserKey[]; address: string; secret: string | null }

type TrialResultProps = {
  state: Exclude<TrialState, { phase: 'idle' }>
  now: Date
  facts: TrialFacts
  onWait(): void
  onStop(): void
}

/** Waiting, what came, or what was wrong with it; each says what to do. */
export function TrialResult({ state, now, facts, onWait, onStop }: TrialResultProps) {
  const t = useTranslate()
  const isWaiting = state.phase === 'waiting' || (state.phase === 'came' && state.isWaiting)
  const look = lookOf(state)
  const isKey =
    state.phase === 'came' && (state.trial.outcome.as === 'mistyped' || state.trial.outcome.as === 'unknownKey')
  return (
    <div className={styles.result} data-look={look} role="status" data-testid="tool-test-result">
      <LookIcon look={look} />
      {state.phase === 'came' ? (
        <Came trial={state.trial} now={now} facts={facts} />
      ) : (
        <span>
          <b>{t(`keys.test.${state.phase}`)}</b>
          <small>{t(`keys.test.${state.phase}.more`, { address: facts.address })}</small>
        </span>
      )}
      {isKey && facts.secret !== null && <CopyKey secret={facts.secret} />}
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        {...(isWaiting ? {} : { 'data-testid': 'tool-test' })}
        onClick={isWaiting ? onStop : onWait}
      >
        {t(isWaiting ? 'keys.test.stop' : 'keys.test.again')}
      </Button>
    </div>
  )
}

type Look = 'waiting' | 'queued' | 'answered' | 'wrong' | 'over'

function lookOf(state: TrialResultProps['state']): Look {
  if (state.phase !== 'came') return state.phase
  const { as } = state.trial.outcome
  if (as === 'queued' || as === 'answered') return as
  return as === 'asking' ? 'waiting' : 'wrong'
}

function LookIcon({ look }: { look: Look }) {
  if (look === 'waiting') return <span className={styles.dot} aria-hidden />
  const Icon = { queued: IconClock, answered: IconCheck, wrong: IconAlertTriangle, over: IconAlertTriangle }[look]
  return <Icon size={16} aria-hidden />
}

function CopyKey({ secret }: { secret: string }) {
  const t = useTranslate()
  const { copied, copy } = useCopied()
  const Icon = copied ? IconCheck : IconCopy
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => void copy(secret)}
    >
      {t(copied ? 'kit.copied' : 'keys.secret')}
    </Button>
  )
}

function Came({ trial, now, facts }: { trial: KeyTrial; now: Date; facts: TrialFacts }) {
  const t = useTranslate()
  const language = useLanguage()
  const translateMessage = useTranslateMessage()
  const { head, more } = outcomeTexts(trial.outcome, { t, translateMessage, address: facts.address })
  const other = trial.key_id === null || trial.key_id === facts.of.id ? null : trial.key_id
  const by = t('keys.test.by', {
    tool: trial.tool ?? t('keys.someTool'),
    time: agoText(new Date(trial.time), now, t, language),
  })
  const name = facts.keys.find(({ id }) => id === other)?.name
  return (
    <span>
      <b>{head}</b>
      {t('kit.comma')}
      {by}
      <small>{more}</small>
      {other !== null && (
        <small>{name === undefined ? t('keys.test.revokedKey') : t('keys.test.otherKey', { name })}</small>
      )}
    </span>
  )
}
