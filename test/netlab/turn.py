"""A DNS server whose answers turn: the first question for a name is answered with one address, every later one with another.

Names read FIRST-THEN.LABEL.turn.lab.test, with words of WHERE; a test takes a LABEL of its own.  Where LABEL is slow, an answer takes
four seconds.  Each question for an address is written to the file that is given: the name, and what it was told.
"""
import socket
import sys
import threading

WHERE = {
    "inside": "10.77.0.80",
    "outside": "93.184.216.34",
    "beside": "93.184.216.35",
    "metadata": "169.254.169.254",
    "nobody": "10.77.0.99",
}
A, IN = 1, 1
TTL = (0).to_bytes(4, "big")


def question(packet):
    """Labels of the first question, its type, and where it ends (RFC 1035, section 4.1.2)."""
    labels, at = [], 12
    while packet[at]:
        labels.append(packet[at + 1:at + 1 + packet[at]].decode("ascii", "replace").lower())
        at += 1 + packet[at]
    return labels, int.from_bytes(packet[at + 1:at + 3], "big"), at + 5


def main(log):
    asked = set()
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", 5353))
    while True:
        packet, client = server.recvfrom(4096)
        try:
            labels, kind, end = question(packet)
        except IndexError:
            continue
        words = labels[0].split("-") if labels else []
        answer = b""
        if kind == A and len(words) == 2 and all(word in WHERE for word in words):
            name = ".".join(labels)
            address = WHERE[words[name in asked]]
            asked.add(name)
            log.write(f"{name} {address}\n")
            log.flush()
            # The name is that of the question, at byte 12.
            answer = b"\xc0\x0c" + A.to_bytes(2, "big") + IN.to_bytes(2, "big") + TTL + b"\x00\x04" + socket.inet_aton(address)
        counts = b"\x00\x01" + (b"\x00\x01" if answer else b"\x00\x00") + b"\x00\x00\x00\x00"
        reply = packet[:2] + b"\x85\x80" + counts + packet[12:end] + answer
        threading.Timer(4 if "slow" in labels else 0, server.sendto, (reply, client)).start()


with open(sys.argv[1], "a", encoding="ascii") as file:
    main(file)
