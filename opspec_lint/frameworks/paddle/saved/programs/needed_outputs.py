"""The intermediate outputs that a node has to have, although no loader asks for them.

No release checks whether a node has an intermediate output. What then happens is up to the op: the inference of its
shape, or its kernel, writes the output without a look (Flatten2InferMeta calls `x_shape->initialized()`), or does not.
No declaration tells. So this is measured: each output was taken out of programs that run, which were then run by the
executors of 2.6.2, 3.0.0 and 3.3.1 (60 programs, 27 outputs). Those below crash or fail, in each release that declares
them as not extra; flatten2 has that only since 3.0. The others run: those of batch_norm, dropout, reshape2, rnn,
transpose2, graph_send_recv, unique_consecutive; `W_Out` of hierarchical_sigmoid and `MaxIndex` of sequence_pool.
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
"""The outputs by their op."""
