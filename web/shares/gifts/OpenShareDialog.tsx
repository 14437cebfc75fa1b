import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { useShare } from '../queries.ts'
import { AskShareForm } from './AskShareForm.tsx'
import { GiveForm } from './GiveForm.tsx'
import { givenWindow } from './giving.ts'
import type { ShareDialog } from './shareDialog.ts'
import { ShareLedgerView } from './ShareLedgerView.tsx'

const TITLES = { give: 'gifts.give', ask: 'gifts.ask', ledger: 'gifts.ledger' } as const

/** One of the dialogs of an account. */
export function OpenShareDialog({ dialog, onClose }: { dialog: ShareDialog; onClose(): void }) {
  const t = useTranslate()
  const share = useShare(dialog.upstream_id)
  const window = share && givenWindow(share)
  return (
    <Dialog title={t(TITLES[dialog.kind])} width={dialog.kind === 'ledger' ? 600 : 500} onClose={onClose}>
      {dialog.kind === 'ledger' && <ShareLedgerView upstream_id={dialog.upstream_id} />}
      {share && window && dialog.kind === 'give' && <GiveForm share={share} window={window} onDone={onClose} />}
      {share && window && dialog.kind === 'ask' && <AskShareForm share={share} window={window} onDone={onClose} />}
    </Dialog>
  )
}
