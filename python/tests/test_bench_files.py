"""The bench files, where they are at hand."""

import pathlib

import pytest

from bench_driver import run_file

BENCH = pathlib.Path(__file__).parents[3] / "shared" / "bench" / "python"


@pytest.mark.skipif(not BENCH.is_dir(), reason="../shared is not there")
def test_every_core_program_gives_the_expected_answer() -> None:
    shares, failures = run_file(BENCH / "programs.jsonl", set())
    assert [failure for failure in failures if failure[0] in _core()] == []
    assert shares["core"] == [491, 491]


@pytest.mark.skipif(not BENCH.is_dir(), reason="../shared is not there")
def test_the_friction_cases_that_the_runtime_decides_alone_are_right() -> None:
    shares, failures = run_file(BENCH / "friction.jsonl", set())
    # Summaries of long output and of big tables are the host's work.
    assert {failure[0] for failure in failures} <= {"fd-huge-print", "fd-big-table", "fd-import-requests"}
    assert shares["core"][0] >= 64


def _core() -> "set[str]":
    from bench_driver import load_cases

    return {case["id"] for case in load_cases(BENCH / "programs.jsonl") if not case.get("needs")}
