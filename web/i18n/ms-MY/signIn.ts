import type { SignInTexts } from '../dictionary.ts'

export const signIn: SignInTexts = {
  'errors.providerNotFound': 'Cara log masuk ini sudah tiada',
  'errors.providerUnreachable': 'Ia tidak menjawab. Cuba lagi, atau log masuk dengan kata laluan',
  'errors.providerInvalid': 'Jawapannya tidak dapat dipercayai, jadi tiada sesiapa dilog masuk. Beritahu pentadbir',
  'errors.providerClock':
    'Jamnya berbeza beberapa minit daripada jam portal, jadi tiada sesiapa dilog masuk. Beritahu pentadbir',
  'errors.signInExpired': 'Log masuk ini terlalu lama atau dimulakan dalam pelayar lain. Mulakan semula',
  'errors.signInNotAllowed': 'Ia tidak membenarkan anda masuk. Tanya pentadbir, atau log masuk dengan kata laluan',
  'errors.linkNeeded':
    'Belum ada akaun di sini yang disambungkan dengannya. Jika anda ada akaun, log masuk dengan kata laluannya sekali, dan kedua-duanya disambungkan',
}
