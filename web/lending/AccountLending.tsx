import { DrawerSection } from '#web/admin/drawer/rows.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { LendingTable } from './LendingTable.tsx'
import { type OtherRules, SharingReplay } from './SharingReplay.tsx'

type AccountLendingProps = { upstream_id: number; rules: OtherRules }

/** What administrators see of the sharing of an account: what other rules would bring, and who lends and borrows. */
export function AccountLending({ upstream_id, rules }: AccountLendingProps) {
  const t = useTranslate()
  return (
    <>
      <SharingReplay upstream_id={upstream_id} rules={rules} />
      <DrawerSection title={t('lending.title')}>
        <LendingTable upstream_id={upstream_id} />
      </DrawerSection>
    </>
  )
}
