import { describe, expect, test } from 'vitest'
import { changesOf, fieldsOf, inheritedOf, limitFields } from './planDraft.ts'
import { aPlan, family, WEEK } from '../plans.testing.ts'
import { identityOf, inTree, limitField, peopleBelow } from '../values/plans.ts'

describe('a limit as a field', () => {
  test('has one name however its models are ordered', () => {
    const both = { ...WEEK, models: ['gpt_4', 'gpt_3_5'] }
    expect(limitField(both)).toBe(limitField({ ...both, models: ['gpt_3_5', 'gpt_4'] }))
  })
  test('is found again in its name', () => {
    const rolling = { ...WEEK, window: { kind: 'rolling' as const, seconds: 3_600 }, models: ['gpt_4'] }
    expect(identityOf(limitField(rolling))).toEqual(rolling)
    expect(identityOf(limitField(WEEK))).toEqual(WEEK)
  })
})

describe('the changes of a plan', () => {
  test('are what has changed, and of limits the whole list', () => {
    const stored = fieldsOf(family)
    const day = limitField({ ...WEEK, window: { kind: 'day' } })
    const changed = { max_keys: 5, 'openai_api.max_conv_count': null, [day]: 20 }
    expect(changesOf(changed, { ...stored, ...changed })).toEqual({
      max_keys: 5,
      openai_api: { max_conv_count: null },
      limits: [
        { ...WEEK, amount: 150 },
        { ...WEEK, window: { kind: 'day' }, amount: 20 },
      ],
    })
  })
  test('leave out a limit that is inherited again', () => {
    const stored = fieldsOf(family)
    const changed = { [limitField(WEEK)]: null }
    expect(changesOf(changed, { ...stored, ...changed })).toEqual({ limits: [] })
  })
})

describe('what is inherited', () => {
  test('is what holds in the plan above, with whose it is there', () => {
    expect(inheritedOf(family, limitField(WEEK))).toEqual({
      value: 150,
      origin: { from: 'plan', plan_id: 2, name: '家人' },
    })
    expect(inheritedOf(family, 'openai_api.max_conv_count')?.value).toBe(-1)
    expect(inheritedOf(undefined, 'max_keys')).toBe(null)
  })
  test('has the limits above besides the own ones, but no lifted one', () => {
    const month = { ...WEEK, window: { kind: 'month' as const } }
    const origin = { from: 'plan' as const, plan_id: 1, name: 'Default' }
    const parent = aPlan({
      in_force: {
        ...family.in_force,
        limits: [
          { ...WEEK, amount: 60, origin, until: null },
          { ...month, amount: -1, origin, until: null },
        ],
      },
    })
    const day = limitField({ ...WEEK, window: { kind: 'day' } })
    expect(limitFields({ [day]: 3 }, parent)).toEqual([limitField(WEEK), day])
  })
})

describe('the tree of plans', () => {
  const root = aPlan({ id: 1, parent_id: null, people: 16 })
  const elders = aPlan({ id: 3, parent_id: 2, people: 2 })
  const guests = aPlan({ id: 4, parent_id: 1, people: 3 })
  test('has each plan below the one it inherits from', () => {
    const shown = inTree([root, guests, elders, family])
    expect(shown.map(({ plan, depth }) => [plan.id, depth])).toEqual([
      [1, 0],
      [4, 1],
      [2, 1],
      [3, 2],
    ])
  })
  test('counts the people of all plans below one', () => {
    expect(peopleBelow([root, guests, elders, family], 1)).toBe(9)
    expect(peopleBelow([root, guests, elders, family], 3)).toBe(0)
  })
})
