/** Of the page that stands in when nothing can be fetched; it carries all languages, and is no part of the others' texts. */
export const offline = {
  away: '服务器没有应答',
  awayText: '可能正在重启，或者连不到它。它应答之后这一页会自己回来，登录和草稿都还在。',
  offline: '没有网络',
  offlineText: '连上之后这一页会自己回来，登录和草稿都还在。',
  again: '现在重试',
} as const
