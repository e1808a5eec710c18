"""Notices for people: one mail a night by a real SMTP server, messages for a chat by a real HTTP server."""

import json
import smtplib
import socket
from email import message_from_bytes, policy

import pytest
from aiosmtpd.controller import Controller

from api.services import nightly_job as night
from compute.runs.mail_delivery import MailAddressError, MailDigest, MailServer, MailServerError, digest
from compute.runs.notice_delivery import RefusedError
from compute.runs.webhook_delivery import CHANNELS, Chat, chat_text
from graph.store import Store
from tests.compute.receivers import Receiver
from tests.compute.test_deliver import NOW, notice, notices_of, turn
from tests.conftest import ROOT
from tests.stories.night_home import Home, moment

TEAM, ALICE = "team@example.org", "alice@example.org"


class Inbox:
    """The mails that an SMTP server took; `replies` are its next answers to a text, "drop" closes without an answer."""

    def __init__(self):
        self.got, self.replies, self.refused = [], [], set()

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802  # the name in aiosmtpd
        if address in self.refused:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, _session, envelope):  # noqa: N802  # the name in aiosmtpd
        reply = self.replies.pop(0) if self.replies else "250 OK"
        if reply.startswith(("250", "drop")):
            self.got.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=policy.default)))
        if reply == "drop":
            server.transport.abort()
        return reply

    def to(self, address):
        return [mail for to, mail in self.got if to == [address]]


@pytest.fixture(scope="module")
def smtp():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(Inbox(), hostname="127.0.0.1", port=port)
    controller.start()
    yield controller
    controller.stop()


@pytest.fixture
def inbox(smtp):
    smtp.handler.__init__()
    smtp.handler.url = f"smtp://127.0.0.1:{smtp.port}"
    return smtp.handler


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "brain.db") as opened:
        yield opened


def plain(mail):
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def page(mail):
    return mail.get_body(("html",)).get_content().replace("\r\n", "\n")


def test_a_night_sends_one_mail_grouped_by_thesis_and_an_owner_gets_what_is_hers(tmp_path, inbox):
    home = Home(tmp_path, {2: "2.40", 5: "1.80"})
    claim = (
        "  - {{id: {}, node: own/{}, says: 'The <card> is cheap.', as_of: 2026-01-01, "
        'value: \'price("acme/card", "on_demand") * 2\', expect: {{at_most: 4 USD/GPU/h}}}}\n'
    )
    claims = "claims:\n" + claim.format("hers, owner: alice", "rents") + claim.format("other", "other")
    (home.vault / "more.yaml").write_text(claims)
    (home.vault / "other.md").write_text("---\ntitle: Other\nbrain: own\n---\nMore.\n")
    with home.open() as brain:
        assert brain.ingest([home.vault], at=moment(1)).stored
    mail = {"smtp_url": inbox.url, "mail_from": "brain@example.org", "owners": f"alice=mailto:{ALICE}"}
    mail["url"] = "https://brain.example.org"
    with Receiver() as chat:
        urls = (f"mailto:{TEAM}", f"slack+{chat.url}", chat.url)
        for number in (1, 2, 3, 5):
            assert home.night(number, *urls, **mail).delivery.complete
    broke, back = inbox.to(TEAM)
    assert broke["Subject"] == "Brain: 3 broke"
    assert back["Subject"] == "Brain: 3 returned"
    text = plain(broke)
    assert text.index("own/other\n=") < text.index("other (stale") < text.index("own/rents\n=") < text.index("hers (")
    assert "Owner: alice" in text
    assert "https://brain.example.org/claims/cheap-rent" in text
    assert "The &lt;card&gt; is cheap." in page(broke)
    assert '<a href="https://brain.example.org/nodes/own/rents">own/rents</a>' in page(broke)
    assert [one["Subject"] for one in inbox.to(ALICE)] == ["Brain: 1 broke", "Brain: 1 returned"]
    assert "hers (stale" in plain(inbox.to(ALICE)[0])
    assert "cheap-rent" not in plain(inbox.to(ALICE)[0])
    slacks = [json.loads(body) for headers, body in chat.got if "webhook-id" not in headers]
    assert len(slacks) == 2, "three claims of one price are one notice"
    assert all(one["text"].startswith("*3 claims") for one in slacks)
    assert all(name in one["text"] for one in slacks for name in ("cheap-rent", "hers", "other"))
    assert len(chat.got) == 4, "the signed webhook got the same"
    with home.open() as brain:
        assert all(one.delivered_at for one in brain.notices.deliveries())


