"""What people install: the wheel holds the whole package with its data, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT_ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel with the backend that is installed here; nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    assert built.name.startswith("schema_compat-")
    return zipfile.ZipFile(built)


def test_every_file_of_the_package_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    expected = {
        path.relative_to(PROJECT_ROOT).as_posix()
        for path in (PROJECT_ROOT / "compat").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == expected
    assert "compat/_demo_data/fixtures/manifest.json" in packed
    assert "compat/py.typed" in packed


def test_the_command_and_the_licence_come_with_it(wheel: zipfile.ZipFile) -> None:
    (info,) = {name.split("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
    assert "compat = compat.cli:main" in wheel.read(f"{info}/entry_points.txt").decode()
    assert f"{info}/licenses/LICENSE" in wheel.namelist()
    metadata = wheel.read(f"{info}/METADATA").decode()
    assert "Name: schema-compat\n" in metadata
    assert "Requires-Python: >=3.11\n" in metadata


def test_the_demo_data_are_read_from_an_installed_copy(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path / "installed")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", "import compat.demo.history as d; print(d.__file__); print(len(d.final_files()))"],
        cwd=elsewhere,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    where, count = done.stdout.split()
    assert Path(where).is_relative_to(tmp_path / "installed")
    assert int(count) > 30
