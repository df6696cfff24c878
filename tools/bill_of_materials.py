"""Turn what `pip inspect` says into a bill of materials in the format of CycloneDX.

pip inspect | python tools/bill_of_materials.py > bill-of-materials.json
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any


def component(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return one installed package as CycloneDX lists it."""
    name = re.sub(r"[-_.]+", "-", metadata["name"]).lower()  # as package addresses spell it
    address = f"pkg:pypi/{name}@{metadata['version']}"
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": metadata["version"],
        "purl": address,
    }
    if expression := metadata.get("license_expression"):
        found["licenses"] = [{"expression": expression}]
    return found


def bill(inspected: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of all that is installed, in the order of names."""
    parts = [component(one["metadata"]) for one in inspected["installed"]]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "components": sorted(parts, key=lambda part: str(part["bom-ref"])),
    }


if __name__ == "__main__":
    json.dump(bill(json.load(sys.stdin)), sys.stdout, indent=1)
    sys.stdout.write("\n")
