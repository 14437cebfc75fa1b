import type { RefusalKey } from '#contract/refusals.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { AttachedPart } from './attachedPart.ts'
import type { ProviderAsk } from './provider.ts'
import { readError } from './upstreamErrors.ts'

const PICTURE = String.raw`(?:images?|pictures?|vision|visual|multi-?modal(?:ity)?|image_url|图片|图像|视觉|多模态)`

/** A picture that cannot be read, whatever the model sees. */
const UNREADABLE =
  /(?:image|picture|media|图片|图像)[^\n]{0,40}(?:format|mime|media[_ ]type|格式|损坏)|unsupported (?:image|mime)(?:[_ ](?:type|format)|[.,:]|$)|(?:could not|cannot|unable to|failed to) (?:process|decode|load|identify|parse|read|open)[^\n]{0,30}(?:image|picture)|(?:not a valid|invalid|corrupt\w*|provided)[_ ](?:base64[_ ])?(?:image|picture)\b(?![_ ]url is only)[^\n]{0,30}(?:data|not valid|invalid|$)|image_parse_error|invalid_image|invalid_base64/
const TOO_LARGE =
  /(?:image|picture|图片|图像)[^\n]{0,80}(?:too (?:large|big)|exceeds? [\d.]+ ?[kmg]i?b|dimensions? exceed|exceeds? (?:the )?(?:max\w*|size|dimension|limit of [\d.]+ ?[kmg]i?b|allowed size)|larger than|max(?:imum)? (?:allowed )?(?:file )?size|过大|大小|超过[^\n]{0,10}(?:mb|像素))|image_too_large|(?:dimensions?|resolution|size|pixels)[^\n]{0,30}(?:image|picture)[^\n]{0,40}(?:exceed|too)/
const TOO_MANY =
  /too many (?:images?|pictures?|files?|documents?)|at most \d{1,4} (?:image|picture)|(?:max\w*|only|up to|more than|exceed\w*|limit\w*)[^\n]{0,40}\b\d{1,4} (?:images?|pictures?)\b|(?:images?|pictures?)[^\n]{0,40}(?:per (?:request|prompt|message)|count|number)[^\n]{0,40}(?:exceed|limit|max)|(?:number|count) of (?:images?|pictures?)[^\n]{0,40}(?:exceed|limit|max|more than|cannot|must)|(?:图片|图像)[^\n]{0,12}(?:数量|张数|个数|最多|不超过|超过[^\n]{0,6}张)/
const MAX_PICTURES =
  /(?:at most|max\w*(?: of| is)?|only(?: support\w*| up to)?|up to|limit(?: of| is)?|exceed\w*|最多|不超过)[^\d\n]{0,30}(\d{1,4})\b/
const NO_PICTURES = new RegExp(
  [
    String.raw`image_url[^\n]{0,20}(?:is )?only supported by`,
    String.raw`(?:does ?n[o'’]?t|do not|cannot|can't|not|no longer) (?:currently )?(?:support|accept|take|handle|process|have)[^\n]{0,40}\b${PICTURE}`,
    String.raw`\b${PICTURE}\b[^\n]{0,60}(?:(?:not|n't) (?:currently )?(?:supported|enabled|available|allowed|accepted)|unsupported|disabled|only supported|required for image input)`,
    String.raw`(?:not|n't) (?:an? )?(?:${PICTURE}|vlm|vision[- ]language)`,
    String.raw`no endpoints[^\n]{0,30}support ${PICTURE}`,
    String.raw`unknown variant .{0,3}image_url|(?:invalid|unsupported|unknown|unexpected)[^\n]{0,40}(?:content|part|value|type)[^\n]{0,20}image_url`,
    String.raw`unsupported[^\n]{0,20}${PICTURE}`,
    String.raw`mmproj|missing data required for image`,
    String.raw`at most 0 image`,
    String.raw`不支持[^\n]{0,20}(?:图片|图像|视觉|多模态|image)|(?:图片|图像|视觉|多模态)[^\n]{0,20}不支持`,
  ].join('|'),
)
const NO_FILES = new RegExp(
  [
    String.raw`(?:does ?n[o'’]?t|do not|cannot|not) (?:currently )?(?:support|accept|take)[^\n]{0,40}\b(?:files?|documents?|pdfs?)\b`,
    String.raw`\b(?:files?|documents?|pdfs?)\b[^\n]{0,40}(?:(?:not|n't) (?:supported|enabled|allowed|accepted)|unsupported|only supported)`,
    String.raw`(?:unknown variant|invalid value|unknown part type|unsupported content type|invalid content type|unexpected type)[^\n]{0,10}\bfile\b`,
    String.raw`no endpoints[^\n]{0,30}support (?:file|pdf)`,
    String.raw`不支持[^\n]{0,12}(?:文件|文档|pdf)`,
  ].join('|'),
)
/** Of endpoints that take a text alone, whatever is in the parts. */
const TEXT_ALONE =
  /content\b[^\n]{0,40}(?:must be|should be|expected|to be)(?: a| an)?(?: valid)? string|expected (?:a )?string|can only concatenate str|取值范围[^\n]{0,6}\[?['"]?text/

/** Refusals that say nothing of what went with a question. */
const OF_ANOTHER_KIND: ReadonlySet<RefusalKey> = new Set([
  'openai.401',
  'openai.403',
  'openai.429',
  'openai.quota',
  'openai.contentFilter',
  'openai.oneAtATime',
  'openai.accountDeactivated',
  'openai.unusualActivity',
  'openai.webPage',
])

type Kinds = { pictures: number; files: number }

function kindsOf({ attached }: Pick<ProviderAsk, 'attached'>): Kinds {
  const parts = [...(attached?.values() ?? [])].flat()
  const count = (kind: AttachedPart['kind']): number => parts.filter(part => part.kind === kind).length
  return { pictures: count('picture'), files: count('file') }
}

/** What is wrong with the pictures and files of a request, by the words of a refusal; null for anything else. */
export function attachmentMeaning(
  words: string,
  { pictures, files }: Kinds,
): { key: RefusalKey; most?: number } | null {
  if (pictures > 0) {
    if (TOO_MANY.test(words) && !/at most 0 /.test(words)) {
      const most = Number(MAX_PICTURES.exec(words)?.[1])
      return { key: 'openai.tooManyPictures', ...(most > 0 && { most }) }
    }
    if (TOO_LARGE.test(words)) return { key: 'openai.pictureTooLarge' }
    if (UNREADABLE.test(words)) return { key: 'openai.pictureUnreadable' }
    if (NO_PICTURES.test(words)) return { key: 'openai.picturesNotTaken' }
  }
  if (files > 0 && NO_FILES.test(words)) return { key: 'openai.filesNotTaken' }
  if (!TEXT_ALONE.test(words)) return null
  return pictures > 0 ? { key: 'openai.picturesNotTaken' } : files > 0 ? { key: 'openai.filesNotTaken' } : null
}

/**
 * A refusal of the pictures or files that went with a question, in place of one of the question; any other as it is. It
 * is never one of the account. `text`: what the endpoint said.
 */
export function ofAttachments(refusal: Refusal, text: string, asked: Pick<ProviderAsk, 'attached'>): Refusal {
  const kinds = kindsOf(asked)
  if (kinds.pictures + kinds.files === 0 || OF_ANOTHER_KIND.has(refusal.key)) return refusal
  const meaning = attachmentMeaning(readError(text).words, kinds)
  if (meaning === null) return refusal
  const { key, most } = meaning
  return new Refusal(key, { ...(most !== undefined && { most }) }, { cause: refusal.cause })
}
