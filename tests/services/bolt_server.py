"""A program: a Bolt server for the tests. ArcadeDB with its own Java runtime and one empty database.

Arguments: a folder, an HTTP port, a Bolt port, the database's name. The password comes from BOLT_SERVER_PASSWORD. It
prints `ready` when it is, and ends when its standard input closes: a test run that was killed leaves nothing behind.
"""

import os
import sys

READY = "ready"
USER = "root"


def serve(folder: str, http_port: int, bolt_port: int, database: str, password: str) -> None:
    from arcadedb_embedded.server import ArcadeDBServer

    server = ArcadeDBServer(
        root_path=folder,
        root_password=password,
        config={
            "http_port": http_port,
            "bolt_port": bolt_port,
            "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
        },
        jvm_kwargs={"heap_size": "1g"},
    )
    server.start()
    server.create_database(database)
    print(f"\n{READY}", flush=True)  # Java may write to standard output too: the word stands alone on its line
    sys.stdin.read()
    os._exit(0)  # the folder is temporary: nothing to close in order


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], os.environ["BOLT_SERVER_PASSWORD"])
