"""Which value a run has."""

from fake_host import Interpreter


def test_the_value_is_that_of_the_last_expression(py: Interpreter) -> None:
    assert py.run("x = 3\nx * 14").value == 42


def test_the_variable_result_wins_over_the_last_expression(py: Interpreter) -> None:
    assert py.run("result = {'n': 1}\nlen('four')").value == {"n": 1}


def test_a_result_of_an_earlier_run_is_not_the_value_of_this_one(py: Interpreter) -> None:
    py.run("result = 1", keep=True)
    assert py.run("'other'", keep=True).value == "other"
    assert "value" not in py.run("y = 2", keep=True).done


def test_a_result_that_is_set_to_the_same_object_again_counts(py: Interpreter) -> None:
    py.run("result = 1", keep=True)
    assert py.run("result = 1", keep=True).value == 1


def test_a_context_variable_named_result_is_no_result(py: Interpreter) -> None:
    assert py.run("2", context={"result": 1}).value == 2


def test_without_a_value_the_new_variables_are_listed_with_type_size_and_preview(py: Interpreter) -> None:
    done = py.run("rows = [1, 2, 3]\ndef f(): pass\nimport os\n_hidden = 1").done
    assert "value" not in done
    assert done["variables"] == [
        {"name": "rows", "type": "list", "size": 3, "preview": "[1, 2, 3]"},
        {"name": "f", "type": "function"},
    ]
    assert done["names"] == ["rows", "f"]


def test_rebound_names_count_as_changed_and_untouched_ones_do_not(py: Interpreter) -> None:
    py.run("a, b = 1, 2", keep=True)
    assert py.run("b = 3", keep=True).done["names"] == ["b"]


def test_a_printing_call_as_the_last_line_has_no_value(py: Interpreter) -> None:
    answer = py.run("print(6 * 7)")
    assert "value" not in answer.done
    assert answer.stdout == "42\n"


def test_none_is_a_value_when_nothing_was_printed(py: Interpreter) -> None:
    assert py.run("{'a': 1}.get('b')").json_text == "null"


def test_a_return_at_the_top_is_the_result_with_a_note(py: Interpreter) -> None:
    answer = py.run("data = [1, 2, 3]\nreturn {'sum': sum(data)}")
    assert answer.value == {"sum": 6}
    assert "assign to `result`" in answer.notes


def test_a_return_inside_a_branch_ends_the_run_there(py: Interpreter) -> None:
    answer = py.run("for i in range(9):\n    if i == 4:\n        return i\nprint('never')")
    assert answer.value == 4
    assert answer.output == ""


def test_a_return_inside_try_except_exception_is_not_caught(py: Interpreter) -> None:
    assert py.run("try:\n    return 1\nexcept Exception:\n    return 2").value == 1


def test_a_coroutine_as_the_value_is_awaited_with_a_note(py: Interpreter) -> None:
    answer = py.run("async def f():\n    return 42\nf()")
    assert answer.value == 42
    assert "awaited" in answer.notes


def test_a_coroutine_in_result_is_awaited(py: Interpreter) -> None:
    assert py.run("async def f():\n    return [1]\nresult = f()").value == [1]


def test_a_lone_string_is_its_own_value(py: Interpreter) -> None:
    assert py.run("'hello'").value == "hello"


def test_empty_code_and_comments_have_no_value_and_no_error(py: Interpreter) -> None:
    for code in ("", "# nothing\n", "\n\n"):
        done = py.run(code).done
        assert "value" not in done and "error" not in done


def test_the_type_of_the_value_is_told(py: Interpreter) -> None:
    assert py.run("(n for n in ())").done["value"]["type"] == "generator"
    assert py.run("from collections import Counter\nCounter('ab')").done["value"]["type"] == "collections.Counter"
