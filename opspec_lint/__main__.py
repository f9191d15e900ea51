"""`python -m opspec_lint` is `opspec-lint`."""

import sys

from opspec_lint.cli import main

sys.exit(main())
