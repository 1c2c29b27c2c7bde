"""A DNS server that answers the first question for a name with one address and each later question with another.

A name is FIRST-THEN.LABEL.turn.lab.test; FIRST and THEN are keys of WHERE, such as inside-outside.a.turn.lab.test.  Each test uses other
LABELs.  With the label slow an answer takes four seconds.  The server writes each name and the address that it answered to the file that
its argument names.
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
    """Return the labels and the type of the first question, and the index of its end (RFC 1035, section 4.1.2)."""
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
            # A pointer to byte 12, the name in the question.
            answer = b"\xc0\x0c" + A.to_bytes(2, "big") + IN.to_bytes(2, "big") + TTL + b"\x00\x04" + socket.inet_aton(address)
        counts = b"\x00\x01" + (b"\x00\x01" if answer else b"\x00\x00") + b"\x00\x00\x00\x00"
        reply = packet[:2] + b"\x85\x80" + counts + packet[12:end] + answer
        threading.Timer(4 if "slow" in labels else 0, server.sendto, (reply, client)).start()


with open(sys.argv[1], "a", encoding="ascii") as file:
    main(file)
