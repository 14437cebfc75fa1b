import { Button, TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { decideUsageRequest, type UsageRequest } from '#contract/usage.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { usePartText } from '#web/usage/partText.ts'
import { useShareAmounts } from '../shareTexts.ts'
import { typedAmount } from './giving.ts'
import styles from './gifts.module.css'
import { refreshGifts } from './queries.ts'

/** Somebody asks for more of an account that I may give of: how much, what they used, whose part it would be. */
export function OwnerRequest({ request, currency }: { request: UsageRequest; currency: string }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const partText = usePartText(currency)
  const { full } = useShareAmounts(currency)
  const answer = useAnswer(request)
  const { nickname, unit, until, reason, part, create_time } = request
  const amount = full(unit, answer.amount ?? request.amount)
  return (
    <article className={styles.request} data-testid="owner-request">
      <p>
        {t('gifts.asks', { name: nickname, amount: full(unit, request.amount), time: momentText(until) })}
        <small>{momentText(create_time)}</small>
      </p>
      {reason !== '' && <q>{reason}</q>}
      {part !== null && <p className={styles.hint}>{partText(part, unit)}</p>}
      {answer.changing && (
        <TextInput
          size="xs"
          label={t(`gifts.amount.${unit}`)}
          inputMode={unit === 'money' ? 'decimal' : 'numeric'}
          value={answer.text}
          error={answer.amount === null && t('gifts.notWhole')}
          onChange={event => answer.setText(event.currentTarget.value)}
        />
      )}
      <TextInput
        size="xs"
        aria-label={t('gifts.word')}
        placeholder={t('gifts.word')}
        maxLength={500}
        value={answer.word}
        onChange={event => answer.setWord(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button size="xs" data-testid="owner-grant" loading={answer.pending} onClick={() => answer.send('granted')}>
          {t('gifts.grant', { amount })}
        </Button>
        {!answer.changing && (
          <Button size="xs" variant="default" onClick={answer.startChanging}>
            {t('gifts.change')}
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          data-testid="owner-decline"
          onClick={() => answer.send('declined')}
        >
          {t('gifts.decline')}
        </Button>
      </div>
    </article>
  )
}

function useAnswer(request: UsageRequest) {
  const t = useTranslate()
  const client = useQueryClient()
  const [text, setText] = useState<string | null>(null)
  const [word, setWord] = useState('')
  const [pending, setPending] = useState(false)
  const amount = text === null ? request.amount : typedAmount(text, request.unit)
  const send = async (decision: 'granted' | 'declined') => {
    if (decision === 'granted' && amount === null) return
    setPending(true)
    try {
      await call(decideUsageRequest, {
        params: { id: String(request.id) },
        body: { decision, word, ...(decision === 'granted' && { amount }) },
      })
      toast.success(t(decision === 'granted' ? 'gifts.granted' : 'gifts.declined', { name: request.nickname }))
    } catch (error) {
      reportFailure(error)
    }
    setPending(false)
    refreshGifts(client)
  }
  return {
    ...{ text: text ?? '', word, amount, pending, changing: text !== null, setText, setWord },
    startChanging: () => setText(String(request.amount)),
    send: (decision: 'granted' | 'declined') => void send(decision),
  }
}
