/** What the sign-in page says of providers, when one signed nobody in. */
export const signIn = {
  'errors.providerNotFound': '这种登录方式已经没有了',
  'errors.providerUnreachable': '对方没有回应。可以再试，或者用密码登录',
  'errors.providerInvalid': '对方的回答无法核实，没有登录。请告诉管理员',
  'errors.providerClock': '对方的时钟和门户差了几分钟，没有登录。请告诉管理员',
  'errors.signInExpired': '这次登录等得太久，或者是在别的浏览器里开始的。请重新开始',
  'errors.signInNotAllowed': '对方没有让你进来。请找管理员，或者用密码登录',
  'errors.linkNeeded': '这里还没有账号和它连着。有账号的话，用密码登录一次，就能把两个连起来',
} as const
