import { describe, expect, it } from 'vitest'
import html from '../../../reports/html/html.js'
import { workedExample } from '../worked-example.js'

describe('the page', () => {
  it('is one file that brings its own policy, style and script', () => {
    const [page, ...others] = [...html.render(workedExample())]
    expect(others).toEqual([])
    expect(page!.file).toBe('report.html')
    expect(page!.text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(page!.text).toMatch(
      /content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]{44}&#39;; script-src/,
    )
    expect(page!.text).not.toMatch(/<[^>]+ (?:style|on\w+)=/)
    expect(page!.text).not.toMatch(/(?:src|href)="(?!#|data:,")/)
  })
})
