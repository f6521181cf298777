"""Which hosts a guard lets through."""

from __future__ import annotations

import ipaddress

import pytest

from workflows_app.errors import AddressRefusedError, WebError
from workflows_app.net.addresses import check_literal_host, describe_address, find_public_address, look_up

KINDS = {
    "127.0.0.1": "loopback",
    "::1": "loopback",
    "::ffff:127.0.0.1": "loopback",
    "10.1.2.3": "private",
    "fd00::1": "private",
    "169.254.169.254": "link-local",
    "fe80::1": "link-local",
    "0.0.0.0": "unspecified",
    "224.0.0.1": "multicast",
    "240.0.0.1": "reserved",
    "100.64.0.1": "non-public",
    "64:ff9b::7f00:1": "loopback",
    "2002:0a00:0001::": "private",
    "93.184.216.34": "",
    "2606:2800:220:1:248:1893:25c8:1946": "",
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items())
def test_kinds_of_addresses(text: str, kind: str) -> None:
    assert describe_address(ipaddress.ip_address(text)) == kind


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost", "[::1]", "192.168.1.1"])
def test_written_hosts_of_this_network_are_refused(host: str) -> None:
    with pytest.raises(AddressRefusedError, match="address"):
        check_literal_host(host)


def test_one_private_address_of_a_name_is_enough_to_refuse_it() -> None:
    with pytest.raises(AddressRefusedError, match=r"resolves to 10\.0\.0\.1, which is a private address"):
        find_public_address("pages.test", lambda _: ["93.184.216.34", "10.0.0.1"])


def test_public_name_gives_the_address_to_connect_to() -> None:
    assert find_public_address("pages.test", lambda _: ["93.184.216.34"]) == "93.184.216.34"
    with pytest.raises(WebError, match="no address"):
        find_public_address("pages.test", lambda _: [])


def test_numbers_that_the_system_reads_as_an_address_are_looked_up() -> None:
    with pytest.raises(AddressRefusedError, match=r"127\.0\.0\.1"):
        find_public_address("2130706433", lambda _: ["127.0.0.1"])


def test_unknown_name() -> None:
    with pytest.raises(WebError, match="cannot be found"):
        look_up("\x00")
