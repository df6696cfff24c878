"""The reference as text, from the program itself: commands with options, HTTP paths with fields.

`_directives.py` puts it into pages; `tests/test_docs.py` checks that nothing is missing.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer


def commands() -> dict[str, Any]:
    """Return every command of `likewise` by what one types: `labels`, `bench run`."""
    from likewise.cli.app import app

    return dict(_leaves(typer.main.get_command(app), ()))


def _leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield the commands below a group."""
    if not hasattr(command, "commands"):
        yield " ".join(words), command
        return
    for name, below in command.commands.items():
        yield from _leaves(below, (*words, name))


def command_table(name: str) -> str:
    """Return what a command does and the table of its arguments and options, as markdown.

    Options that all commands about a pile share stand in a table of their own (`pile_options`).
    """
    command = commands()[name]
    shared = pile_options()
    words = " ".join(_placeholder(p) for p in command.params if p.param_type_name == "argument")
    own = [p for p in command.params if p.opts[0] not in shared]
    takes_pile = len(own) < len(command.params)
    usage = f"```\nlikewise {name} {words}".rstrip() + " [OPTIONS]\n```"
    more = "\nBeside these it takes the [options of a pile](#options-of-a-pile)." * takes_pile
    return "\n".join([usage, "", command.help or "", "", *table(own), more])


def pile_options() -> dict[str, Any]:
    """Return the options that every command about a pile takes, by how they are typed."""
    about_piles = [c.params for c in commands().values() if any(p.name == "path" for p in c.params)]
    options = [{p.opts[0]: p for p in params if p.opts[0][0] == "-"} for params in about_piles]
    common = set.intersection(*map(set, options))
    return {typed: param for typed, param in options[0].items() if typed in common}


def table(params: list[Any]) -> list[str]:
    """Return the lines of a table of arguments and options; none for none."""
    rows = [f"| {_spelling(p)} | {_default(p)} | {_cell(p.help or '')} |" for p in params]
    return (
        ["| argument or option | default | what it does |", "|---|---|---|", *rows] if rows else []
    )


def _placeholder(param: Any) -> str:
    """Return what stands for an argument in the usage line."""
    return str(param.metavar or param.name).upper()


def _spelling(param: Any) -> str:
    """Return how an argument or option is typed, with the kind of value it takes."""
    if param.param_type_name == "argument":
        return f"`{_placeholder(param)}`"
    flags = [*param.opts, *param.secondary_opts]
    value = "" if param.is_flag else " " + _value(param)
    return ", ".join(f"`{flag}{value}`" for flag in flags)


def _value(param: Any) -> str:
    """Return what stands for an option's value: its metavar, its choices, or its kind."""
    # typer's own types changed between versions: the default is all there is to go by.
    default = param.default
    if param.metavar:
        return str(param.metavar)
    if isinstance(default, enum.Enum):
        return "\\|".join(str(choice.value) for choice in type(default))
    return {int: "N", float: "X", Path: "FILE"}.get(type(default), param.opts[0].strip("-").upper())


def _default(param: Any) -> str:
    """Return the default as it would be typed; nothing for flags and for what has none."""
    value = param.default
    if param.required:
        return "required"
    if value is None or value == "" or isinstance(value, bool) or callable(value):
        return ""
    return f"`{value.value if isinstance(value, enum.Enum) else value}`"


def _cell(text: str) -> str:
    """Return a text that may stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the server, its start page and the page of ratings."""
    import likewise as lw
    from likewise.web.app import create_app
    from likewise.web.rating import create_rating_app
    from likewise.web.security import Access
    from likewise.web.start import RecentPiles, create_start_app
    from likewise.web.start.session import StartSession

    document = create_app(lw.Study([[0.0], [1.0]])).openapi()
    start = create_start_app(StartSession(Access(), RecentPiles(Path()))).front.openapi()
    rating = create_rating_app(lw.SimilarityStudy(2), lw.Items.of([[0.0], [1.0]])).openapi()
    for other in (start, rating):
        document["paths"] = {**other["paths"], **document["paths"]}
        schemas = document["components"]["schemas"]
        document["components"]["schemas"] = {**other["components"]["schemas"], **schemas}
    return document


def paths_text() -> str:
    """Return every path and method of the server with its parameters and bodies, as markdown."""
    document = openapi()
    parts = [
        _operation(f"{method.upper()} {path}", operation, document)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return "\n\n".join(parts)


def _operation(title: str, operation: dict[str, Any], document: dict[str, Any]) -> str:
    """Return one method of one path: what it does, what it takes, what it replies."""
    lines = [f"### `{title}`", "", operation.get("description", "").strip(), ""]
    fields = [
        (p["name"], p["in"], p["schema"], p.get("required", False), p.get("description", ""))
        for p in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if body:
        schema = _resolve(body["schema"], document)
        fields += [
            (name, "body", field, name in schema.get("required", ()), field.get("description", ""))
            for name, field in schema["properties"].items()
        ]
    if fields:
        lines += ["| field | in | type | default | |", "|---|---|---|---|---|"]
    for name, where, schema, required, text in fields:
        default = "required" if required else _json(schema.get("default"))
        lines.append(f"| `{name}` | {where} | {_type(schema)} | {default} | {_cell(text)} |")
    replies = [_reply(code, reply) for code, reply in operation["responses"].items()]
    return "\n".join([*lines, "", "Replies: " + ", ".join(replies) + "."])


def _resolve(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that a reference points at."""
    name = schema["$ref"].rsplit("/", 1)[-1]
    found: dict[str, Any] = document["components"]["schemas"][name]
    return found


def _type(schema: dict[str, Any]) -> str:
    """Return a JSON schema in one word or two."""
    if "$ref" in schema:
        return f"`{schema['$ref'].rsplit('/', 1)[-1]}`"
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"] if part.get("type") != "null")
    if "enum" in schema:
        return ", ".join(_json(value) for value in schema["enum"])
    if "const" in schema:
        return _json(schema["const"])
    if schema.get("type") == "array" and "items" in schema:
        return f"list of {_type(schema['items'])}"
    return str(schema.get("type", "any"))


def _json(value: object) -> str:
    """Return a value of JSON as code; nothing for null."""
    shown = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    return "" if value is None or value == "" else f"`{shown}`"


def _reply(code: str, reply: dict[str, Any]) -> str:
    """Return a status code and the name of the schema it comes with."""
    content = reply.get("content", {}).get("application/json", {}).get("schema", {})
    return f"{code} ({_type(content)})" if content and code.startswith("2") else code
