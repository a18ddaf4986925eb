"""The search: from what people type to articles, words, phrases, sources and places, in all languages at once.

`parsing` takes a question apart and scores how well a row answers it, `index` decides which texts of a document are
searched and keeps the rows, `sqlite` and `postgres` look them up, `lookup` ranks the candidates and `presentation`
shows them. Both databases give the same answers: they only propose rows, and every judgement is made here. For whole
questions, `passages` reads the sentences that may answer, `similar_questions` knows what people ask and where it is
answered, and `answers` weighs both.
"""
