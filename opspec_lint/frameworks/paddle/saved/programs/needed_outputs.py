"""The intermediate outputs that a node must have, although no loader checks them.

No release checks whether a node has an intermediate output. The shape inference or kernel of the op may then write it
unconditionally (Flatten2InferMeta calls `x_shape->initialized()`), which no declaration states. So it was measured:
each output was removed from programs that run, which were then run by the executors of 2.6.2, 3.0.0 and 3.3.1 (60
programs, 27 outputs). The outputs below crash or fail in each release that declares them as not extra; flatten2 has
such an output only since 3.0. Ops that run without: batch_norm, dropout, reshape2, rnn, transpose2, graph_send_recv,
unique_consecutive; `W_Out` of hierarchical_sigmoid and `MaxIndex` of sequence_pool.
"""

from __future__ import annotations

NEEDED = {
    "data_norm": frozenset({"Means", "Scales"}),
    "flatten2": frozenset({"XShape"}),
    "group_norm": frozenset({"Mean", "Variance"}),
    "gru_unit": frozenset({"Gate", "ResetHiddenPrev"}),
    "hierarchical_sigmoid": frozenset({"PreOut"}),
    "huber_loss": frozenset({"Residual"}),
    "layer_norm": frozenset({"Mean", "Variance"}),
    "multiclass_nms2": frozenset({"Index"}),
    "roi_pool": frozenset({"Argmax"}),
}
"""The outputs by op."""
