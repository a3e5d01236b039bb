"""A file to take away, as every route gives one."""

from fastapi import Response


def attached(content: bytes | str, name: str, media_type: str) -> Response:
    """A file under a name, for this reader alone: no cache keeps it, and no browser takes it for something else."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, media_type=media_type, headers=headers)
