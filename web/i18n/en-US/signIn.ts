import type { SignInTexts } from '../dictionary.ts'

export const signIn: SignInTexts = {
  'errors.providerNotFound': 'This way to sign in is not there any more',
  'errors.providerUnreachable': 'It did not answer. Try again, or sign in with your password',
  'errors.providerInvalid': 'Its answer could not be believed, so nobody was signed in. Tell an administrator',
  'errors.providerClock':
    'Its clock and the portal’s are minutes apart, so nobody was signed in. Tell an administrator',
  'errors.signInExpired': 'This sign-in took too long or was begun in another browser. Begin again',
  'errors.signInNotAllowed': 'It did not let you in. Ask an administrator, or sign in with your password',
  'errors.linkNeeded':
    'No account here is connected with it yet. If you have one, sign in with its password once, and both are connected',
}
