"""The search: what people type -> articles, words, phrases, sources and places, in all languages at once.

`parsing` takes a question apart and says how well a row answers it, `index` says what of a document is searched and keeps the
rows, `sqlite` and `postgres` look them up, `lookup` ranks what came up and `presentation` shows it. Both databases give the same answers:
they only propose rows, and every judgement is made here. For whole questions, `passages` reads the sentences that may answer,
`similar_questions` knows what people ask and where it is answered, and `answers` weighs both.
"""
