import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { errors as zhCN } from '#web/i18n/zh-CN/errors.ts'

export const errors: TextsOf<typeof zhCN> = {
  'errors.loginExpired': 'Your session has ended. Sign in again',
  'errors.userNotLogin': 'User not logged in',
  'errors.unauthorized': 'Unauthorized. Sign in and try again',
  'errors.badCredentials': 'Incorrect username or password',
  'errors.authorityDeny': 'Access denied',
  'errors.originNotAllowed':
    'This request came from another address than the site’s and was refused. If you are at the site, an administrator sets portal.public_origin (COMMONS_PORTAL_PUBLIC_ORIGIN) to the address in the browser',
  'errors.tooManySignInAttempts': 'Too many sign-in attempts. Try again later',
  'errors.tooManySignInAttempts.detailed': 'Too many sign-in attempts. Try again in {retry_after_seconds}',
  'errors.tooManyRequests': 'Too many requests. Try again shortly',
  'errors.tooManyRequests.detailed': 'Too many requests. Try again in {retry_after_seconds}',
  'errors.currentPasswordRequired': 'You signed in more than an hour ago. Enter your current password once more',
  'errors.currentPasswordWrong': 'The current password is incorrect',
  'errors.requestValidationError': 'Some of what was sent is not valid',
  'errors.invalidParams': 'Invalid parameters',
  'errors.invalidRequest': 'Invalid request',
  'errors.resourceNotFound': 'Not found',
  'errors.methodNotAllowed': 'This address does not take that kind of request',
  'errors.bodyTooLarge': 'What was sent is too large',
  'errors.mediaTypeNotSupported': 'This content type is not supported',
  'errors.internal': 'Internal server error',
  'errors.internal.detailed': 'Internal server error, request {request_id}',
  'errors.timeout': 'The request timed out',
  'errors.serverStopping': 'The server is restarting and will be back shortly',
  'errors.diskFull':
    'The server’s disk is full, so nothing can be stored for now. Everything works again by itself once the administrator has made room',
  'errors.diskNotWritable':
    'The server’s disk cannot be written to, so nothing can be stored for now. Please tell the administrator',
  'errors.databaseUnreachable': 'The server cannot reach its database at the moment. It goes on by itself once it can',
  'errors.userNotExist': 'This user does not exist',
  'errors.userAlreadyExists': 'This username is taken',
  'errors.invitationNotFound': 'There is no such invitation; perhaps it was revoked',
  'errors.changedMeanwhile': 'Somebody else has just changed the same. Look at both before you save',
  'errors.reserveTooSmall': 'The reserve does not have that much; {left} left',
  'errors.noWebAccount': 'No web account is connected',
  'errors.upstreamNotFound': 'This account was not found. It may have been removed',
  'errors.emailTaken': 'Another account has this e-mail address',
  'errors.keyUnreadable':
    'The stored key of this account cannot be opened, so it was not asked. An administrator has to enter the key again',
  'errors.ownKeyUnreadable':
    'The stored key of your own endpoint cannot be opened, so nothing was asked. Enter it again in your profile',
  'errors.conversationNotFound': 'Conversation not found',
  'errors.conversationGone':
    'The web account does not know this conversation: it is with another account, or no history was kept, or it was deleted there. It can be read and exported, but not continued',
  'errors.customGptRefused':
    'The web account may not use the custom GPT of this conversation. It can be read and exported, but not continued for now; a day later it can be tried again',
  'errors.conversationAlreadyDeleted': 'This conversation has already been deleted',
  'errors.deletionNotFound': 'Deletion not found',
  'errors.promptNotFound': 'There is no such saved prompt; perhaps it was removed',
  'errors.tooManyPrompts': 'At most {most} saved prompts: remove some first',
  'errors.usageRequestAnswered': 'It has been answered already',
  'errors.generateTitleFailed': 'The title could not be generated',
  'errors.missingMessage': 'The message has no content',
  'errors.messageNotFound': 'Message not found',
  'errors.messageIsBeingAnswered': 'This question is being answered. Stop the answer before withdrawing it',
  'errors.forkNotPossible': 'Conversations of this source cannot be copied into a new one',
  'errors.userNotFound': 'User not found',
  'errors.invalidAskRequest': 'The question is incomplete or not valid',
  'errors.invalidAskRequest.detailed': 'Of the question, {field} is missing or not valid',
  'errors.userNotAllowToUseChatType': 'You may not use this source yet. Ask an administrator',
  'errors.chatTypeNotEnabled': 'This source is switched off',
  'errors.userChatTypeExpired': 'Your access to this source has ended. Ask an administrator to extend it',
  'errors.userNotAllowToAskAtThisTime': 'Questions are not allowed at this time of day',
  'errors.userNotAllowToUseModel': 'You may not use this model yet. Ask an administrator',
  'errors.modelNotEnabled': 'This model is not enabled',
  'errors.notSupportedBySource': 'This kind of account does not offer that',
  'errors.dialectNotSpoken': 'Your tool asks in a way that no account with this model understands',
  'errors.noAvailableTotalAskCount': 'You have no questions left',
  'errors.noAvailableModelAskCount': 'You have no questions left for this model',
  'errors.askedTooOften': 'You have used up your questions for this period. Try again later',
  'errors.askedTooOften.detailed':
    'You have used up your questions for this period. Try again in {retry_after_seconds}',
  'errors.limitReached': 'You have used up your questions for this period',
  'errors.limitReached.detailed': 'You have used up your {amount} {amount|question|questions} for this period',
  'errors.tokensReached': 'You have used up your tokens for this period',
  'errors.tokensReached.detailed':
    'What is left of your {amount} {amount|token|tokens} for this period is not enough for this question',
  'errors.budgetReached': 'You have used up your budget for this period',
  'errors.budgetReached.detailed':
    'What is left of your {amount} {currency} for this period is not enough for this question',
  'errors.poolEmpty': 'This account has nothing left for this period',
  'errors.poolEmpty.detailed': 'For this period nothing is left in {account}',
  'errors.shareUsed': 'Your share is used up, and nothing can be borrowed now',
  'errors.shareUsed.detailed': 'Your share of {account} is used up, and nothing can be borrowed now',
  'errors.modelHasNoPrice': 'This model has no price. Ask the administrator',
  'errors.maxConversationCountReached': 'You have reached your number of conversations. Delete some to start another',
  'errors.uploadingNotAllowed': 'Uploading files is not allowed',
  'errors.cannotConnectMoreThanOneClient':
    'Another conversation of yours is waiting for its answer. Ask again when it has finished or been stopped',
  'errors.queueFull': 'Too many people are waiting. Try again later',
  'errors.quietAsksFull':
    '{most} of your questions {most|waits|wait} for a quiet moment already. Let some be answered, or withdraw some',
  'errors.quietOver': 'It was never quiet until {until_at}, so this question was not asked',
  'errors.upstreamGone':
    'The account that this conversation was held with has been removed. The conversation can be read, but not continued',
  'errors.upstreamNotAvailable': 'No account answers questions for this model at present. Try again later',
  'errors.teamConversationNotAllowed': 'You may not use team conversations',
  'errors.fileOfOtherAccount':
    'This file is with another account, where this conversation cannot use it. Upload it again here',
  'errors.askNotFound': 'This question was not found',
  'errors.askAlreadyUsed': 'This question ID has already been used',
  'errors.conversationTooLong': 'This conversation is too long. Start a new one',
  'errors.interrupted': 'The answer was interrupted',
  'errors.paidModelNotAvailable': 'The paid model is not available at present',
  'errors.userNotAllowToUsePaidModel': 'You may not use paid models yet. Ask an administrator',
  'errors.userNotAllowToUseGPT4Model': 'You may not use GPT-4 yet. Ask an administrator',
  'errors.noAvailableGPT4AskCount': 'You have no GPT-4 questions left',
  'errors.pluginsCountMoreThan3': 'Choose at most 3 plugins',
  'errors.pluginsNotAllowed': 'Only the plugin model can use plugins',
  'errors.arkoseError': 'The verification failed',
  'errors.openai.400': 'The provider did not accept the request (400). Contact the administrator',
  'errors.openai.401': 'The provider does not accept the account or key used here (401). Contact the administrator',
  'errors.openai.403': 'The provider refused access (403). Contact the administrator',
  'errors.openai.404': 'The provider has no such model or address (404). Contact the administrator',
  'errors.openai.429': 'The limit at the provider is exceeded (429). Try again later or contact the administrator',
  'errors.openai.429.detailed':
    'The limit at the provider is exceeded (429). Try again in {retry_after_seconds} or contact the administrator',
  'errors.openai.429.until':
    'The limit at the provider is exceeded (429). Try again in {retry_after_seconds}, at {retry_at}',
  'errors.openai.429.ofModel':
    'The limit of this model at the provider is exceeded (429). Ask it again in {retry_after_seconds}, at {retry_at}, or choose another model now',
  'errors.openai.500': 'The provider had an error (500). Try again later or contact the administrator',
  'errors.openai.500.detailed': 'The provider had an error ({status}). Try again later or contact the administrator',
  'errors.openai.500.until': 'The provider had an error ({status}). Try again in {retry_after_seconds}, at {retry_at}',
  'errors.openai.unknown': 'The provider gave an unexpected answer. Contact the administrator',
  'errors.openai.unknown.detailed': 'The provider gave an unexpected answer ({status}). Contact the administrator',
  'errors.openai.quota': 'The balance or quota at the provider is used up. Contact the administrator',
  'errors.openai.quota.until':
    'The balance or quota at the provider is used up. Try again in {retry_after_seconds}, at {retry_at}',
  'errors.openai.quota.ofModel':
    'The quota of this model at the provider is used up. Ask it again in {retry_after_seconds}, at {retry_at}, or choose another model now',
  'errors.openai.contextTooLong':
    'This conversation is longer than the model can read. Shorten the question or begin a new conversation',
  'errors.openai.contextTooLong.overHeaviest':
    'This conversation is {over_tokens} {over_tokens|token|tokens} longer than the model can read. “{heaviest}” takes most of it, about {heaviest_tokens}. Leave it out or choose pages of it, or begin a new conversation',
  'errors.openai.contextTooLong.heaviest':
    'This conversation is longer than the model can read. “{heaviest}” takes most of it, about {heaviest_tokens} {heaviest_tokens|token|tokens}. Leave it out or choose pages of it, or begin a new conversation',
  'errors.openai.contextTooLong.over':
    'This conversation is {over_tokens} {over_tokens|token|tokens} longer than the model can read. Shorten the question or begin a new conversation',
  'errors.openai.contextTooLong.detailed':
    'This conversation is longer than the model can read (its token limit is {most_tokens}). Shorten the question or begin a new conversation',
  'errors.openai.picturesNotTaken': 'This model does not look at pictures. Choose another one, or send text instead',
  'errors.openai.filesNotTaken': 'This model takes no files. Send it as text or as pictures, or choose another model',
  'errors.openai.tooManyPictures': 'These are more pictures than the model takes. Take some away',
  'errors.openai.tooManyPictures.detailed':
    'These are more pictures than the model takes ({most} at most). Take some away',
  'errors.openai.pictureTooLarge': 'A picture is larger than the model takes. Attach a smaller one',
  'errors.openai.pictureUnreadable': 'The provider could not read a picture. Attach it as JPEG or PNG',
  'errors.openai.modelNotFound':
    'The provider does not have this model. Choose another one or contact the administrator',
  'errors.openai.contentFilter': 'The content filter of the provider stopped this. Try again in other words',
  'errors.openai.oneAtATime':
    'The account at the provider answers one question at a time, and was still busy after several tries. Ask again later',
  'errors.openai.uploadLimit':
    'The account at the provider takes no more files for now. Try again later, or ask without the file',
  'errors.openai.uploadLimit.until':
    'The account at the provider takes no more files for now. Try again in {retry_after_seconds}, at {retry_at}, or ask without the file',
  'errors.openai.accountDeactivated':
    'The account or workspace at the provider has been deactivated. Contact the administrator',
  'errors.openai.unusualActivity':
    'The provider noticed unusual activity and refuses this account or this server for now. Contact the administrator',
  'errors.openai.unusualActivity.until':
    'The provider noticed unusual activity and refuses this account or this server for now. Try again in {retry_after_seconds}, at {retry_at}',
  'errors.openai.webPage':
    'The provider sent a web page, such as a check for humans, in place of an answer. Contact the administrator',
  'errors.openai.cutOff': 'The provider broke off before the answer was complete',
  'errors.openai.noVisibleText':
    'The answer of the model has no visible text, only white space or invisible characters. Try again or choose another model',
  'errors.openai.thoughtsOnly':
    'The model thought but wrote no answer; its thoughts may have used up all the length it is allowed. Try again or choose another model',
  'errors.chatgptResponseError': 'The provider returned an error',
  'errors.upstreamTimeout': 'The provider took too long to answer',
  'errors.httpError': 'The provider could not be reached',
  'errors.unknownError': 'Unknown error',
  'errors.addressNotAllowed': 'This address is not allowed',
  'errors.pluginNotFound': 'Plugin not found',
  'errors.pluginsOfDifferentAccounts': 'No shared account has all of these plugins',
  'errors.notPlusChatgptAccount': 'The shared account has no paid subscription, so plugins cannot be used',
  'errors.sandboxFileNotFound': 'This file is not in the sandbox. It may have been cleared away',
  'errors.sandboxFileDownloadError': 'The file could not be downloaded',
  'errors.fileTooLarge': 'The file is too large',
  'errors.fileTooLarge.detailed': 'The file is too large; at most {max_bytes}',
  'errors.fileEmpty': 'The file is empty',
  'errors.storageRefused': 'The storage of the web service did not take or give the file (HTTP {status})',
  'errors.fileInUse': 'An answer that is running works with this file. Delete it once the answer has ended',
  'errors.uploadSpaceUsedUp': 'Your space for files is used up',
  'errors.uploadSpaceUsedUp.detailed': 'Your space for files is used up; at most {max_bytes} for each person',
  'errors.pictureTooLarge': 'The picture is too large; at most {megapixels} {megapixels|megapixel|megapixels}',
  'errors.attachmentsTooLarge': 'The files of this question are too large together; at most {max_bytes}',
  'errors.attachmentGone': '“{name}” has been deleted or has expired. Remove it, then send',
}
