import type { ValidationDetail } from '#contract/envelope.ts'
import { translate, translateMessage } from '#web/i18n/useTranslate.ts'
import { RefusedCall, TransportFailure } from './call.ts'
import { showToast } from './toasts.ts'

/** Shows a failed call as a toast, as in the specification, section 8. */
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
  // The dialog of the lost session says so already.
  if (refusal.isSessionLost && refusal.key !== 'badCredentials') return
  showToast({ tone: 'refusal', code: refusal.code, title: messageOf(refusal), text: reasonOf(refusal) })
}

/** Why something failed, in one line: of a refusal its code, its words and its reason, as in a toast. */
export function failureText(error: unknown): string {
  if (error instanceof MissingModule) return translate('toast.missing.text')
  if (!(error instanceof RefusedCall)) return transportText(error)
  const { code } = error
  const message = messageOf(error)
  const reason = reasonOf(error)
  return reason === ''
    ? translate('toast.refused.text', { message, code: String(code) })
    : translate('toast.refused.reason', { message, reason, code: String(code) })
}

const messageOf = ({ message, values }: RefusedCall): string => translateMessage(message, values)

/**
 * The text of the first wrong field. Without one, the result when it is a text; values are in the slots of the message
 * already.
 */
function reasonOf({ result, values, detail: [first] }: RefusedCall): string {
  if (first !== undefined) return detailText(first)
  return typeof result === 'string' && Object.keys(values).length === 0 ? translateMessage(result) : ''
}

/** The text of a refusal beside a field: of the first wrong field, else of the refusal. */
export function refusalText({ message, values, detail: [wrong] }: RefusedCall): string {
  return wrong === undefined ? translateMessage(message, values) : detailText(wrong)
}

/** The text for a wrong field: ours where its message is one of our keys, else its path and the message. */
function detailText({ loc, msg }: ValidationDetail): string {
  const key = `detail.${msg}`
  const text = translateMessage(key)
  return text === key ? `${loc.join('.')} ${msg}` : text
}

/** Too large for a proxy before the portal, which bounds what it takes itself and says so in its own words. */
export const TOO_LARGE = 413

function transportText(error: unknown): string {
  if (error instanceof TransportFailure && error.status === TOO_LARGE) return translate('toast.transport.tooLarge')
  if (error instanceof TransportFailure && error.status !== null)
    return translate('toast.transport.status', { status: String(error.status) })
  const message = error instanceof Error ? error.message : ''
  return message === '' ? translate('toast.transport.text') : message
}

/** A chunk of the page could not be fetched: no network, or the server has a newer page without it. */
class MissingModule extends Error {}

/** Loads a chunk. After a failure it can be called again. */
export async function fetchModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new MissingModule('', { cause })
  }
}
