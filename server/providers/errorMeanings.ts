import type { RefusalKey } from '#contract/refusals.ts'
import { statusOfCodes } from './errorCodes.ts'
import type { UpstreamError } from './upstreamErrors.ts'

const FILTER =
  /content[_ -]?filter|content[_ ](?:management )?policy|responsibleaipolicy|data_?inspection_?failed|inappropriate content|safety (?:system|policy|settings|filter)|content_safety|moderation|sensitive[_ ](?:content|words?|information|topics?)|prohibited[_ ]content|content exists risk|敏感|违规|不合规/
/** Whoever has used up these has to pay, or to wait for the next day or month. */
const MONEY =
  /insufficient[_ ](?:\w+[_ ])?(?:quota|balance|funds?|credits?)|(?:balance|credits?)[^\n]{0,40}(?:exceeded|exhausted|used up|ran out|run out|depleted|too low|insufficient|not enough|negative)|out of (?:credits?|funds)|(?:more|no|not enough) credits|exceeded_current_quota|billing[_ ](?:hard[_ ]limit|not[_ ]active)|not active[^\n]{0,40}billing|payment[_ ]required|arrear|account ?overdue|欠费|余额不足|free allocated quota|allocationquota/
const QUOTA =
  /(?:quota|allowance)[^\n]{0,40}(?:exceeded|exhausted|used up|ran out|run out|depleted|too low|insufficient|not enough)|exceeded[^\n]{0,40}quota|out of quota|额度(?:不足|已用|用尽|耗尽)|配额|billing/
/** The same for statuses that say nothing of a limit: bills are named in other errors too. */
const QUOTA_ALONE = new RegExp(QUOTA.source.replace(/\|billing$/, ''))
const MINUTE =
  /per[ _-]?min(?:ute)?|\b[rt]pm\b|\bqp[sm]\b|\/\s?min(?:ute)?\b|per[ _-]?second|_per_sec|每分钟|每秒|分钟内/
const DAY = /per[ _-]?(?:day|week|month)|\b[rt]pd\b|daily|weekly|monthly|\/\s?day\b|每[天日周月]|当[天日]|今日|本月/
const RATE =
  /rate[ _-]?limit|too[ _]many[ _]requests|throttl|limit[^\n]{0,30}reached|resource_?exhausted|请求过?于?频繁|频率|限流|速率/
/** Said of the account in so many words, whatever the status. */
const ONE_QUESTION =
  /one (?:message|request|response|question|conversation|generation) at a(?: same)? time|another (?:message|response|request|generation)[^\n]{0,40}(?:progress|running|generated)/
