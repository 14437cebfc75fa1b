import { attachmentsOf, type Message, textOf, withText } from './messages.ts'
import type { RefusalKey } from './refusals.ts'

/**
 * Keys under `errors.` of the original product: those that its page has a text for, and those that its server sends all
 * the same, which programs compare with.
 */
type OldKey =
  | '403'
  | '404'
  | 'loginExpired'
  | 'userNotLogin'
  | 'unauthorized'
  | 'askError'
  | 'conversationNotFound'
  | 'conversationAlreadyDeleted'
  | 'missingMessage'
  | 'paidModelNotAvailable'
  | 'userNotAllowToUsePaidModel'
  | 'userNotAllowToUseGPT4Model'
  | 'noAvailableAskCount'
  | 'noAvailableGPT4AskCount'
  | 'timeout'
  | 'chatgptResponseError'
  | 'unknownError'
  | 'requestValidationError'
  | 'userAlreadyExists'
  | 'badCredentials'
  | 'maxConversationCountReached'
  | 'cannotConnectMoreThanOneClient'
  | 'noUserSelected'
  | 'httpError'
  | 'invalidParams'
  | 'invalidRequest'
  | 'internal'
  | 'noAvailableTotalAskCount'
  | 'noAvailableModelAskCount'
  | 'userChatTypeExpired'
  | 'userNotAllowToAskAtThisTime'
  | 'teamConversationNotAllowed'
  | 'arkoseError'
  | `openai.${'400' | '401' | '403' | '404' | '429' | '500' | 'unknown'}`
  | 'invalidAskRequest'
  | 'userNotAllowToUseChatType'
  | 'chatTypeNotEnabled'
  | 'userNotAllowToUseModel'
  | 'modelNotEnabled'
  | 'uploadingNotAllowed'

/**
 * A key that old clients know is sent as it is; any other as the nearest that they know. Both with English words, which
 * they show as they are.
 */
type ForOldClients<Key> = Key extends OldKey ? string : readonly [nearest: OldKey, words: string]

/**
 * Every refusal as old clients read it: without words they add "unknown error", and they show an unknown key as it is.
 */
