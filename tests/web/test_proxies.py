"""Behind nginx and Caddy, with the configurations that the documentation shows."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from likewise.errors import MethodError
from likewise.study import Study
from likewise.web.security import Access
from likewise.web.security.proxies import as_seen_by_proxy, networks
from web.conftest import CHROMIUM_QUIET, Live, chromium_path, pile

NAME = "photos.example.org"
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "server.md"
Serve = Callable[..., Live]


def snippets(language: str) -> list[str]:
    """The configurations on the page about the server."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def nginx(config: str, folder: Path, backend: int) -> Iterator[int]:
    """Run nginx with one server block of the documentation; yield its port."""
    program, port = _program("nginx"), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    site = config.replace("443", f"127.0.0.1:{port}").replace("8000", str(backend))
    site = site.replace("/etc/ssl/photos.example.org.pem", str(certificate))
    site = site.replace("/etc/ssl/photos.example.org.key", str(key))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    settings = f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
    written = folder / "nginx.conf"
    written.write_text(f"{settings}http {{ access_log off; {places}\n{site}\n}}")
    with _running([program, "-p", str(folder), "-c", str(written)], port):
        yield port


@contextmanager
def caddy(config: str, folder: Path, backend: int) -> Iterator[int]:
    """Run Caddy with a site of the documentation; yield its port."""
    program, port = _program("caddy"), free_port()
    # Its own certificates, since nobody here is known under the name.
    settings = (
        f"{{\n admin off\n local_certs\n skip_install_trust\n auto_https disable_redirects\n"
        f" https_port {port}\n http_port {free_port()}\n storage file_system {folder}\n}}\n"
    )
    written = folder / "Caddyfile"
    written.write_text(settings + config.replace("8000", str(backend)))
    words = [program, "run", "--config", str(written), "--adapter", "caddyfile"]
    with _running(words, port):
        yield port


def _program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def _running(words: list[str], port: int) -> Iterator[None]:
    """Run a proxy until it listens, and then for the with-block."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert child.stderr is not None
    try:
        until = time.monotonic() + 30
        while not _listens(port):
            if child.poll() is not None or time.monotonic() > until:
                raise AssertionError(child.stderr.read())
            time.sleep(0.02)
        yield
    finally:
        child.terminate()
        child.wait()
        child.stderr.close()


def _listens(port: int) -> bool:
    """Whether a proxy takes secure connections: it may be about to make its certificate."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as probe:
            trusting.wrap_socket(probe, server_hostname=NAME).close()
    except OSError:
        return False
    return True


PROXIES = {
    "nginx": (nginx, "nginx", 0),
    "nginx as it comes": (nginx, "nginx", 1),
    "caddy": (caddy, "text", 0),
}


@contextmanager
def offered(name: str, folder: Path, server: Live) -> Iterator[int]:
    """Offer a server by one of the proxies; yield its port."""
    run, language, number = PROXIES[name]
    folder.mkdir()
    folder.chmod(0o755)
    with run(snippets(language)[number], folder, httpx.URL(server.url).port or 0) as port:
        yield port


