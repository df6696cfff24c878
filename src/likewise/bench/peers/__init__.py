"""Public tools, from the package index or a checkout, on the same data with the same answers.

Each tool lives in a virtual environment of its own, made when it is first wanted (see
`environments`), because their pins clash with each other and with today's numpy. A driver inside
that environment asks its questions over a pipe; this side answers them, counts distinct pairs,
and asks for labels at the checkpoints (see `session`).

What keeps the comparison fair:

- A pair asked again, in either order, is answered again but counted once. An item held against
  itself is "same" and not counted. None of the tools is told "unsure": it is passed on as
  "different".
- Every tool runs on one thread and is repeatable for a given seed. QUIRE uses chance only to
  break ties, so that several seeds can give the same run.
- Every tool makes one run for all checkpoints. The learners of active-semi-supervised-clustering
  give labels only at the end of a budget; here their clusterer is fitted, apart from the learner
  and without disturbing its random numbers, to the answers so far at each checkpoint.
- COBRAS gives the last clustering it completed, as its authors score it. It is not told k.
- interactive-clustering is refitted after every answer and asks for one pair at a time. It can
  also ask for batches, which saves time and costs questions.
- QUIRE asks for labels of items. An item is placed by holding it against one member of each
  known group, the likeliest first; once all k groups are known the last one needs no question.
  Labels come from QUIRE's own model, regularised least squares with the same kernel.
- nCOBRAS takes a pair asked again for another opinion: it is put to the oracle anew and counted;
  it is told the share of wrong answers.
- scikit-query is algorithm-agnostic; its strategies are run with PCK-means of
  active-semi-supervised-clustering, whose labels are fitted as for that tool.
- The authors' A3S is a script about its own data sets. It is run as it is, except that it is given
  these items, asks instead of looking labels up, and is told k for the regression that turns
  distances into probabilities.
- numpy's error handling, which active-semi-supervised-clustering changes for the whole process
  when imported, is set back: otherwise a harmless underflow would end a run.

The seconds of a row count from the moment the tool has the data until its labels arrive, with
the fits at checkpoints and without imports. What goes wrong is part of the result: a crash is
"failed", and running out of time or asking only known pairs for ever is "stopped". The rows up
to then are kept. A tool that has nothing left to ask ends "ok", with a row at the number of
questions it needed.
"""

from likewise.bench.peers.catalogue import PEERS, Peer
from likewise.bench.peers.session import PeerRun, run_peer

__all__ = ["PEERS", "Peer", "PeerRun", "run_peer"]
