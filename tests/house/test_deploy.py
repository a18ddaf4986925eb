"""What stands in `deploy/` names what there is: commands, settings, metrics, parts with their hashes."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from prometheus_client import REGISTRY

from troccas_site import monitoring

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))


def pins(text: str) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9_.-]+)(?:\[[a-z]+\])?==([^\s;\\]+)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def test_the_locked_parts_are_those_that_are_chosen_and_each_has_its_hashes():
    chosen = pins((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    chosen |= pins((ROOT / "requirements-fast.txt").read_text(encoding="utf-8"))
    locked += (ROOT / "requirements-fast.lock").read_text(encoding="utf-8")
    found = pins(locked)
    assert {name: found.get(name) for name in chosen} == chosen
    parts = re.split(r"^(?=[A-Za-z0-9])", locked, flags=re.MULTILINE)[1:]
    assert len(parts) == len(found)
    assert [part.splitlines()[0] for part in parts if "--hash=sha256:" not in part] == []


@pytest.mark.parametrize(
    "file", [*UNITS, DEPLOY / "compose.yaml", DEPLOY / "Containerfile"], ids=lambda file: file.name
)
def test_every_command_in_it_is_one_of_ours(file):
    text = file.read_text(encoding="utf-8")
    named = re.findall(r"manage\.py ([a-z]+)", text) + re.findall(r'(?:command: |CMD )\["([a-z-]+)"', text)
    ours = [name for name in named if name != "redis-server"]
    assert ours
    assert {name for name in ours if not get_commands().get(name, "").startswith("troccas_site")} == set()


COMMAND = r"manage\.py ([a-z_]+)([^`\n#;|&>]*)"
OF_THE_GUIDE = r"(?:^ *|`)site ([a-z_]+)([^`\n#;|&>]*)"
"""What docs/running.md has people write in place of the whole command."""
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_every_command_that_a_guide_names_is_there_and_takes_what_is_said():
    tried = []
    for document in DOCUMENTS:
        text, is_guide = document.read_text(encoding="utf-8"), document.name == "running.md"
        named = re.findall(COMMAND, text) + (re.findall(OF_THE_GUIDE, text, re.MULTILINE) if is_guide else [])
        for name, rest in named:
            assert name in get_commands(), (document.name, name)
            parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
            words = shlex.split(rest)
            flags = [word.split("=")[0] for word in words if word.startswith("--")]
            assert [flag for flag in flags if flag not in parser._option_string_actions] == [], (document.name, name)
            if is_guide and words:
                parser.parse_args(words)
            tried.append((document.name, name))
    assert len([name for document, name in tried if document == "running.md"]) > 15, tried


def test_every_setting_in_the_compose_file_is_one_that_is_read():
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    block = text.split("environment: &settings\n", 1)[1].split("  depends_on", 1)[0]
    settings = (ROOT / "troccas_site" / "settings.py").read_text(encoding="utf-8")
    named = re.findall(r"^ +([A-Z_]+):", block, re.MULTILINE)
    assert len(named) > 10
    assert [name for name in named if f'"{name}"' not in settings] == []
    documented = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in named if f"`{name}`" not in documented] == []


def test_the_board_and_the_alarms_ask_for_numbers_that_there_are(db):
    known = {metric.name for metric in REGISTRY.collect()} | {family.name for family in monitoring.Ages().collect()}
    asked = set()
    for panel in json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))["panels"]:
        asked |= {name for target in panel["targets"] for name in re.findall(r"troccas_\w+", target["expr"])}
    asked |= set(re.findall(r"troccas_\w+", (DEPLOY / "troccas-alarms.yml").read_text(encoding="utf-8")))
    assert len(asked) > 10
    assert {name for name in asked if re.sub(r"_(total|bucket)$", "", name) not in known} == set()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_the_units(tmp_path):
    for unit in (DEPLOY / "systemd").iterdir():
        # The program need not lie where the guide lays it.
        text = unit.read_text(encoding="utf-8").replace("/opt/troccas/.venv/bin/python", "/usr/bin/env")
        (tmp_path / unit.name.replace("@.", "@1.")).write_text(text, encoding="utf-8")
    units = sorted(str(unit) for unit in tmp_path.iterdir())
    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "troccas" in line]
    assert (done.returncode, ours) == (0, [])


def test_what_serves_goes_on_while_the_next_version_is_prepared():
    """A unit is stopped with one that it requires, and docs/running.md has people restart troccas-prepare at each upgrade."""
    for unit in UNITS:
        lines = unit.read_text(encoding="utf-8").splitlines()
        bound = [line for line in lines if line.split("=")[0] in ("Requires", "BindsTo", "PartOf", "Requisite")]
        assert [line for line in bound if "prepare" in line] == []


def test_the_guide_needs_nothing_but_what_it_installs_and_works_in_any_folder():
    """A bare Debian has no `sudo`, and systemd-run looks for a program from where one stands."""
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    shell = "\n".join(re.findall(r"```sh\n(.*?)```", guide, re.DOTALL))
    assert "sudo" not in shell
    for runs in re.findall(r"systemd-run.*?manage\.py", shell, re.DOTALL):
        assert re.findall(r"(\S*)/bin/python", runs) == ["/opt/troccas/.venv"]


def test_the_containers_start_with_the_podman_compose_of_debian_12():
    """Version 1.0.3 hands `${NAME:-}` on as it stands (a token for /metrics that everybody knows), starts `prepare` before the
    database is there, and has no --env-file: it reads the .env beside the compose file, as docker does. After a start of the
    machine podman 4.3 starts what is to be restarted `always`, and not `unless-stopped`. `up` starts containers that are there as
    they were made, with the old image and the old settings."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    settings = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert re.findall(r"\$\{\w+:-\}", settings) == []
    assert set(re.findall(r"restart: ([a-z-]+)", settings)) == {"always", "on-failure"}
    assert "restart: on-failure" in settings.split("\n  prepare:", 1)[1].split("\n\n", 1)[0]
    guide = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    assert "--env-file" not in guide
    for heading in ("## Upgrade\n", "## Rotate keys\n"):
        assert "--force-recreate" in guide.split(heading, 1)[1].split("\n## ", 1)[0]
