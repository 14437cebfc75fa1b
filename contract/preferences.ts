import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'

export const LANGUAGES = ['zh-CN', 'en-US', 'ms-MY'] as const
export const Language = z.enum(LANGUAGES)
export type Language = z.infer<typeof Language>
export const DEFAULT_LANGUAGE: Language = 'zh-CN'

export const SEND_KEYS = ['Enter', 'Shift+Enter', 'Ctrl+Enter'] as const
export const SendKey = z.enum(SEND_KEYS)
export type SendKey = z.infer<typeof SendKey>

/** `null` follows the system. */
export const ThemeChoice = z.nullable(z.enum(['light', 'dark']))

/** Of what the browsers tell a person who switched that on there; `titles`: with the title of the conversation. */
export const NoticeChoice = z.object({
  answer: z._default(z.boolean(), true),
  turn: z._default(z.boolean(), true),
  window: z._default(z.boolean(), true),
  titles: z._default(z.boolean(), false),
})
export type NoticeChoice = z.output<typeof NoticeChoice>

/** The specification, section 3, "Saved client preferences". */
export const Preferences = z.object({
  language: z._default(Language, DEFAULT_LANGUAGE),
  theme: z._default(ThemeChoice, null),
  sendKey: z._default(SendKey, 'Enter'),
  renderUserMessageInMd: z._default(z.boolean(), false),
  codeAutoWrap: z._default(z.boolean(), false),
  widerConversationPage: z._default(z.boolean(), true),
  notices: z.prefault(NoticeChoice, {}),
})
export type Preferences = z.output<typeof Preferences>
export const DEFAULT_PREFERENCES: Preferences = Preferences.parse({})

export const readPreferences = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/user/me/preferences',
  summary: 'One’s own preferences, on every device.',
  result: Preferences,
} as const satisfies Call

export const updatePreferences = {
  ...nothing,
  access: 'user',
  method: 'PATCH',
  path: '/user/me/preferences',
  summary: 'Changes some of one’s own preferences.',
  body: z.partial(
    z.object({
      language: Language,
      theme: ThemeChoice,
      sendKey: SendKey,
      renderUserMessageInMd: z.boolean(),
      codeAutoWrap: z.boolean(),
      widerConversationPage: z.boolean(),
      notices: z.object({ answer: z.boolean(), turn: z.boolean(), window: z.boolean(), titles: z.boolean() }),
    }),
  ),
  result: Preferences,
} as const satisfies Call
