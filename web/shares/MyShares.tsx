import type { Share } from '#contract/shares.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useShare, useShares } from './queries.ts'
import { ShareWindows } from './ShareWindows.tsx'
import styles from './shares.module.css'
import { StateTag } from './StateTag.tsx'

/** What is mine of every account that is shared by shares. */
export function MyShares() {
  const t = useTranslate()
  const mine = useShares()?.filter(isMine) ?? []
  if (mine.length === 0) return null
  return (
    <section className={styles.mineAll} aria-label={t('shares.mine')} data-testid="my-shares">
      <h3>{t('shares.mine')}</h3>
      {mine.map(share => (
        <OneShare key={share.upstream_id} share={share} />
      ))}
    </section>
  )
}

const isMine = ({ sharing, windows }: Share): boolean =>
  sharing === 'shares' && windows.some(({ mine }) => mine !== null)

function OneShare({ share }: { share: Share }) {
  const t = useTranslate()
  const name = share.label === '' ? t(`sources.${share.source}`) : share.label
  return (
    <div className={styles.one}>
      <div className={styles.head}>
        <strong>{name}</strong>
        <StateTag share={share} />
      </div>
      <ShareWindows share={share} name={name} />
    </div>
  )
}

/** The windows of one account, for administrators. */
export function AccountShare({ pool, name }: { pool: number; name: string }) {
  const share = useShare(pool)
  return share !== undefined && <ShareWindows share={share} name={name} />
}
