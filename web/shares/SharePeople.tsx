import { useState } from 'react'
import type { Share, SharePerson, ShareWindow } from '#contract/shares.ts'
import { useTranslate, useTranslateAround } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { initialOf } from '#contract/initial.ts'
import { Emphasised } from '#web/kit/Note.tsx'
import { longestRow, type RowKind, type RowPiece, rowPieces } from './bar.ts'
import styles from './shares.module.css'
import { ShareLegend } from './ShareLegend.tsx'
import { useShareAmounts, useShareWindowText } from './shareTexts.ts'

/** So many people are shown at once; on a phone fewer, with the legend folded. */
const SHOWN = { wide: 9, phone: 5 } as const

/** Who used how much of a window: oneself first, then by use. One scale for all rows: the longest. */
export function SharePeople({ share, isPhone }: { share: Share; isPhone: boolean }) {
  const t = useTranslate()
  const [chosen, setChosen] = useState(0)
  const [unfolded, setUnfolded] = useState(false)
  const window = share.windows[chosen] ?? share.windows[0]
  if (window === undefined || window.people.length === 0) return null
  const { people } = window
  const most = SHOWN[isPhone ? 'phone' : 'wide']
  const further = unfolded ? 0 : Math.max(0, people.length - most)
  const scale = longestRow(people)
  return (
    <div className={styles.people}>
      <div className={styles.peopleHead}>
        <span>{t('shares.people')}</span>
        {share.windows.length > 1 && <WindowChoice share={share} chosen={chosen} onChoose={setChosen} />}
      </div>
      <ol>
        {people.slice(0, people.length - further).map((person, at) => (
          <PersonRow key={person.user_id ?? at} person={person} scale={scale} window={window} share={share} />
        ))}
      </ol>
      {(further > 0 || (isPhone && !unfolded)) && (
        <button type="button" className={styles.unfold} aria-expanded={false} onClick={() => setUnfolded(true)}>
          {further === 0 ? t('shares.legend') : t(isPhone ? 'shares.moreLegend' : 'shares.more', { count: further })}
          <IconChevronDown size={14} aria-hidden />
        </button>
      )}
      {share.names === 'initials' && <p className={styles.hint}>{t('shares.initialsOnly')}</p>}
      {share.names === 'none' && <p className={styles.hint}>{t('shares.noNames')}</p>}
      {(!isPhone || unfolded) && <ShareLegend />}
    </div>
  )
}

type WindowChoiceProps = { share: Share; chosen: number; onChoose(at: number): void }

function WindowChoice({ share, chosen, onChoose }: WindowChoiceProps) {
  const t = useTranslate()
  const windowText = useShareWindowText()
  return (
    <span className={styles.choice} role="group" aria-label={t('shares.span')}>
      {share.windows.map((window, at) => (
        <button key={at} type="button" aria-pressed={at === chosen} onClick={() => onChoose(at)}>
          {windowText(window)}
        </button>
      ))}
    </span>
  )
}

type PersonRowProps = { person: SharePerson; scale: number; window: ShareWindow; share: Share }

function PersonRow({ person, scale, window, share }: PersonRowProps) {
  const t = useTranslate()
  const { name, is_me } = person
  const shown = is_me ? t('shares.you') : (name ?? t('shares.somebody'))
  const initials = share.names !== 'full'
  return (
    <li
      className={styles.person}
      data-me={is_me || undefined}
      data-nameless={initials || undefined}
      data-testid="share-row"
    >
      <span className={styles.avatar} data-me={is_me || undefined} aria-hidden="true">
        {name === null ? '' : initialOf(name)}
      </span>
      <span className={initials ? 'visually-hidden' : styles.name}>{shown}</span>
      <span className={styles.row} aria-hidden="true">
        {rowPieces(person, scale).map((piece, at) => (
          <RowBar key={at} piece={piece} isMe={is_me} />
        ))}
      </span>
      <span className={styles.numbers}>
        <PersonNumbers person={person} window={window} currency={share.currency} />
      </span>
    </li>
  )
}

const MINE: Partial<Record<RowKind, string>> = { used: 'mine', left: 'left', borrowed: 'borrowed' }
const OTHERS: Record<RowKind, string> = {
  used: 'other',
  left: 'kept',
  borrowed: 'othersBorrowed',
  lent: 'lent',
  free: 'free',
  mark: 'mark',
  empty: 'empty',
}

function RowBar({ piece: { kind, amount }, isMe }: { piece: RowPiece; isMe: boolean }) {
  return <i className={styles[(isMe ? MINE[kind] : undefined) ?? OTHERS[kind]]} style={{ flexGrow: amount }} />
}

/** "13 / 8，借了 5": used of the share, and what was borrowed or lent. */
function PersonNumbers({
  person,
  window: { unit },
  currency,
}: Omit<PersonRowProps, 'scale' | 'share'> & { currency: string }) {
  const around = useTranslateAround()
  const { figure } = useShareAmounts(currency)
  const [used, share] = [figure(unit, person.used), figure(unit, person.share)]
  const parts =
    person.borrowed > 0
      ? around('shares.row.borrowed', 'used', { used, share, borrowed: figure(unit, person.borrowed) })
      : person.lent > 0
        ? around('shares.row.lent', 'used', { used, share, lent: figure(unit, person.lent) })
        : around(person.is_owner ? 'shares.row.owner' : 'shares.row', 'used', { used, share })
  return <Emphasised parts={parts} />
}
