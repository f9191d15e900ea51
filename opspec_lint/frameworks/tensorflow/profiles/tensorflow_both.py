"""The union of the profiles `tensorflow` and `tensorflow-forward`: old graphs on head, and new graphs on base.

A finding of either profile is one here, at the worse of its two levels.
"""

from opspec_lint.frameworks.tensorflow.profiles.tensorflow import PROFILE as BACKWARD
from opspec_lint.frameworks.tensorflow.profiles.tensorflow_forward import PROFILE as FORWARD
from opspec_lint.lint.profile import union

PROFILE = union("TensorFlow's own rules, and new graphs on an old release", BACKWARD, FORWARD)
