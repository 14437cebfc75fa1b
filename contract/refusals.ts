/**
 * Every refusal that a person can meet. `errors.<key>` names its text in the language files and is sent over the wire.
 * Codes: 10401 and 10403 by the specification, sections 8 and 9; 422 for validation; 502 when the upstream is the
 * cause, so that its status never looks like our own; -1 for a rule.
 */
export const REFUSALS = {
  // sessions and rights
  loginExpired: { code: 10401 },
  userNotLogin: { code: 10401 },
  // a socket that is opened without a session
  unauthorized: { code: 10401 },
  badCredentials: { code: 10401 },
  authorityDeny: { code: 10403 },
  originNotAllowed: { code: 10403 },
  tooManySignInAttempts: { code: -1 },
  tooManyRequests: { code: -1 },
  currentPasswordRequired: { code: -1 },
  currentPasswordWrong: { code: -1 },
  // the request itself
  requestValidationError: { code: 422 },
  invalidParams: { code: -1 },
  invalidRequest: { code: -1 },
  resourceNotFound: { code: 404 },
  methodNotAllowed: { code: 405 },
  bodyTooLarge: { code: 413 },
  mediaTypeNotSupported: { code: 415 },
  internal: { code: -1 },
  timeout: { code: -1 },
  serverStopping: { code: -1 },
  diskFull: { code: -1 },
  diskNotWritable: { code: -1 },
  databaseUnreachable: { code: -1 },
  // accounts
  userNotExist: { code: -1 },
  userAlreadyExists: { code: -1 },
  // another account has this e-mail address
  emailTaken: { code: -1 },
  lastSuperuser: { code: -1 },
  /** Nothing of a person is removed while an administrator keeps all of it. */
  userOnHold: { code: -1 },
  holdNeedsReason: { code: -1 },
  // notices by browsers are switched off in the settings of the portal
  noticesOff: { code: -1 },
  noUserSelected: { code: -1 },
  // nobody has this link, or it was revoked
  invitationNotFound: { code: 404 },
  invitationUsed: { code: -1 },
  // values { end_at }
  invitationExpired: { code: -1 },
  // values { most }
  tooManyInvitations: { code: -1 },
  // signing in by an identity provider: it is away; its answer does not hold; one of the clocks is wrong; it took too
  // long, or is another browser's; its rules say no; there is an account whose password is needed once
  providerNotFound: { code: 404 },
  providerUnreachable: { code: 502 },
  providerInvalid: { code: -1 },
  providerClock: { code: -1 },
  signInExpired: { code: -1 },
  signInNotAllowed: { code: -1 },
  linkNeeded: { code: -1 },
  // values { most }
  tooManyProviders: { code: -1 },
  // keys: nobody has it, it is over, or was revoked; the plan has none, or so many, { most }
  keyInvalid: { code: 10401 },
  keyExpired: { code: 10401 },
  keyRevoked: { code: 10401 },
  keyNotFound: { code: 404 },
  keysNotAllowed: { code: -1 },
  tooManyKeys: { code: -1 },
  // a key that asks only then
  onlyWhenQuiet: { code: -1 },
  // jobs
  jobNotFound: { code: -1 },
  jobNotKept: { code: -1 },
  sameJobRuns: { code: -1 },
  nothingLeftToDo: { code: -1 },
  // somebody else changed the same; `detail` names the fields and, as JSON, what they are now
  changedMeanwhile: { code: -1 },
  // plans
  planNotFound: { code: -1 },
  // it cannot be removed or moved
  planIsDefault: { code: -1 },
  // it would inherit from itself
  planInCircle: { code: -1 },
  // values { people, plans }: who is in it, and how many plans are below it
  planInUse: { code: -1 },
  tooManyPlans: { code: -1 },
  promptNotFound: { code: 404 },
  // the audit
  notUndoable: { code: -1 },
  // somebody else's conversation is read with a reason: POST /conv/:id/oversight
  oversightReasonRequired: { code: 10403 },
  tooManyPrompts: { code: -1 },
  // asking for more: one request of a source and unit at a time, which is answered once
  usageRequestOpen: { code: -1 },
  usageRequestNotFound: { code: 404 },
  usageRequestAnswered: { code: -1 },
  // gifts of shares, and grants of what an account keeps: values { left, unit, currency }
  shareNotFound: { code: -1 },
  giftToOneself: { code: -1 },
  giftNotTo: { code: -1 },
  giftNotWhole: { code: -1 },
  giftTooMuch: { code: -1 },
  // values { ends_at }: the latest
  giftTooLong: { code: -1 },
  giftNotFound: { code: 404 },
  giftOver: { code: -1 },
  reserveTooSmall: { code: -1 },
  // shared accounts and keys
  noWebAccount: { code: -1 },
  upstreamNotFound: { code: -1 },
  upstreamIsFirst: { code: -1 },
  // the stored key cannot be opened (the secret key is lost, or another one): nothing is asked in its place
  keyUnreadable: { code: -1 },
  ownKeyUnreadable: { code: -1 },
  // conversations
  conversationNotFound: { code: -1 },
  // the web account does not know it: it was had with another one, its history is off, or it was deleted there
  conversationGone: { code: -1 },
  // the web account does not go on with the custom GPT of the conversation
  customGptRefused: { code: -1 },
  conversationAlreadyDeleted: { code: -1 },
  // it does not go for its age, or an administrator has answered already
  nothingToKeep: { code: -1 },
  deletionNotFound: { code: -1 },
  generateTitleFailed: { code: -1 },
  missingMessage: { code: -1 },
  messageNotFound: { code: -1 },
  messageIsBeingAnswered: { code: -1 },
  forkNotPossible: { code: -1 },
  userNotFound: { code: -1 },
  // asking
  invalidAskRequest: { code: 422 },
  userNotAllowToUseChatType: { code: -1 },
  chatTypeNotEnabled: { code: -1 },
  userChatTypeExpired: { code: -1 },
  userNotAllowToAskAtThisTime: { code: -1 },
  userNotAllowToUseModel: { code: -1 },
  modelNotEnabled: { code: -1 },
  // what this kind of account cannot do at all
  notSupportedBySource: { code: -1 },
  // no account that answers with the model speaks the dialect of the tool, or one that it is translated to
  dialectNotSpoken: { code: -1 },
  noAvailableTotalAskCount: { code: -1 },
  noAvailableModelAskCount: { code: -1 },
  askedTooOften: { code: -1 },
  // listed limits; values { unit, amount, window, seconds, currency, opens_at }
  limitReached: { code: -1 },
  tokensReached: { code: -1 },
  budgetReached: { code: -1 },
  // the windows of an account; values { account, unit, share, capacity, window, seconds, models, currency, opens_at }:
  // it has nothing left, or not for this person: their share is used, and there is nothing to borrow
  poolEmpty: { code: -1 },
  shareUsed: { code: -1 },
  // money is limited, and nobody knows what the model costs; values { model }
  modelHasNoPrice: { code: -1 },
  // something has a cost already; values { currency }
  currencyFixed: { code: -1 },
  maxConversationCountReached: { code: -1 },
  uploadingNotAllowed: { code: -1 },
  cannotConnectMoreThanOneClient: { code: -1 },
  queueFull: { code: -1 },
  // asks for when it is quiet: so many of one's own wait already, { most }; it never was until then, { until_at }
  quietAsksFull: { code: -1 },
  quietOver: { code: -1 },
  upstreamGone: { code: -1 },
  upstreamNotAvailable: { code: -1 },
  teamConversationNotAllowed: { code: -1 },
  fileOfOtherAccount: { code: -1 },
  askNotFound: { code: -1 },
  askAlreadyUsed: { code: -1 },
  conversationTooLong: { code: -1 },
  interrupted: { code: -1 },
  paidModelNotAvailable: { code: -1 },
  userNotAllowToUsePaidModel: { code: -1 },
  userNotAllowToUseGPT4Model: { code: -1 },
  noAvailableGPT4AskCount: { code: -1 },
  pluginsCountMoreThan3: { code: -1 },
  pluginsNotAllowed: { code: -1 },
  arkoseError: { code: -1 },
  // the upstream
  'openai.400': { code: 502 },
  'openai.401': { code: 502 },
  'openai.403': { code: 502 },
  'openai.404': { code: 502 },
  'openai.429': { code: 502 },
  'openai.500': { code: 502 },
  'openai.unknown': { code: 502 },
  'openai.quota': { code: 502 },
  'openai.contextTooLong': { code: 502 },
  // of what went with a question: pictures or files that the model does not take, values { most } where it says so
  'openai.picturesNotTaken': { code: 502 },
  'openai.filesNotTaken': { code: 502 },
  'openai.tooManyPictures': { code: 502 },
  'openai.pictureTooLarge': { code: 502 },
  'openai.pictureUnreadable': { code: 502 },
  'openai.modelNotFound': { code: 502 },
  'openai.contentFilter': { code: 502 },
  // of an account: it answers one question at a time, was switched off, or looks suspicious there
  'openai.oneAtATime': { code: 502 },
  'openai.accountDeactivated': { code: 502 },
  'openai.unusualActivity': { code: 502 },
  // of an account: so many files may be uploaded there in a time
  'openai.uploadLimit': { code: 502 },
  // a page of the web in place of what programs understand
  'openai.webPage': { code: 502 },
  // the upstream ended its answer without saying that it is complete; values { reason }
  'openai.cutOff': { code: 502 },
  // only thoughts came
  'openai.thoughtsOnly': { code: 502 },
  // only white space, direction marks or the like came
  'openai.noVisibleText': { code: 502 },
  chatgptResponseError: { code: 502 },
  upstreamTimeout: { code: 502 },
  httpError: { code: 502 },
  unknownError: { code: -1 },
  addressNotAllowed: { code: -1 },
  // files and plugins
  pluginNotFound: { code: -1 },
  pluginsOfDifferentAccounts: { code: -1 },
  notPlusChatgptAccount: { code: -1 },
  sandboxFileNotFound: { code: 404 },
  sandboxFileDownloadError: { code: -1 },
  fileTooLarge: { code: -1 },
  fileEmpty: { code: -1 },
  // it is completed before it was uploaded
  fileContentMissing: { code: -1 },
  // values { announced, arrived }, without `arrived` where more came
  fileSizeDiffers: { code: -1 },
  // a running answer works with it
  fileInUse: { code: -1 },
  // the model does not read files of this type; values { name }
  fileTypeNotRead: { code: -1 },
  // the host that keeps the web service's files; values { status }
  storageRefused: { code: 502 },
  uploadSpaceUsedUp: { code: -1 },
  // of a person, or of a question; values { most }
  tooManyFiles: { code: -1 },
  // the first bytes are not those of what the name says, or it ends too early; values { name }
  fileKindDiffers: { code: -1 },
  // values { megapixels }
  pictureTooLarge: { code: -1 },
  // those of a question together; values { max_bytes }
  attachmentsTooLarge: { code: -1 },
  // deleted or expired; values { name }
  attachmentGone: { code: -1 },
  // the browser has read no text in it, or drawn none of its pages; values { name }
  attachmentNotRead: { code: -1 },
  // configuration
  configurationWrong: { code: 422 },
  configurationConflict: { code: -1 },
} as const satisfies Record<string, { code: number }>

export type RefusalKey = keyof typeof REFUSALS

/** Values that fill a refusal's text: numbers, times and names, never a sentence from outside. */
export type RefusalValues = Record<string, string | number | boolean | null>

export function refusalKeyOf(message: string): RefusalKey | null {
  const key = message.startsWith('errors.') ? message.slice('errors.'.length) : ''
  // hasOwn has shown that the key is one of the table
  return Object.hasOwn(REFUSALS, key) ? (key as RefusalKey) : null
}
