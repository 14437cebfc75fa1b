import type { RefusalKey, RefusalValues } from '#contract/refusals.ts'
import type { RefusalKind } from '../dialects/toolRefusal.ts'

type Words = string | ((values: RefusalValues) => string)

const amount = ({ amount: most, unit, currency }: RefusalValues): string =>
  unit === 'money' ? `${most} ${currency}` : `${most} ${unit}`

const shareOfAccount = ({ account, share, unit, currency }: RefusalValues): string => {
  const of = unit === 'money' ? ` ${currency}` : unit === 'asks' ? '' : ` ${unit}`
  return `Your share of ${account || 'this account'} is used up (${share} of ${share}${of}), and nothing can be borrowed now.`
}

const notEnough = (values: RefusalValues): string =>
  values['held'] === true
    ? `Questions of yours that are being answered may use what is left of your ${amount(values)} for this period.`
    : `What is left of your ${amount(values)} for this period is not enough for this question.`

const KEY = 'This key is not valid. Make one in the portal, or look whether it was copied whole.'
const AWAY = 'The provider behind this portal does not answer at the moment.'

/** In English, as other tools show it. Where a moment follows, it is added. */
const WORDS: Partial<Record<RefusalKey, Words>> = {
  loginExpired: 'This key does not hold any longer. Make a new one in the portal.',
  userNotLogin: KEY,
  keyInvalid: KEY,
  keyExpired: 'This key is over. Make a new one in the portal.',
  keyRevoked: 'This key was revoked. Make a new one in the portal.',
  keysNotAllowed: 'Your account may have no keys. Ask an administrator.',
  dialectNotSpoken: 'No account that answers with this model speaks the form of this request. Ask an administrator.',
  unauthorized: KEY,
  chatTypeNotEnabled: 'This portal does not answer other tools at the moment. Ask an administrator.',
  userNotAllowToUseChatType: 'Your account may not use this portal for that. Ask an administrator.',
  userChatTypeExpired: 'The access of your account has ended. Ask an administrator.',
  userNotAllowToUseModel: ({ model }) => `You may not use the model ${model} yet. Ask an administrator.`,
  userNotAllowToUseGPT4Model: ({ model }) => `You may not use the model ${model} yet. Ask an administrator.`,
  modelHasNoPrice: ({ model }) => `The model ${model} has no price, and your budget is in money. Ask an administrator.`,
  modelNotEnabled: ({ model, models }) =>
    `There is no model ${model} here.${models ? ` You may ask: ${models}.` : ' You may ask none at the moment.'}`,
  userNotAllowToAskAtThisTime: 'You may not ask at this time of day.',
  noAvailableTotalAskCount: 'You have no questions left.',
  noAvailableModelAskCount: ({ model }) => `You have no questions left for the model ${model}.`,
  noAvailableGPT4AskCount: ({ model }) => `You have no questions left for the model ${model}.`,
  askedTooOften: 'You have used up your questions for this period.',
  limitReached: values => `Your ${amount(values)} for this period are used up.`,
  tokensReached: notEnough,
  budgetReached: notEnough,
  poolEmpty: ({ account, capacity }) =>
    `Nothing is left in ${account || 'this account'} for anybody at the moment (${capacity} of ${capacity}).`,
  shareUsed: shareOfAccount,
  tooManyRequests: 'Too many requests in a minute.',
  queueFull: ({ waiting }) => `${waiting ?? 'Too many'} people wait in the queue already.`,
  onlyWhenQuiet: 'This key asks only while nobody else does, and somebody does now.',
  cannotConnectMoreThanOneClient: 'Another question of yours is being answered, and so many at once are not allowed.',
  upstreamNotAvailable: AWAY,
  upstreamGone: 'The account that was to answer is gone.',
  'openai.429': 'The limit of this portal at its provider is used up.',
  'openai.quota': 'The budget of this portal at its provider is used up. Tell an administrator.',
  'openai.401': 'The provider does not accept the account of this portal. Tell an administrator.',
  'openai.403': 'The provider refuses the account of this portal. Tell an administrator.',
  'openai.404': 'The provider does not have this model or address. Tell an administrator.',
  'openai.cutOff': 'The answer of the provider broke off.',
  'openai.modelNotFound': 'The provider behind this portal does not have this model. Choose another one.',
  'openai.contentFilter': 'The content filter of the provider stopped this.',
  'openai.contextTooLong': 'This is longer than the model can read.',
  'openai.400': 'The provider did not accept the request.',
  upstreamTimeout: 'The provider behind this portal did not answer in time.',
  timeout: 'It was not answered in time.',
  interrupted: 'The answer was interrupted.',
  serverStopping: 'This portal is being restarted.',
  diskFull: 'The disk of this portal is full. Tell an administrator.',
  bodyTooLarge: 'The request is too large.',
  mediaTypeNotSupported: 'Send JSON with content-type: application/json, not compressed.',
  resourceNotFound: ({ hint }) => String(hint ?? 'There is nothing at this address.'),
  methodNotAllowed: 'This address does not take that method.',
}

const OF_KIND: Record<RefusalKind, string> = {
  badKey: KEY,
  notAllowed: 'That is not offered to you here. Ask an administrator.',
  unknownModel: 'There is no such model here.',
  limit: 'You have used up what you may ask for this period.',
  upstreamAway: AWAY,
  content: 'The provider did not accept what was said.',
  invalid: 'The request was not accepted.',
  tooLarge: 'The request is too large.',
  mediaType: 'Send JSON.',
  unknownPath: 'There is nothing at this address.',
  wrongMethod: 'This address does not take that method.',
  internal: 'Something went wrong in this portal. Tell an administrator.',
}

export function wordsOf(key: RefusalKey, kind: RefusalKind, values: RefusalValues): string {
  const words = WORDS[key] ?? OF_KIND[kind]
  return typeof words === 'string' ? words : words(values)
}