def test_a_digest_is_neither_lost_nor_doubled(store, inbox):
    """Refused: the next mail has everything. Lost after the text: the same mail again, under the same Message-ID."""
    digests = MailDigest(MailServer.at(inbox.url), "brain@example.org", TEAM)
    digests.tries = 1
    one, two, three = (notices_of([turn(name)])[0] for name in ("first", "second", "third"))
    store.notices.queue(digests.receiver, NOW)
    at = [NOW]

    def night(*notices):
        store.notices.put(notices)
        found = digests.deliver(store.notices, lambda: at[0])
        at[0] = at[0].replace(day=at[0].day + 1)
        return found

    inbox.replies = ["451 busy"]
    assert (night(one).failed, inbox.got) == (1, [])
    inbox.replies = ["drop"]
    lost = night(two)
    assert (lost.failed, "Disconnected" in lost.errors[0]) == (2, True)
    assert night(three).delivered == 3
    first, again, last = inbox.to(TEAM)
    assert again["Message-ID"] == first["Message-ID"] != last["Message-ID"]
    assert plain(again) == plain(first)
    assert ["first (" in plain(first), "second (" in plain(first), "third (" in plain(first)] == [True, True, False]
    assert ["first (" in plain(last), "third (" in plain(last)] == [False, True]
    assert night().delivered == 0
    assert len(inbox.got) == 3

    inbox.refused = {TEAM}
    (refused,) = night(notice(id="msg_9", body=one.body)).errors
    assert "550 no such mailbox" in refused
    (kept,) = store.notices.pending(digests.receiver)
    assert kept.digest is None, "it is known that the mail was not taken"
    away = MailDigest(MailServer.at("smtp://127.0.0.1:9"), "brain@example.org", TEAM)
    away.tries = 1
    assert away.deliver(store.notices, lambda: at[0]).failed == 1


def test_a_process_that_is_killed_while_it_mails_sends_the_same_mail_again(store, inbox):
    class KilledError(BaseException):
        pass

    class Killed(MailDigest):
        def post(self, *arguments):
            super().post(*arguments)
            raise KilledError

    server = MailServer.at(inbox.url)
    killed = Killed(server, "brain@example.org", TEAM)
    store.notices.queue(killed.receiver, NOW)
    store.notices.put(notices_of([turn("first")]))
    with pytest.raises(KilledError):
        killed.deliver(store.notices, lambda: NOW)
    store.notices.put(notices_of([turn("second")]))
    assert MailDigest(server, "brain@example.org", TEAM).deliver(store.notices, lambda: NOW).delivered == 2
    first, again, second = inbox.to(TEAM)
    assert (again["Message-ID"], plain(again)) == (first["Message-ID"], plain(first))
    assert "first (" not in plain(second)


