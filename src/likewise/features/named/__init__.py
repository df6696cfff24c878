"""Feature models by name: `--model PREFIX:NAME`, an ONNX file, or the address of a server."""

from likewise.features.named import (
    endpoint,
    fastembed_model,
    onnx_file,
    open_clip_network,
    sentence_transformer,
    timm_network,
)
from likewise.features.named.endpoint import EndpointModel
from likewise.features.named.family import Family
from likewise.features.named.fastembed_model import FastembedModel
from likewise.features.named.onnx_file import OnnxFileModel
from likewise.features.named.open_clip_network import OpenClipModel
from likewise.features.named.sentence_transformer import SentenceTransformerModel
from likewise.features.named.timm_network import TimmModel

FAMILIES: dict[str, Family] = {
    module.FAMILY.prefix: module.FAMILY
    for module in (
        sentence_transformer,
        timm_network,
        open_clip_network,
        fastembed_model,
        onnx_file,
        endpoint,
    )
}

__all__ = [
    "FAMILIES",
    "EndpointModel",
    "Family",
    "FastembedModel",
    "OnnxFileModel",
    "OpenClipModel",
    "SentenceTransformerModel",
    "TimmModel",
]
