import type { ValidationDetail } from '#contract/envelope.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { translate, translateMessage } from '#web/i18n/useTranslate.ts'
import { RefusedCall, TransportFailure } from './call.ts'
import { MissingModule } from './fetchModule.ts'
import { showToast } from './toasts.ts'

/** Tells the person of a failed call, once, in the words of the specification, section 8. */
export function reportFailure(error: unknown): void {
  if (error instanceof RefusedCall) return reportRefusal(error)
  if (error instanceof DOMException && error.name === 'AbortError') return
  if (error instanceof MissingModule)
    return void showToast({
      tone: 'transport',
      title: translate('toast.missing'),
      text: translate('toast.missing.text'),
      reload: true,
    })
  if (!(error instanceof TransportFailure)) console.error(error)
  showToast({ tone: 'transport', title: translate('toast.transport'), text: transportText(error) })
}

function reportRefusal(refusal: RefusedCall): void {
  // The dialog has said it already.
  if (refusal.code === REFUSALS.loginExpired.code && refusal.key !== 'badCredentials') return
  const { code } = refusal
  const message = translateMessage(refusal.message, refusal.values)
  const reason = reasonOf(refusal)
  const text =
    reason === ''
      ? translate('toast.refused.text', { message, code: String(code) })
      : translate('toast.refused.reason', { message, reason, code: String(code) })
  showToast({ tone: 'refusal', title: translate('toast.refused'), text })
}

/** The first field that was wrong; else a result in words, unless those are the values, which the message names itself. */
function reasonOf({ result, values, detail: [first] }: RefusedCall): string {
  if (first !== undefined) return detailText(first)
  return typeof result === 'string' && Object.keys(values).length === 0 ? translateMessage(result) : ''
}

/** The words for a wrong field: ours where its message is one of our keys, else where it stands and what was said of it. */
export function detailText({ loc, msg }: ValidationDetail): string {
  const key = `detail.${msg}`
  const text = translateMessage(key)
  return text === key ? `${loc.join('.')} ${msg}` : text
}

function transportText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message === '' ? translate('toast.transport.text') : message
}
