"""Where a project is: its root, the repository around it, the folder that is spoken of, and what is read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compat.errors import Place, SourceError
from compat.project.config import Config
from compat.sources.files import Root, shown
from compat.sources.git import Repository, could_be_schema, top_level
from compat.sources.patterns import matches


@dataclass(frozen=True, slots=True)
class Located:
    """A project's root and open repository, the folder in it that was asked for, and the configuration named."""

    root: Root
    repository: Repository | None
    folder: str
    config: str | None


def locate(
    start: Path | str, config_path: str | Path | None, environment: Mapping[str, str], root: Path | str | None
) -> Located:
    """Find the project around a folder; SourceError where there is none, or the configuration lies outside."""
    here = Path(start)
    here = here if here.is_dir() else here.parent
    if not here.is_dir():
        raise SourceError("there is no such folder", place=Place(shown(str(start))))
    repository = None
    if top_level(here) is not None or (here / "HEAD").is_file():
        repository = Repository.open(here, index_file=environment.get("GIT_INDEX_FILE"))
    files = Root(Path(root)) if root is not None else repository.root if repository is not None else Root(here)
    if repository is not None and files.path != repository.root.path:
        repository.close()
        repository = None
    config = str(config_path) if config_path is not None else environment.get("COMPAT_CONFIG") or None
    try:
        folder = "" if repository is not None and repository.bare else files.relative(here)
        return Located(files, repository, folder, files.relative(Path(config)) if config is not None else None)
    except SourceError:
        if repository is not None:
            repository.close()
        raise


def wanted_by(*configs: Config) -> Callable[[str], bool]:
    """Give the test for paths worth reading: what could be a schema by its ending, and what is configured."""
    patterns = [pattern for config in configs for group in config.files.values() for pattern in group]
    if not patterns:
        return could_be_schema
    return lambda path: could_be_schema(path) or any(matches(pattern, path) for pattern in patterns)
