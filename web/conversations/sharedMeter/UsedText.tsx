import type { AccountMeter } from '#contract/status.ts'
import { useLanguage } from '#web/i18n/useTranslate.ts'
import { Emphasised } from '#web/kit/Emphasised.tsx'

/** "3 小时内已用 38 / 50" with the 38 in bold. */
export function UsedText({ text, account: { used, allowed } }: { text: string; account: AccountMeter }) {
  const number = new Intl.NumberFormat(useLanguage())
  return <Emphasised text={text} part={number.format(used)} in={`${number.format(used)}${allowed === null ? '' : ` / ${number.format(allowed)}`}`} />
}
