"""The search: what people type -> articles, words, phrases, sources and places, in all languages at once.

`fold` says when two spellings are the same, `indexing` what of a document is searched, `index` keeps the rows, `sqlite` and
`postgres` look them up, `finding` ranks what came up. Both databases give the same answers: they only propose rows, and every
judgement is made here.
"""
