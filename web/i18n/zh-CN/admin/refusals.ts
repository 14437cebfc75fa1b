/** In place of the texts for everybody, which tell people to ask an administrator: what that one can do. */
export const refusals = {
  'errors.openai.400': '上游不接受这次请求（400），原因代码在“日志”里；可以在“账号和插件”测试这个账号',
  'errors.openai.401': '上游不认可这里的账号或密钥（401），请在“账号和插件”换一个',
  'errors.openai.403': '上游拒绝了访问（403），请在“账号和插件”测试这个账号，看它能用哪些模型',
  'errors.openai.404': '上游没有这个模型或地址（404），请在“账号和插件”核对账号的地址和模型',
  'errors.openai.429': '上游的次数或额度已用完（429），请稍后再问，或在“账号和插件”再加一个账号',
  'errors.openai.429.detailed':
    '上游的次数或额度已用完（429），{retry_after_seconds}后可再问，或在“账号和插件”再加一个账号',
  'errors.openai.500': '上游出错了（500），请稍后再问；一直这样，请在“账号和插件”测试这个账号',
  'errors.openai.500.detailed': '上游出错了（{status}），请稍后再问；一直这样，请在“账号和插件”测试这个账号',
  'errors.openai.unknown': '上游给出了意外的回应，请在“账号和插件”核对账号的地址并测试',
  'errors.openai.unknown.detailed': '上游给出了意外的回应（{status}），请在“账号和插件”核对账号的地址并测试',
  'errors.openai.quota': '上游的余额或额度已用完，请到上游充值，或在“账号和插件”再加一个账号',
  'errors.openai.modelNotFound': '上游没有这个模型，请换一个模型，或在“账号和插件”改这个账号的模型',
  'errors.userNotAllowToUseChatType': '你的账户还不能使用这个来源，可以在“用户”里开通',
  'errors.userChatTypeExpired': '你的账户在这个来源的有效期已过，可以在“用户”里延长',
  'errors.userNotAllowToUseModel': '你的账户还不能使用这个模型，可以在“用户”里开通',
  'errors.userNotAllowToUsePaidModel': '你的账户还不能使用付费模型，可以在“用户”里开通',
  'errors.userNotAllowToUseGPT4Model': '你的账户还不能使用 GPT-4，可以在“用户”里开通',
  'errors.diskFull': '服务器磁盘已满，暂时什么都存不下；请在数据目录所在的磁盘上腾出空间，之后会自动恢复',
  'errors.diskNotWritable': '服务器磁盘无法写入，暂时什么都存不下；请让门户能写数据目录，之后会自动恢复',
} as const
