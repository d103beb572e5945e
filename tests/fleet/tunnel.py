"""A tunnel as stunnel makes one: plain connections to a port of loopback go on as TLS."""

import os
import socket
import ssl
import subprocess
import threading


def make_certificate(folder):
    """A key and a certificate of 127.0.0.1 that is its own authority; their paths."""
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "cert.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                    "-out", certificate], check=True, capture_output=True)
    return key, certificate


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Tunnel:
    """Accepts on a port of its own until the process ends."""

    def __init__(self, port, certificate):
        self.context = ssl.create_default_context(cafile=certificate)
        self.target, self.connections = port, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            plain, _ = self.listener.accept()
            raw = socket.create_connection(("127.0.0.1", self.target))
            secure = self.context.wrap_socket(raw, server_hostname="127.0.0.1")
            self.connections += 1
            for ends in ((plain, secure), (secure, plain)):
                threading.Thread(target=copy, args=ends, daemon=True).start()
