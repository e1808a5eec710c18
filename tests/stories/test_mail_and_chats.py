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
from compute.runs.webhook_delivery import Chat, chat_text
from graph.store import Store
from tests.command import outcome
from tests.compute.receivers import SECRET, Receiver
from tests.compute.test_deliver import NOW, notice, notices_of, turn
from tests.stories.night_home import Home, data, day, kinds, moment

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
        chat = Chat("slack+" + receiver.url.replace("://", "://me:a%20b@"))
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
        ({"webhook_url": "https://a.example"}, night.ReceiverError),
        ({"webhook_url": "mailto:a@b.example"}, night.ReceiverError),
        ({"webhook_url": "irc+https://a.example"}, night.ReceiverAddressError),
        ({"webhook_url": "slack+file:///etc"}, night.ReceiverAddressError),
        ({"webhook_url": "mattermost+https://a.example"}, night.ReceiverAddressError),
        ({"owners": "alice"}, night.ReceiverError),
        ({"owners": "alice=https://a.example"}, night.ReceiverError),
        ({"webhook_url": "http://a.example"}, night.ReceiverAddressError),
        ({"owners": "alice=http://a.example"}, night.ReceiverAddressError),
        ({"webhook_url": "mailto:a b", "smtp_url": "smtp://x", "mail_from": "b@c.example"}, MailAddressError),
        ({"webhook_url": "mailto:a@b.example", "smtp_url": "http://x", "mail_from": "b@c.example"}, MailServerError),
    ],
)
def test_a_receiver_that_is_set_up_wrong_is_a_sentence_without_its_secret(plain_home, settings, error):
    with plain_home.open(**settings) as brain, pytest.raises(error) as told:
        night.receivers(brain)
    assert not any(part in str(told.value) for part in ("a.example", "/etc"))


def test_mails_and_chats_need_no_secret(plain_home):
    addresses = ["mailto:a@b.example", "slack+https://a.example"]
    right = {"webhook_url": " ".join(addresses), "smtp_url": "smtps://m.example", "mail_from": "b@c.example"}
    with plain_home.open(**right) as brain:
        assert len({one.receiver for one in night.receivers(brain)}) == len(addresses)


BREAK, BACK = {2: "2.40"}, {2: "2.40", 6: "1.80"}
UP, DOWN, AGAIN = "claim.raised", "claim.returned", "claims.reminder"

SENT = {
    "a run by hand without the setting does not swallow the notice": (BREAK, None, (2,), (1, 2, 3), [(2, UP)], {}),
    "a break and a return found only by hand are both sent": (BACK, None, (3, 7), (1, 8), [(3, UP), (7, DOWN)], {}),
    "a receiver that is set after the return is owed nothing": (BACK, None, (2, 6), (7,), [], {}),
    "a flag that goes up in a silence is reported after it": (
        *(BREAK, (1, 5), (), range(1, 7), [(5, UP)]),
        {"since": str(day(2)), "raised": str(day(2)), "as_of": str(day(5)), "verdict": "stale"},
    ),
    "a flag that is over before its silence is not reported": ({2: "2.40", 4: "1.80"}, (1, 6), (), range(1, 9), [], {}),
    "a return within a silence is reported after it": (BACK, (5, 8), (), range(2, 10), [(2, UP), (8, DOWN)], {}),
    "a return and a new break within a silence are one notice of what is the case": (
        *({2: "2.40", 5: "1.80", 7: "2.60"}, (4, 9), (), (2, *range(4, 10)), [(2, UP), (9, UP)]),
        {"before": "stale", "since": str(day(7))},
    ),
    "what is still raised is reported again each week": (
        *({2: "2.40", 20: "1.80"}, None, (), (2, 3, 8, 9, 10, 15, 16, 20, 27)),
        *([(2, UP), (9, AGAIN), (16, AGAIN), (20, DOWN)], {}),
    ),
    "a silence holds reminders back too": (BREAK, (3, 20), (), (2, 3, 9, 10, 19, 20), [(2, UP), (20, AGAIN)], {}),
}
"""Prices by day, the days of a silence, runs by hand, nights; what is sent on which day, and what the last notice says."""


