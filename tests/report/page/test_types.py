"""The scripts of pages: their types hold, as TypeScript sees them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.browsers import node_module
from support.processes import finished

from arena.report.page.assets import STATIC

OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2022",
    "module": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
}


@pytest.mark.slow
def test_the_types_of_all_scripts_hold(tmp_path: Path) -> None:
    compiler, node = node_module("typescript/bin/tsc"), shutil.which("node")
    if not node:
        pytest.skip("no node")
    project = tmp_path / "tsconfig.json"
    scripts = [str(file) for file in sorted(STATIC.glob("*.js"))]
    project.write_text(json.dumps({"compilerOptions": OPTIONS, "files": scripts}))
    done = finished([node, str(compiler), "-p", str(project)])
    assert done.returncode == 0, done.stdout.decode()