class _Named(httpx.HTTPTransport):
    """Speaks to a proxy here under the name that people know."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        return super().handle_request(request)


def client_of(port: int) -> httpx.Client:
    """A client that came to the proxy under that name."""
    address, headers = f"https://127.0.0.1:{port}", {"host": NAME}
    transport = _Named(verify=False)
    return httpx.Client(base_url=address, transport=transport, headers=headers, timeout=60)


def behind_proxy(live: Serve) -> Live:
    """A server as the documentation starts it."""
    access = Access(token="right")
    study = Study(pile()[0])
    return live(study, access=access, trusted_hosts=[NAME], proxies=["127.0.0.1"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PROXIES)
def test_behind_a_proxy_people_answer_and_others_do_not(
    live: Serve, tmp_path: Path, name: str
) -> None:
    server = behind_proxy(live)
    with offered(name, tmp_path / "proxy", server) as port, client_of(port) as client:
        assert client.get("/api/study").status_code == 401
        entered = client.get("/?token=right")
        assert entered.status_code == 200
        told = name != "nginx as it comes"  # which does not tell that it is spoken to securely
        assert ("secure" in entered.headers["set-cookie"].lower()) == told
        cookie = entered.headers["set-cookie"].partition(";")[0]
        own = {"cookie": cookie, "origin": f"https://{NAME}", "sec-fetch-site": "same-origin"}
        question = client.get("/api/question", params={"annotator": "Ada"}, headers=own).json()
        body = {"question": question["id"], "verdict": "same", "annotator": "Ada"}
        for origin in ("https://evil.example", f"https://{NAME}:9999", "null"):
            foreign = {"cookie": cookie, "origin": origin}
            assert client.post("/api/answers", json=body, headers=foreign).status_code == 403
        assert client.post("/api/answers", json=body, headers=own).status_code == 201
        invited = client.post("/api/people", json={"name": "Bob"}, headers=own).json()
        assert invited["link"].startswith(f"https://{NAME}/?token=")
    assert server.study.n_answers == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", PROXIES)
def test_the_limit_of_wrong_tokens_is_not_escaped_by_made_up_addresses(
    live: Serve, tmp_path: Path, name: str
) -> None:
    server = behind_proxy(live)
    # As it comes, nginx hands on what its client claims: then all addresses together are limited.
    most = 100 if name == "nginx as it comes" else 10
    with offered(name, tmp_path / "proxy", server) as port, client_of(port) as client:
        found = [
            client.get("/", params={"token": k}, headers={"x-forwarded-for": f"10.1.{k}.1"})
            for k in range(most + 3)
        ]
    assert [reply.status_code for reply in found] == [401] * most + [429] * 3


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_question_is_answered_in_a_browser_behind_a_proxy(
    live: Serve, tmp_path: Path, name: str
) -> None:
    server = behind_proxy(live)
    with offered(name, tmp_path / "proxy", server) as port, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=chromium_path(),
            args=[*CHROMIUM_QUIET, f"--host-resolver-rules=MAP {NAME} 127.0.0.1:{port}"],
        )
        context = chromium.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.goto(f"https://{NAME}/?token=right")
        expect(page.locator("#live")).to_contain_text("Question 1")
        assert page.url == f"https://{NAME}/"
        page.keyboard.press("ArrowRight")
        expect(page.locator("#live")).to_contain_text("Question 2")
        assert [one["secure"] for one in context.cookies()] == [True]
        chromium.close()
    assert server.study.n_answers == 1


# -- whom to believe -----------------------------------------------------------------------------


def _seen(peer: str, *proxies: str, **headers: str) -> tuple[str, str]:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "client": (peer, 1), "scheme": "http", "headers": raw}
    found = as_seen_by_proxy(scope, networks(proxies))
    return found["client"][0], found["scheme"]


def test_only_a_proxy_is_believed_and_only_its_own_word() -> None:
    claims = {"x_forwarded_for": "1.1.1.1, 2.2.2.2", "x_forwarded_proto": "https"}
    assert _seen("9.9.9.9", "127.0.0.1", **claims) == ("9.9.9.9", "http")
    assert _seen("127.0.0.1", **claims) == ("127.0.0.1", "http")
    assert _seen("127.0.0.1", "127.0.0.1", **claims) == ("2.2.2.2", "https")
    assert _seen("10.3.2.1", "::1", "10.0.0.0/8", **claims) == ("2.2.2.2", "https")
    odd = {"x_forwarded_for": "1.1.1.1, unknown", "x_forwarded_proto": "gopher"}
    assert _seen("127.0.0.1", "127.0.0.1", **odd) == ("127.0.0.1", "http")
    assert _seen("not an address", "127.0.0.1", **claims) == ("not an address", "http")
    with pytest.raises(MethodError, match="named by its address"):
        networks(["proxy.example.org"])
