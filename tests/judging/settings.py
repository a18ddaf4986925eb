"""The settings of any server in tests, with the judge's clock (the file JUDGING_CLOCK names).

Nothing in the product refers to this module: a site follows the clock only if it is started with these settings.
"""

import os
from pathlib import Path

from tests.judging import clock

clock.install(Path(os.environ["JUDGING_CLOCK"]))

from tests.server_settings import *  # noqa: E402, F403
