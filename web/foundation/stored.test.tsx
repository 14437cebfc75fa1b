import { beforeEach, describe, expect, test } from 'vitest'
import { freshDevice } from './api.testing.ts'
import { lastSelection, rememberSelection, savedLogin, saveLogin } from './stored.ts'

beforeEach(freshDevice)

describe('the last selection', () => {
  test('is none on a new device', () => {
    expect(lastSelection()).toEqual({ source: null, model: null })
  })
  test('is the source and the model chosen last', () => {
    rememberSelection({ source: 'openai_api', model: 'gpt_4' })
    expect(lastSelection()).toEqual({ source: 'openai_api', model: 'gpt_4' })
    expect(localStorage.getItem('lastSelectedSource')).toBe('openai_api')
  })
})

describe('the saved login form', () => {
  test('holds the user name for whoever wants to be remembered, and never a password', () => {
    saveLogin({ rememberPassword: true, savedUsername: 'anna' })
    expect(savedLogin()).toEqual({ rememberPassword: true, savedUsername: 'anna' })
    expect(JSON.parse(localStorage.getItem('savedLoginForm') ?? '')).toMatchObject({ savedPassword: '' })
  })
  test('forgets the name of whoever does not', () => {
    saveLogin({ rememberPassword: false, savedUsername: 'anna' })
    expect(savedLogin()).toEqual({ rememberPassword: false, savedUsername: '' })
  })
  test.each(['not json', '[]', 'null', '{"savedUsername":7}'])('survives %s', text => {
    localStorage.setItem('savedLoginForm', text)
    expect(savedLogin()).toEqual({ rememberPassword: false, savedUsername: '' })
  })
})
