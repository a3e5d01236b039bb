"""Small PDF and Word files, written here byte by byte, so that a test knows all that is in them."""

import io
import zipfile
from xml.sax.saxutils import escape

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf_file(
    *lines: str, pages: int = 1, first: int = 1, extra: str = "", page_extra: str = "", more: tuple[str, ...] = ()
) -> bytes:
    """A PDF with these lines on each page from the first on; pages before it are empty.

    extra: entries of the catalogue; page_extra: of each page; more: objects, numbered from 5 + pages on.
    """
    shown = " ".join(f"({line}) Tj 0 -14 Td" for line in lines)
    stream = f"BT /F1 12 Tf 50 700 Td {shown} ET"
    kids = " ".join(f"{4 + n} 0 R" for n in range(pages))
    objects = [f"<< /Type /Catalog /Pages 2 0 R {extra} >>", f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>"]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    content = 4 + pages
    for number in range(1, pages + 1):
        text = f"/Contents {content} 0 R" if number >= first else ""
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> {text} {page_extra} >>"
        )
    objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects += more
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    trailer = (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    )
    return out + f"{trailer}startxref\n{len(out)}\n%%EOF".encode()


def paragraphs(*texts: str) -> str:
    """Paragraphs of plain words, as XML."""
    return "".join(f"<w:p><w:r><w:t>{escape(text)}</w:t></w:r></w:p>" for text in texts)


def word_file(body: str, **parts: str) -> bytes:
    """A Word file with this XML as its body, and further parts by their names without ending: header1, comments."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')
        for name, inner in parts.items():
            archive.writestr(f"word/{name}.xml", f'<w:{name} xmlns:w="{WORD}">{inner}</w:{name}>')
    return buffer.getvalue()
