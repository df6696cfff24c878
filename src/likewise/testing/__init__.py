"""Tests that anyone can run on parts of their own; pytest is needed.

Subclass a contract in a test module, provide the fixtures it names, and pytest does the rest.
"""

from __future__ import annotations

from likewise._extras import extra_explained

with extra_explained():
    import pytest

# Before the modules are imported, so that a failing assert shows its values in other projects too.
pytest.register_assert_rewrite(
    "likewise.testing.affinities",
    "likewise.testing.answerers",
    "likewise.testing.clusterers",
    "likewise.testing.feature_models",
    "likewise.testing.stores",
    "likewise.testing.strategies",
)

from likewise.testing.affinities import AffinityContract  # noqa: E402 - see above
from likewise.testing.answerers import AnswererContract  # noqa: E402
from likewise.testing.chat_server import ChatServer, chat_server  # noqa: E402
from likewise.testing.clusterers import ClustererContract  # noqa: E402
from likewise.testing.feature_models import FeatureModelContract  # noqa: E402
from likewise.testing.stores import (  # noqa: E402
    ItemStoreContract,
    LeasingStoreContract,
    StoreContract,
)
from likewise.testing.strategies import StrategyContract  # noqa: E402

__all__ = [
    "AffinityContract",
    "AnswererContract",
    "ChatServer",
    "ClustererContract",
    "FeatureModelContract",
    "ItemStoreContract",
    "LeasingStoreContract",
    "StoreContract",
    "StrategyContract",
    "chat_server",
]