def test_a_password_is_not_sent_in_the_clear_and_long_digests_say_how_much_is_left(monkeypatch, inbox):
    server = MailServer.at(inbox.url.replace("//", "//user:p%40ss@"))
    assert (server.user, server.password) == ("user", "p@ss")
    elsewhere = server.model_copy(update={"host": "mail.example.org"})
    monkeypatch.setattr(
        smtplib.SMTP, "_get_socket", lambda self, host, port, timeout: socket.create_connection(("127.0.0.1", port))
    )
    mail = digest([notices_of([turn("c")])[0]], name="n", sender="b@example.org", to=TEAM, at=NOW)
    with pytest.raises(RefusedError, match="STARTTLS: the password is not sent"):
        elsewhere.send(mail)
    many = [notices_of([turn(f"c{number}", kind="unchecked") for number in range(600)])[0]]
    long = digest(many * 8, name="n", sender="b@example.org", to=TEAM, at=NOW)
    assert long["Subject"] == "Brain: 4800 not checked"
    assert "and 4300 more" in plain(long)


def test_messages_of_chats_have_their_shape_and_authors_cannot_add_links_or_mentions():
    (broke,) = notices_of([turn("c", reason="see <https://evil.example|here> & [x](y) @channel *b*")])
    text = chat_text(broke)
    assert text.startswith("*c is stale*\n• <https://brain.example/claims/c|c> stale: It says so. (see &lt;https")
    assert not any(part in text for part in ("<https://evil", " *b*", "[x](y)", "@channel"))
    (many,) = notices_of([turn(f"c{number}", kind="unchecked", reason="é" * 300) for number in range(60)])
    lines = chat_text(many).splitlines()
    assert lines[0] == "*60 claims could not be checked*"
    assert lines[-1] == f"and {60 - len(lines[1:-1])} more"


def test_chats_are_retried_like_the_other_receivers(store):
    with Receiver(429, 404) as receiver:
        chat = Chat("slack", receiver.url.replace("://", "://me:a%20b@"))
        store.notices.queue(chat.receiver, NOW)
        store.notices.put(notices_of([turn("c")]))
        assert chat.deliver(store.notices, lambda: NOW).delivered == 1
    assert [json.loads(body)["text"].splitlines()[0] for _, body in receiver.got] == ["*c is stale*"] * 3
    assert store.notices.deliveries()[0].last_error.startswith("404")
    assert receiver.got[0][0]["authorization"] == "Basic bWU6YSBi"
    assert "webhook-signature" not in receiver.got[0][0]


@pytest.fixture(scope="module")
def plain_home(tmp_path_factory):
    return Home(tmp_path_factory.mktemp("plain"), {})


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"webhook_url": "https://a.example"}, night.MissingSecretError),
        ({"webhook_url": "mailto:a@b.example"}, night.MissingMailServerError),
        ({"webhook_url": "irc+https://a.example"}, night.ReceiverAddressError),
        ({"webhook_url": "slack+file:///etc"}, night.ReceiverAddressError),
        ({"owners": "alice"}, night.OwnerError),
        ({"owners": "alice=https://a.example"}, night.ReceiverAddressError),
        ({"webhook_url": "mailto:a b", "smtp_url": "smtp://x", "mail_from": "b@c.example"}, MailAddressError),
        ({"webhook_url": "mailto:a@b.example", "smtp_url": "http://x", "mail_from": "b@c.example"}, MailServerError),
    ],
)
def test_a_receiver_that_is_set_up_wrong_is_a_sentence_without_its_secret(plain_home, settings, error):
    with plain_home.open(**settings) as brain, pytest.raises(error) as told:
        night.receivers(brain)
    assert not any(part in str(told.value) for part in ("a.example", "/etc"))


def test_every_channel_without_a_signature_needs_no_secret_and_has_its_row_in_the_docs(plain_home):
    addresses = ["mailto:a@b.example", *(f"{channel}+https://a.example" for channel in CHANNELS)]
    right = {"webhook_url": " ".join(addresses), "smtp_url": "smtps://m.example", "mail_from": "b@c.example"}
    with plain_home.open(**right) as brain:
        assert len({one.receiver for one in night.receivers(brain)}) == len(addresses)
    rows = (ROOT / "docs/nights.md").read_text("utf-8").partition("### Receivers")[2]
    assert [channel for channel in CHANNELS if f"`{channel}+https://" not in rows] == [], "docs/nights.md"