@pytest.mark.parametrize(("prices", "silence", "by_hand", "nights", "sent", "about"), SENT.values(), ids=SENT)
def test_notices_are_sent_once_and_on_their_day(tmp_path, prices, silence, by_hand, nights, sent, about):
    home = Home(tmp_path, prices)
    if silence:
        home.silence(*silence)
    with Receiver() as receiver:
        for number in sorted({*by_hand, *nights}):
            if number in by_hand:
                home.by_hand(number, hour=1)
            if number in nights:
                home.night(number, receiver.url)
    events = [json.loads(body) for _, body in receiver.got]
    told = [(event["time"][:10], event["type"]) for event in events]
    assert told == [(str(day(at)), f"brain.{kind}") for at, kind in sent]
    assert not sent or about.items() <= data(receiver).items()


def test_the_command_line_without_the_setting_leaves_the_notice_to_the_next_night(tmp_path, monkeypatch):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        assert outcome(home.path, "verify").code == 0
        assert outcome(home.path, "nightly", "--no-refresh").code == 0
        assert receiver.got == []
        monkeypatch.setenv("BRAIN_WEBHOOK_URL", receiver.url)
        monkeypatch.setenv("BRAIN_WEBHOOK_SECRET", SECRET)
        night = outcome(home.path, "nightly", "--no-refresh", "--json")
        assert (night.code, night.json["delivery"]["delivered"]) == (0, 1)
        assert outcome(home.path, "nightly", "--no-refresh").code == 0
    assert kinds(receiver) == ["claim.raised"]


def test_five_runs_that_hold_narrowly_need_five_days_to_lower_a_flag(tmp_path):
    home = Home(tmp_path, {2: "2.40", 3: "1.999"})
    home.by_hand(2)
    for hour in range(9, 15):
        home.by_hand(3, hour)
    assert [flag.standing for flag in home.flags()] == [True]
    for number in (4, 5, 6):
        home.by_hand(number)
    assert [flag.standing for flag in home.flags()] == [True]
    home.by_hand(7)
    assert [flag.lowered_at for flag in home.flags()] == [day(7)]


def test_reminders_have_a_setting_and_can_be_disabled(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        for number in (2, 9, 30):
            home.night(number, receiver.url, remind_days=0)
        assert kinds(receiver) == ["claim.raised"]
        home.night(30, receiver.url, remind_days=29)
        home.night(31, receiver.url, remind_days=29)
    assert kinds(receiver) == ["claim.raised", "claims.reminder"]
    (listed,) = data(receiver)["claims"]
    assert (listed["claim"], listed["verdict"], listed["since"]) == ("cheap-rent", "stale", str(day(2)))


def test_the_flag_of_a_deleted_claim_is_reported_as_removed(tmp_path):
    home = Home(tmp_path, BREAK)
    with Receiver() as receiver:
        home.night(2, receiver.url)
        with home.open() as brain:
            name = next(head.name for head in brain.documents.heads() if head.name.endswith("claims.yaml"))
            brain.importer.remove([name], at=moment(3))
        home.night(3, receiver.url)
        home.night(4, receiver.url)
    assert kinds(receiver) == ["claim.raised", "claim.removed"]
    assert data(receiver)["before"] == "stale"


def test_the_feed_has_a_change_whatever_silences_and_receivers_say(tmp_path):
    home = Home(tmp_path, BREAK)
    home.silence(1, 30)
    home.night(1)
    home.night(2)
    with home.open() as brain:
        (turned,) = brain.reports.changed_runs()
        assert [(change.claim, change.after.value) for change in turned.changes] == [("cheap-rent", "stale")]
        assert brain.notices.latest() == ()
