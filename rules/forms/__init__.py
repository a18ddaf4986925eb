"""Forms of the encyclopedia's documents, made from the shapes that check them: a field's name is its path in the document.

`parts_of` makes a document into the parts of a form, `document_of` what was sent back into a document. They work without
script: rows are added, moved and taken away by buttons that send the form.
"""

from rules.forms.layout import act_on_rows, document_of
from rules.forms.parts import Part, parts_of

__all__ = ["Part", "act_on_rows", "document_of", "parts_of"]