const FOR_OLD_CLIENTS: { readonly [Key in RefusalKey]: ForOldClients<Key> } = {
  loginExpired: 'Your session has ended. Sign in again.',
  userNotLogin: 'You are not signed in.',
  unauthorized: 'You are not signed in.',
  badCredentials: 'Incorrect user name or password.',
  authorityDeny: ['403', 'You may not do this.'],
  originNotAllowed: ['403', 'The request came from another address.'],
  tooManySignInAttempts: ['invalidRequest', 'Too many attempts to sign in. Try again later.'],
  providerNotFound: ['invalidRequest', 'This way to sign in is not there any more.'],
  providerUnreachable: ['invalidRequest', 'The identity provider did not answer.'],
  providerInvalid: ['invalidRequest', 'The answer of the identity provider could not be believed.'],
  providerClock: ['invalidRequest', 'The clock of the identity provider and the portal’s differ.'],
  signInExpired: ['invalidRequest', 'The sign-in took too long. Begin again.'],
  signInNotAllowed: ['invalidRequest', 'The identity provider did not let you in.'],
  linkNeeded: ['invalidRequest', 'No account here is connected with it.'],
  tooManyProviders: ['invalidRequest', 'There are too many identity providers.'],
  tooManyRequests: ['invalidRequest', 'Too many requests. Try again shortly.'],
  currentPasswordRequired: ['invalidRequest', 'The current password is needed, too.'],
  currentPasswordWrong: ['badCredentials', 'The current password is incorrect.'],
  planNotFound: ['invalidRequest', 'This plan was not found.'],
  planIsDefault: ['invalidRequest', 'The default plan can be neither removed nor moved.'],
  planInCircle: ['invalidRequest', 'A plan cannot inherit from itself.'],
  planInUse: ['invalidRequest', 'The plan has people, other plans or invitations.'],
  tooManyPlans: ['invalidRequest', 'There are too many plans.'],
  usageRequestOpen: ['invalidRequest', 'You have asked for more already. Wait for the answer.'],
  usageRequestNotFound: ['404', 'There is no such request.'],
  usageRequestAnswered: ['invalidRequest', 'The request has been answered already.'],
  shareNotFound: ['invalidRequest', 'Nobody has a share of this account, or you may not ask it.'],
  giftToOneself: ['invalidRequest', 'A gift is for somebody else.'],
  giftNotTo: ['invalidRequest', 'This person may not ask this account.'],
  giftNotWhole: ['invalidRequest', 'Questions and tokens are given whole.'],
  giftTooMuch: ['invalidRequest', 'You have less than this left.'],
  giftTooLong: ['invalidRequest', 'A gift ends after now, and with the next window at the latest.'],
  giftNotFound: ['404', 'There is no such gift.'],
  giftOver: ['invalidRequest', 'The gift is over, or used up.'],
  reserveTooSmall: ['invalidRequest', 'Less than this is left of what the account keeps for its owner.'],
  promptNotFound: ['404', 'There is no such prompt.'],
  notUndoable: ['invalidRequest', 'This cannot be undone.'],
  oversightReasonRequired: ['403', 'Give a reason before reading somebody else’s conversation.'],
  tooManyPrompts: ['invalidRequest', 'There are too many prompts. Remove some first.'],
  requestValidationError: 'Some of what was sent is not valid.',
  invalidParams: 'A parameter is not valid.',
  invalidRequest: 'The request is not valid.',
  resourceNotFound: ['404', 'It was not found.'],
  methodNotAllowed: ['invalidRequest', 'The address does not take this kind of request.'],
  bodyTooLarge: ['invalidRequest', 'What was sent is too large.'],
  mediaTypeNotSupported: ['invalidRequest', 'This content type is not supported.'],
  internal: 'The server had an error of its own.',
  timeout: 'It took too long.',
  serverStopping: ['internal', 'The server is restarting. Ask again shortly.'],
  diskFull: ['internal', 'The disk of the server is full, so nothing can be stored.'],
  diskNotWritable: ['internal', 'The disk of the server cannot be written to, so nothing can be stored.'],
  databaseUnreachable: ['internal', 'The server cannot reach its database at the moment.'],
  userNotExist: ['invalidParams', 'This user does not exist.'],
  userAlreadyExists: 'This user name is taken.',
  userOnHold: ['invalidRequest', 'An administrator keeps everything of this person for now.'],
  noticesOff: ['invalidRequest', 'Notices by the browser are switched off here.'],
  holdNeedsReason: ['invalidRequest', 'Say why everything is to be kept.'],
  lastSuperuser: ['invalidRequest', 'The last administrator cannot be deleted, deactivated or demoted.'],
  noUserSelected: 'No user is selected.',
  invitationNotFound: ['404', 'There is no such invitation.'],
  invitationUsed: ['invalidRequest', 'This invitation has been used.'],
  invitationExpired: ['invalidRequest', 'This invitation has ended.'],
  keyInvalid: ['unauthorized', 'There is no such key. It may be mistyped.'],
  keyExpired: ['unauthorized', 'This key has expired. Make another one.'],
  keyRevoked: ['unauthorized', 'This key was revoked. Make another one.'],
  keyNotFound: ['404', 'There is no such key.'],
  keysNotAllowed: ['403', 'Your plan has no keys for tools. Ask an administrator.'],
  onlyWhenQuiet: ['403', 'This key asks only while nobody else does. Try again later.'],
  tooManyKeys: ['invalidRequest', 'There are too many keys. Revoke one first.'],
  tooManyInvitations: ['invalidRequest', 'There are too many open invitations. Revoke some first.'],
  jobNotFound: ['404', 'There is no such job.'],
  jobNotKept: ['404', 'Nothing is kept of this change any more.'],
  sameJobRuns: ['invalidRequest', 'Another change of this kind is running.'],
  nothingLeftToDo: ['invalidRequest', 'Nothing of this change is left to do.'],
  changedMeanwhile: ['invalidRequest', 'Somebody else has changed the same meanwhile.'],
  noWebAccount: ['invalidRequest', 'No web account is connected.'],
  upstreamNotFound: ['404', 'This account was not found.'],
  emailTaken: ['userAlreadyExists', 'Another account has this e-mail address.'],
  keyUnreadable: [
    'unknownError',
    'The stored key of this account cannot be opened. An administrator has to enter it again.',
  ],
  ownKeyUnreadable: [
    'unknownError',
    'The stored key of your own endpoint cannot be opened. Enter it again in your profile.',
  ],
  upstreamIsFirst: ['invalidRequest', 'The first account of a source is changed in the settings.'],
  conversationNotFound: 'There is no such conversation.',
  conversationGone: ['conversationNotFound', 'The web account does not know this conversation.'],
  customGptRefused: ['openai.403', 'The web account does not go on with the custom GPT of this conversation.'],
  conversationAlreadyDeleted: 'This conversation is deleted already.',
  nothingToKeep: ['invalidRequest', 'This conversation does not go for its age, or this was answered already.'],
  deletionNotFound: ['404', 'There is no such deletion.'],
  generateTitleFailed: ['internal', 'No title could be made.'],
  missingMessage: 'The message has no content.',
  messageNotFound: ['invalidParams', 'There is no such message in this conversation.'],
  messageIsBeingAnswered: ['cannotConnectMoreThanOneClient', 'This question is being answered.'],
  forkNotPossible: ['invalidRequest', 'Conversations of this source cannot be copied.'],
  userNotFound: ['invalidParams', 'There is no such user.'],
  invalidAskRequest: 'The question is incomplete or not valid.',
  userNotAllowToUseChatType: 'You may not use this source. Ask an administrator.',
  chatTypeNotEnabled: 'This source is switched off.',
  userChatTypeExpired: 'Your access to this source has ended. Ask an administrator.',
  userNotAllowToAskAtThisTime: 'Questions are not allowed at this time of day.',
  userNotAllowToUseModel: 'You may not use this model. Ask an administrator.',
  modelNotEnabled: 'This model is not enabled.',
  notSupportedBySource: ['invalidRequest', 'This kind of account cannot do that.'],
  dialectNotSpoken: ['invalidRequest', 'No account with this model speaks the dialect of the tool.'],
  noAvailableTotalAskCount: 'You have no questions left.',
  noAvailableModelAskCount: 'You have no questions left for this model.',
  askedTooOften: ['noAvailableAskCount', 'Your questions for this period are used up. Ask again later.'],
  limitReached: ['noAvailableAskCount', 'Your questions for this period are used up. Ask again later.'],
  tokensReached: ['noAvailableAskCount', 'Your tokens for this period are used up. Ask again later.'],
  budgetReached: ['noAvailableAskCount', 'Your budget for this period is used up. Ask again later.'],
  poolEmpty: ['noAvailableAskCount', 'This account has nothing left for this period. Ask again later.'],
  shareUsed: ['noAvailableAskCount', 'Your share of this account is used up. Ask again later.'],
  modelHasNoPrice: ['userNotAllowToUseModel', 'This model has no price. Ask the administrator.'],
  currencyFixed: ['invalidRequest', 'The currency stays, since something has a cost in it already.'],
  maxConversationCountReached: 'You have reached your number of conversations. Delete some first.',
  uploadingNotAllowed: 'Files may not be sent with this question.',
  cannotConnectMoreThanOneClient: 'Another question of yours is waiting for its answer.',
  queueFull: ['openai.429', 'Too many people are waiting. Ask again later.'],
  quietAsksFull: ['openai.429', 'Too many questions of yours wait until it is quiet.'],
  quietOver: ['askError', 'It was not quiet before the question was given up.'],
  upstreamGone: ['invalidRequest', 'The account of this conversation is removed. It can be read, but not continued.'],
  upstreamNotAvailable: ['chatgptResponseError', 'No account answers for this model at present. Ask again later.'],
  teamConversationNotAllowed: 'You may not use team conversations.',
  fileOfOtherAccount: ['invalidRequest', 'This file is with another account. Upload it again.'],
  askNotFound: ['404', 'This question was not found.'],
  askAlreadyUsed: ['invalidRequest', 'This question was sent already.'],
  conversationTooLong: ['invalidRequest', 'This conversation is too long. Begin a new one.'],
  interrupted: ['askError', 'The answer was interrupted.'],
  paidModelNotAvailable: 'The paid model is not available.',
  userNotAllowToUsePaidModel: 'You may not use paid models. Ask an administrator.',
  userNotAllowToUseGPT4Model: 'You may not use GPT-4. Ask an administrator.',
  noAvailableGPT4AskCount: 'You have no GPT-4 questions left.',
  pluginsCountMoreThan3: ['invalidParams', 'Choose at most three plugins.'],
  pluginsNotAllowed: ['invalidParams', 'Only the plugin model can use plugins.'],
  arkoseError: 'The verification failed.',
  'openai.400': 'The provider did not accept the request.',
  'openai.401': 'The provider does not accept the account or key.',
  'openai.403': 'The provider refused access.',
  'openai.404': 'The provider has no such model or address.',
  'openai.429': 'The limit at the provider is reached. Ask again later.',
  'openai.500': 'The provider had an error.',
  'openai.unknown': 'The provider gave an unexpected answer.',
  'openai.quota': ['openai.429', 'The balance or quota at the provider is used up.'],
  'openai.contextTooLong': ['openai.400', 'The conversation is longer than the model can read.'],
  'openai.picturesNotTaken': ['openai.400', 'This model does not look at pictures.'],
  'openai.filesNotTaken': ['openai.400', 'This model takes no files.'],
  'openai.tooManyPictures': ['openai.400', 'These are more pictures than the model takes.'],
  'openai.pictureTooLarge': ['openai.400', 'A picture is larger than the model takes.'],
  'openai.pictureUnreadable': ['openai.400', 'The provider could not read a picture.'],
  'openai.modelNotFound': ['openai.404', 'The provider does not have this model.'],
  'openai.contentFilter': ['openai.400', 'The content filter of the provider stopped this.'],
  'openai.oneAtATime': ['openai.429', 'The account at the provider answers one question at a time. Ask again later.'],
  'openai.accountDeactivated': ['openai.401', 'The account at the provider has been deactivated.'],
  'openai.unusualActivity': [
    'openai.403',
    'The provider noticed unusual activity and refuses the account or the server for now.',
  ],
  'openai.uploadLimit': ['openai.429', 'The account at the provider takes no more files for now. Try again later.'],
  'openai.webPage': ['openai.403', 'The provider sent a web page, such as a check for humans, in place of an answer.'],
  'openai.cutOff': ['openai.unknown', 'The provider broke off before the answer was complete.'],
  'openai.noVisibleText': ['openai.unknown', 'The model answered, but without any visible text.'],
  'openai.thoughtsOnly': ['openai.unknown', 'The model thought but wrote no answer.'],
  chatgptResponseError: 'The provider answered with an error.',
  upstreamTimeout: ['timeout', 'The provider took too long to answer.'],
  httpError: 'The provider could not be reached.',
  unknownError: 'Nobody knows more of it.',
  addressNotAllowed: ['invalidParams', 'This address is not allowed.'],
  pluginNotFound: ['invalidParams', 'There is no such plugin.'],
  pluginsOfDifferentAccounts: ['invalidParams', 'No shared account has all of these plugins.'],
  notPlusChatgptAccount: ['paidModelNotAvailable', 'The shared account has no paid subscription.'],
  sandboxFileNotFound: ['404', 'This file is not in the sandbox any more.'],
  sandboxFileDownloadError: ['internal', 'The file could not be downloaded.'],
  fileTooLarge: ['invalidRequest', 'The file is too large.'],
  fileEmpty: ['invalidRequest', 'The file is empty.'],
  fileContentMissing: ['invalidRequest', 'The content of the file has not arrived.'],
  fileSizeDiffers: ['invalidRequest', 'The file does not have the size that was announced.'],
  fileInUse: ['invalidRequest', 'A running answer works with this file.'],
  fileTypeNotRead: ['invalidRequest', 'The model does not read files of this type.'],
  storageRefused: ['httpError', 'The storage of the web service did not take or give the file.'],
  uploadSpaceUsedUp: ['invalidRequest', 'Your space for files is used up.'],
  tooManyFiles: ['invalidRequest', 'There are more files than are allowed.'],
  fileKindDiffers: ['invalidRequest', 'This file is not what its name says, or it is damaged.'],
  pictureTooLarge: ['invalidRequest', 'This picture has too many pixels.'],
  attachmentsTooLarge: ['invalidRequest', 'The files of this question are too large together.'],
  attachmentGone: ['404', 'This file has been deleted or has expired.'],
  attachmentNotRead: ['invalidRequest', 'Nothing has been read of this file that could be sent.'],
  configurationWrong: ['requestValidationError', 'The configuration has a value that is not valid.'],
  configurationConflict: ['invalidRequest', 'Somebody else has changed these settings meanwhile.'],
}

/** The key and the words of a refusal for old clients. */
export function forOldClients(key: RefusalKey): { key: OldKey; words: string } {
  const decided: string | readonly [OldKey, string] = FOR_OLD_CLIENTS[key]
  // A key with words alone is one that old clients know: its type says so.
  return typeof decided === 'string' ? { key: key as OldKey, words: decided } : { key: decided[0], words: decided[1] }
}

/** Brackets would end the name of a link. */
const linkName = (name: string): string => name.replace(/[[\]\\\s]+/g, ' ').trim()

/** A question as old clients read it, which know only files of web accounts: the names in its text, with links. */
export function withFileLinks(message: Message): Message {
  const { content, metadata } = message
  const files = metadata?.source === 'openai_api' && message.role === 'user' ? attachmentsOf(message) : []
  if (files.length === 0) return message
  const links = files.map(({ id, name }) => `- [${linkName(name)}](/api/files/${id}/content)`).join('\n')
  const text = textOf(message)
  return { ...message, content: withText(content, text === '' ? links : `${text}\n\n${links}`) }
}
