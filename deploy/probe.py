"""Asks an address and ends with 0 if it answers 200: for health checks of containers, which have no curl."""

import sys
import urllib.request

try:
    with urllib.request.urlopen(sys.argv[1], timeout=8) as answer:  # noqa: S310  # the address stands in compose.yaml
        sys.exit(0 if answer.status == 200 else 1)
except OSError as error:
    sys.exit(str(error))
