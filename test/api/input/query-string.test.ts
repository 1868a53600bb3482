import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../src/api/input/query-string.ts'
import { type InputProblem, type InvalidInput, inputProblem } from '../../../src/api/input-problem.ts'
import { listOrdersQuery } from '../../../src/api/operations/orders.ts'
import { maxQuantityQuery } from '../../../src/api/operations/risk.ts'

const strict = { ignoresUnknown: false, clampsNumbers: false }
const refused = (flaw: InputProblem): InvalidInput => ({ ok: false, problem: flaw })
const defaults = { page: 1, limit: 50 }

describe('readQuery', () => {
  it.each([
    ['', defaults],
    ['?', defaults],
    ['?page=2&limit=100', { page: 2, limit: 100 }],
    ['statuses=open,filled&side=buy', { ...defaults, statuses: ['open', 'filled'], side: 'buy' }],
    ['statuses=open%2Cfilled', { ...defaults, statuses: ['open', 'filled'] }],
    ['asset=a%20b', { ...defaults, asset: 'a b' }],
    ['asset=a+b', { ...defaults, asset: 'a b' }],
    ['asset=a%2Bb', { ...defaults, asset: 'a+b' }],
    ['asset=', { ...defaults, asset: '' }],
    ['asset', { ...defaults, asset: '' }],
    ['asset=a=b', { ...defaults, asset: 'a=b' }],
    ['as%73et=BTC', { ...defaults, asset: 'BTC' }],
  ])('reads %s', (raw, value) => {
    expect(readQuery(raw, listOrdersQuery, strict)).toEqual({
      ok: true,
      value: { values: value, ignored: [] },
    })
  })

  it.each([
    ['page=1&page=2', 'page', 'is given twice'],
    ['page=1&pag%65=1', 'page', 'is given twice'],
    ['asset=%', 'asset', 'is not percent-encoded UTF-8'],
    ['asset=%ff', 'asset', 'is not percent-encoded UTF-8'],
    ['%zz=1', 'query', 'is not percent-encoded UTF-8'],
    ['statuses=', 'statuses', 'has an empty element'],
    ['statuses=open,,filled', 'statuses', 'has an empty element'],
    ['statuses=open,', 'statuses', 'has an empty element'],
    ['page=', 'page', 'must be a whole number in plain digits'],
    ['page=01', 'page', 'must be a whole number in plain digits'],
    ['page=+1', 'page', 'must be a whole number in plain digits'],
    ['page=%2B1', 'page', 'must be a whole number in plain digits'],
    ['page=-1', 'page', 'must be a whole number in plain digits'],
    ['page=1.0', 'page', 'must be a whole number in plain digits'],
    ['page=1e2', 'page', 'must be a whole number in plain digits'],
    ['page=0x1', 'page', 'must be a whole number in plain digits'],
    ['page=१', 'page', 'must be a whole number in plain digits'],
    ['page=99999999999999999', 'page', 'is too large'],
    ['colour=red', 'colour', 'is not a known query parameter'],
    ['__proto__=1', '__proto__', 'is not a known query parameter'],
    ['&', 'query', 'has a parameter without a name (a stray & or =)'],
    ['page=1&', 'query', 'has a parameter without a name (a stray & or =)'],
  ])('refuses %s', (raw, field, reason) => {
    expect(readQuery(raw, listOrdersQuery, strict)).toMatchObject(refused(inputProblem(field, reason)))
  })

  it.each([
    ['price=0.5', 0.5],
    ['price=50000', 50000],
    ['price=0', 0],
    ['price=0.00000000000000000001', 1e-20],
    ['price=50000.00000000000000', 50_000],
    ['price=5000000000000000', 5e15],
    ['price=1e3', 1000],
    ['price=1E3', 1000],
    // As Python and JavaScript write small numbers.
    ['price=1e-07', 1e-7],
    ['price=1.25e-7', 1.25e-7],
    ['price=0.001e%2B6', 1000],
    ['price=0e0', 0],
    ['price=-1', -1],
  ])('reads the number of %s', (raw, price) => {
    expect(readQuery(raw, maxQuantityQuery, strict)).toEqual({
      ok: true,
      value: { values: { price }, ignored: [] },
    })
  })

  it.each([
    ['price=.5', 'must be a number'],
    ['price=5.', 'must be a number'],
    ['price=1e', 'must be a number'],
    ['price=1e5.0', 'must be a number'],
    ['price=Infinity', 'must be a number'],
    ['price=1e309', 'must be a number'],
    ['price=1.234567890123456e3', 'has more than 15 significant digits'],
    ['price=0.1234567890123456', 'has more than 15 significant digits'],
  ])('refuses the number of %s', (raw, reason) => {
    expect(readQuery(raw, maxQuantityQuery, strict)).toEqual(refused(inputProblem('price', reason)))
  })

  it('suggests the parameter that was probably meant', () => {
    const read = readQuery('status=open', listOrdersQuery, strict)
    expect(read.ok ? '' : read.problem.hint).toContain('did you mean statuses?')
  })

  it('ignores unknown parameters, and clamps values, where readings say so', () => {
    const lenient = { ignoresUnknown: true, clampsNumbers: true }
    expect(readQuery('colour=red&page=0&limit=999999999999999999', listOrdersQuery, lenient)).toEqual({
      ok: true,
      value: { values: { page: 1, limit: 100 }, ignored: [{ path: 'colour', meant: null }] },
    })
  })
})
