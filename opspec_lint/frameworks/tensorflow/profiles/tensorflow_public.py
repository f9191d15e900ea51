"""The profile `tensorflow` without internal and experimental ops, as the guide on compatibility promises.

Ops for internal use (`_...`) and those whose names hold `experimental` are not part of the public interface: findings
about them are notes.
"""

from opspec_lint.frameworks.tensorflow.profiles.tensorflow import PROFILE as TENSORFLOW

PROFILE = TENSORFLOW.replace(
    summary="the same, with internal and experimental ops exempt",
    exempt_ops="^_|[Ee]xperimental",
    default_for=(),
)