/** The same where the status says that there is a limit. */
const ONE_AT_A_TIME = new RegExp(
  `${ONE_QUESTION.source}|one at a time|concurren(?:t|cy)|simultaneous|parallel requests|(?:previous|other) (?:message|response|request)s?[^\\n]{0,40}(?:complete|finish|progress)|并发|同时(?:只能|进行)`,
)
const CONTEXT =
  /context_(?:length|window)_exceeded|(?:context|prompt|input|sequence)[_ ](?:length|size|window)|(?:prompt|input|request|messages?|conversation)(?: \w+){0,3} (?:is|are|was) too (?:long|large)|(?:prompt|input)(?: tokens?)? too (?:long|large)|request[_ ]too[_ ]large|max[_ ](?:seq_len|message tokens)|input length should be|inputs` tokens|too many (?:\w+ )?tokens|(?:input|prompt)[^\n]{0,60}(?:exceed|longer than)[^\n]{0,60}(?:token|length|limit|max)|exceed[^\n]{0,60}(?:context|token limit|maximum (?:number of )?(?:input |prompt )?tokens)|reduce (?:the length|your prompt)|string_above_max_length|max_prompt_tokens|上下文|输入[^\n]{0,10}过长|超[^\n]{0,12}长度|prompt 超长|tokens?数量不能超过/
/** Of a request that is larger than all that a minute allows. */
const LARGER_THAN_LIMIT =
  /request[_ ]too[_ ]large|reduce your message size|must be reduced in order to run|larger than the (?:rate )?limit|exceeds? the (?:maximum )?(?:tokens? per minute|tpm)/
/** "Limit 6000, Requested 9000". */
const LIMIT_AND_REQUESTED = /limit:?\s{0,2}([\d,]{1,15})\b[^\n]{0,80}?requested:?\s{0,2}([\d,]{1,15})/
const MODEL =
  /model_?not_?(?:found|exist|available|supported)|model_does_not_exist|deployment_?not_?found|invalid_?model|(?:model|deployment)\b[^\n]{0,120}(?:not found|not exist|doesn't exist|not available|no longer available|unknown model)|unknown model|no such model|not a valid model|invalid model|no (?:endpoints?|available channels?)[^\n]{0,60}(?:model|found)|(?:access to|permission[^\n]{0,20}) (?:the |this )?model|model_(?:not_allowed|access_denied)|模型[^\n]{0,60}(?:不存在|未找到|无可用)/
/** Of files that an account may upload in a time, not of how large one may be. */
const UPLOADS =
  /limit[^\n]{0,40}\buploads?\b|\buploads?[_ -](?:limit|quota|cap)|too many[^\n]{0,20}\buploads?\b|file_?uploads?[^\n]{0,40}(?:limit|exceeded|reached|blocked|used up)|上传[^\n]{0,12}(?:上限|限额|限制)/
const SIZE = /\bsize\b|too[_ ]large|\b[kmg]i?b\b|bytes|大小|过大/
const ACCOUNT =
  /(?:account|workspace|organi[sz]ation)s?\b[^\n]{0,60}\b(?:deactivated|suspended|disabled|banned|terminated|locked|frozen)\b|(?:deactivated|suspended|disabled|banned|terminated)[_ ](?:account|workspace|organi[sz]ation)|(?:account|workspace|organi[sz]ation|user)_(?:deactivated|suspended|disabled|banned|locked)|账[号户][^\n]{0,10}(?:停用|禁用|封禁|冻结|锁定|注销|被封)/
const UNUSUAL =
  /(?:unusual|suspicious|abnormal)[_ ](?:activity|traffic|behaviou?r)|异常(?:活动|流量|行为)|(?:活动|流量|行为)异常/
const KEY =
  /(?:invalid|incorrect|wrong|expired|revoked|missing|malformed|no)[_ ](?:x-)?(?:api[_ -]?key|access[_ ]?token|auth\w{0,12}[_ ]?token|credentials?|authentication|authorization)|(?:api[_ -]?key|access[_ ]token|auth\w{0,12}[_ ]token|credentials?)[^\n]{0,60}\b(?:invalid|incorrect|expired|revoked|not valid|not found|missing|required|malformed|no longer valid|disabled)|api_?key_?invalid|invalid_?api_?key|authentication[_ ](?:error|failed|fails|required|is required)|unauthorized|unauthenticated|token_(?:expired|invalidated|revoked)|(?:密钥|令牌|api key)[^\n]{0,10}(?:无效|错误|过期|不正确)|(?:身份验证|鉴权|认证)失败/
/** Whether a request asked for more than all that a minute allows, so that it can never pass. */
function isLargerThanLimit(words: string): boolean {
  const [, limit, requested] = LIMIT_AND_REQUESTED.exec(words) ?? []
  if (limit === undefined || requested === undefined) return LARGER_THAN_LIMIT.test(words)
  const [most, wanted] = [limit, requested].map(number => Number(number.replaceAll(',', '')))
  return (most ?? 0) > 0 && (wanted ?? 0) > (most ?? 0)
}

/**
 * The refusal for an error that is more than its status says; null for any other. `canBeAskedLater`: it says when. Whom
 * an error concerns is decided here: what is too long, filtered or unknown concerns one question alone, everything else
 * the account.
 */
export function meaningOf(error: UpstreamError, status: number | null, canBeAskedLater = false): RefusalKey | null {
  const { words } = error
  if (error.page !== null) return meaningOfPage(error, status)
  const named = status ?? statusOfCodes(error.codes)
  if (UNUSUAL.test(words)) return 'openai.unusualActivity'
  if (UPLOADS.test(words) && !SIZE.test(words)) return 'openai.uploadLimit'
  if (ACCOUNT.test(words) && !MONEY.test(words) && !FILTER.test(words)) return 'openai.accountDeactivated'
  if (named === 401) return null
  const isServers = named !== null && named >= 500
  if (!isServers && isLargerThanLimit(words)) return 'openai.contextTooLong'
  if (named === 429 || (named !== 402 && isOfLimit(words))) return meaningOfLimit(words, named, canBeAskedLater)
  if (named === 402 || MONEY.test(words) || QUOTA_ALONE.test(words)) return 'openai.quota'
  if (named === 408) return null
  if (FILTER.test(words)) return 'openai.contentFilter'
  if (CONTEXT.test(words)) return named === 403 ? null : 'openai.contextTooLong'
  if (MODEL.test(words)) return 'openai.modelNotFound'
  return !isServers && KEY.test(words) ? 'openai.401' : null
}

/** Gateways have pages for what their own servers did wrong, for what is too large, and for whom they let in. */
function meaningOfPage({ page }: UpstreamError, status: number | null): RefusalKey | null {
  const isOfGateway = status !== null && (status >= 500 || [401, 402, 408, 413, 429].includes(status))
  // Where it leads is not asked.
  if (status !== null && status >= 300 && status < 400) return null
  if (page === 'challenge' && status !== 401) return 'openai.webPage'
  return isOfGateway ? (status === 402 ? 'openai.quota' : null) : 'openai.webPage'
}

/** Whether the words speak of a limit of requests that is over by itself, although the status does not. */
const isOfLimit = (words: string): boolean =>
  ONE_QUESTION.test(words) || (RATE.test(words) && !FILTER.test(words) && !CONTEXT.test(words))

/**
 * What is too much for a minute is no more than that, whatever stands beside it. What is spent, or all that a day
 * allows, is.
 */
function meaningOfLimit(words: string, status: number | null, canBeAskedLater: boolean): RefusalKey | null {
  const isOfMinute = MINUTE.test(words) && !DAY.test(words)
  const of429 = status === 429 ? null : 'openai.429'
  if (isOfMinute) return ONE_AT_A_TIME.test(words) ? 'openai.oneAtATime' : of429
  if (MONEY.test(words)) return 'openai.quota'
  if (ONE_AT_A_TIME.test(words)) return 'openai.oneAtATime'
  if (DAY.test(words)) return 'openai.quota'
  if (canBeAskedLater || RATE.test(words)) return of429
  return QUOTA.test(words) ? 'openai.quota' : of429
}

/** Whether a limit is that of one model, whose name it says, so that others of the account may be asked. */
export function isOfOneModel({ words }: UpstreamError, model_name: string | undefined): boolean {
  if (MONEY.test(words)) return false
  if (
    /per[ _-]?(?:project[ _-]?)?(?:per[ _-]?)?model|model_(?:cap|limit|rate)|(?:this|the) model\b[^\n]{0,60}\blimit|for this model/.test(
      words,
    )
  )
    return true
  return model_name !== undefined && model_name.length > 2 && namesModel(words, model_name.toLowerCase())
}

/** As a word of its own: a longer name is that of another model. */
function namesModel(words: string, name: string): boolean {
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    if (!/[\w.-]/.test(words[at - 1] ?? ' ') && !/[\w-]/.test(words[at + name.length] ?? ' ')) return true
  }
  return false
}
