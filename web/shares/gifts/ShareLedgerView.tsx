import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ShareLedger, ShareLine } from '#contract/shareLedger.ts'
import { takeBackShare } from '#contract/shares.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useMomentText } from '#web/foundation/moments.ts'
import { useModelName } from '#web/foundation/portal.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { NotLoaded } from '#web/kit/NotLoaded.tsx'
import { useShareAmounts, useShareWindowText } from '../shareTexts.ts'
import styles from './gifts.module.css'
import { ledgerQuery, refreshGifts } from './queries.ts'

/** What happened to my share of an account; what will come back stands on top. */
export function ShareLedgerView({ upstream_id }: { upstream_id: number }) {
  const t = useTranslate()
  const windowText = useShareWindowText()
  const { data: ledger, error, refetch } = useQuery(ledgerQuery(upstream_id))
  if (ledger === undefined) return error !== null && <NotLoaded error={error} onRetry={refetch} />
  const { coming, lines, label, window } = ledger
  return (
    <div className={styles.ledger} data-testid="share-ledger">
      <p className={styles.hint}>
        {t('gifts.ledgerOf', { account: label, window: windowText({ window, models: null }) })}
      </p>
      {coming.length + lines.length === 0 ? (
        <p className={styles.hint}>{t('gifts.none')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('gifts.time')}</th>
              <th scope="col">{t('gifts.what')}</th>
              <th scope="col">{t(`gifts.amount.${ledger.unit}`)}</th>
              <th scope="col">{t('gifts.still')}</th>
            </tr>
          </thead>
          <tbody>
            {coming.map(each => (
              <Coming key={each.gift.id} {...each} ledger={ledger} />
            ))}
            {lines.map((line, at) => (
              <Line key={at} line={line} ledger={ledger} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function Coming({ gift, at, amount, ledger }: ShareLedger['coming'][number] & { ledger: ShareLedger }) {
  const t = useTranslate()
  const momentText = useMomentText()
  const { figure } = useShareAmounts(ledger.currency)
  return (
    <tr className={styles.soon}>
      <td>{momentText(at)}</td>
      <td>{t('gifts.willReturn', { name: gift.to.name || t('shares.somebody') })}</td>
      <td colSpan={2}>{t('gifts.atMost', { amount: figure(ledger.unit, amount) })}</td>
    </tr>
  )
}

function Line({ line, ledger }: { line: ShareLine; ledger: ShareLedger }) {
  const momentText = useMomentText()
  const lineText = useLineText(ledger)
  const t = useTranslate()
  const { figure } = useShareAmounts(ledger.currency)
  const { unit, coming } = ledger
  const mayTakeBack = line.kind === 'given' && coming.some(({ gift }) => gift.id === line.gift_id)
  const change = figure(unit, Math.abs(line.change))
  return (
    <tr data-testid="share-line" data-kind={line.kind}>
      <td>{momentText(line.time)}</td>
      <td>
        {lineText(line)}
        {mayTakeBack && line.gift_id !== null && <TakeBack id={line.gift_id} />}
      </td>
      <td className={line.change > 0 ? styles.plus : undefined}>
        {line.change === 0 ? t('gifts.free') : `${line.change > 0 ? '+' : '−'}${change}`}
      </td>
      <td>{figure(unit, line.left)}</td>
    </tr>
  )
}

function useLineText({ unit, currency }: ShareLedger): (line: ShareLine) => string {
  const t = useTranslate()
  const momentText = useMomentText()
  const nameOf = useModelName()
  const { full } = useShareAmounts(currency)
  return ({ kind, model, is_quiet, is_borrowed, name: other, until, amount }) => {
    const name = other ?? t('shares.somebody')
    const time = until === null ? '' : momentText(until)
    switch (kind) {
      case 'asked':
        if (is_quiet) return t('gifts.line.quiet')
        return t(is_borrowed ? 'gifts.line.borrowed' : 'gifts.line.asked', { model: nameOf(model ?? '') })
      case 'lent':
        return t('gifts.line.lent', { name, amount: full(unit, amount) })
      case 'granted':
        return other === null ? t('gifts.line.grantedByAll', { time }) : t('gifts.line.granted', { name, time })
      case 'given':
      case 'received':
        return t(`gifts.line.${kind}`, { name, time })
      case 'taken_back':
      case 'came_back':
        return t(`gifts.line.${kind}`, { name })
    }
  }
}

function TakeBack({ id }: { id: number }) {
  const t = useTranslate()
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const takeBack = async () => {
    setPending(true)
    try {
      await call(takeBackShare, { params: { id: String(id) } })
      toast.success(t('gifts.takenBack'))
    } catch (error) {
      reportFailure(error)
      setPending(false)
    }
    refreshGifts(client)
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      className={styles.takeBack}
      loading={pending}
      data-testid="gift-take-back"
      onClick={() => void takeBack()}
    >
      {t('gifts.takeBack')}
    </Button>
  )
}
