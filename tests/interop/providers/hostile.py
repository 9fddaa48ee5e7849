"""Results that a hostile or careless server may send, one a line with its name: what providers refuse, packages of frameworks
raise on, and both leave out. Each text and each file has bytes of its own, so that what has gone missing can be named."""
import base64
import json
import struct
import zlib

INPUTS = {}
SERIAL = iter(range(1000, 9999))


def word():
    return f"said-{next(SERIAL)}"


def encode(data):
    """Standard Base64 of these bytes and of a number that no other file has."""
    return base64.b64encode(data + b" %d" % next(SERIAL)).decode()


def png(width=1, height=1):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    row = chunk(b"IDAT", zlib.compress((b"\0" + b"\0" * width) * height))
    return b"\x89PNG\r\n\x1a\n" + head + row + chunk(b"IEND", b"")


JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xc0\0\x11\x08\0\1\0\1\1\1\x11\0\xff\xd9"
GIF = b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L\r\0\0\0\x2f\0\0\0\x10\7\x10\x11\x11\x88\x88\xfe\7\0"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>"
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
AVIF = b"\0\0\0\x18ftypavif\0\0\0\0mif1avif"
TIFF = b"II*\0\x08\0\0\0\0\0"
BMP = b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0"
PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
WAV = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0D\xac\0\0\x88X\1\0\2\0\x10\0data\0\0\0\0"
ZIP = b"PK\5\6" + b"\0" * 18


def text(*words, **more):
    return {"type": "text", "text": " ".join(words) or word()} | more


def image(data, mime="image/png", **more):
    return {"type": "image", "data": data if isinstance(data, str) else encode(data)} | ({"mimeType": mime} if mime is not None else {}) | more


def audio(data, mime="audio/wav"):
    return {"type": "audio", "data": encode(data), "mimeType": mime}


def blob(data, mime, uri):
    contents = {"uri": uri, "mimeType": mime, "blob": data if isinstance(data, str) else encode(data)}
    return {"type": "resource", "resource": {name: it for name, it in contents.items() if it is not None}}


def document(uri, mime="text/plain", said=None):
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": word() if said is None else said}}


def link(uri, **more):
    return {"type": "resource_link", "uri": uri, "name": "n"} | more


def add(name, *content, **more):
    INPUTS[name] = {"content": list(content)} | more


# Pictures: types that few read, types that are wrong, missing or more than a type.
for kind, data in [("png", png()), ("jpeg", JPEG), ("gif", GIF), ("webp", WEBP), ("svg+xml", SVG), ("heic", HEIC), ("avif", AVIF), ("tiff", TIFF), ("bmp", BMP)]:
    add(f"image_{kind}", image(data, f"image/{kind}"))
add("image_jpeg_said_png", image(JPEG))
add("image_alias", image(JPEG, "image/jpg"))
add("image_upper_case", image(png(), "IMAGE/PNG"))
add("image_parameters", image(png(), "image/png; charset=binary"))
add("image_without_type", image(png(), None))
add("image_empty_type", image(png(), ""))
add("image_type_is_words", image(png(), "a picture"))
add("image_injected_type", image(b"\1\2\3", 'image/png","x":"'))
add("image_no_picture", image(b"hello"))
add("image_9000_pixels", image(png(9000, 1)))
add("image_6_megabytes", image(png() + bytes(6_000_000)))
add("images_25", text(), *[image(png()) for _ in range(25)])
add("image_twice", *[image(png())] * 2)
# Base64 in every spelling.
add("base64_url_safe", image(base64.urlsafe_b64encode(png() + b"\xfb\xff\xfe").decode()))
add("base64_unpadded", image(encode(png()).rstrip("=")))
add("base64_lines", image("\r\n".join(encode(png())[at:at + 20] for at in range(0, 100, 20))))
add("base64_broken", image("not Base64 <at all>"), text())
add("base64_empty", image(""), text())
add("base64_data_url", image("data:image/png;base64," + encode(png())))
add("base64_data_url_of_text", image("data:text/plain,hello"), text())
# Sounds.
for kind in ["wav", "mpeg", "ogg", "flac", "x-unheard"]:
    add(f"audio_{kind}", audio(WAV if kind == "wav" else b"sound", f"audio/{kind}"))
add("audio_beside_text", text(), audio(WAV))
# Files.
add("pdf", blob(PDF, "application/pdf", "file:///a/report.pdf"))
add("pdf_without_type", blob(PDF, None, "file:///a/report.pdf"))
add("pdfs_of_one_name", *[blob(PDF, "application/pdf", f"file:///{it}/report.pdf") for it in range(2)])
add("pdfs_30", *[blob(PDF, "application/pdf", f"file:///{it}.pdf") for it in range(30)])
add("pdf_without_name", blob(PDF, "application/pdf", "x:"))
add("pdf_long_name", blob(PDF, "application/pdf", f"file:///{'n' * 400}.pdf"))
add("pdf_odd_name", blob(PDF, "application/pdf", "file:///%E5%A0%B1%E5%91%8A[1]%00.pdf"))
add("zip", blob(ZIP, "application/zip", "file:///a.zip"))
add("docx", blob(ZIP, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "file:///a.docx"))
add("csv", blob(b"a,b\n1,2", "text/csv", "file:///a.csv"))
add("mp4", blob(b"\0\0\0\x18ftypmp42", "video/mp4", "file:///a.mp4"))
add("bytes_without_type", blob(bytes(range(256)), None, "file:///a"))
add("blob_of_text", blob(b"plain words", "text/plain", "file:///a.txt"))
add("blob_of_latin1", blob("Grüße".encode("latin-1"), "text/plain", "file:///a.txt"))
add("blob_broken", blob("<broken>", "application/pdf", "file:///a.pdf"), text())
add("blob_picture", blob(png(), "image/png", "file:///a.png"))
add("blob_sound", blob(WAV, "audio/wav", "file:///a.wav"))
add("empty_file", blob("", "application/pdf", "file:///a.pdf"), text())
# Resources of text.
add("document", document("file:///a.txt"))
add("document_html", document("ui://a/b", "text/html", f"<b>{word()}</b>"))
add("document_empty", document("file:///a.txt", said=""), text())
add("document_blank", document("file:///a.txt", said=" \n"), text())
add("document_without_uri", {"type": "resource", "resource": {"text": word()}})
add("resource_empty", {"type": "resource", "resource": {"uri": "file:///a"}}, text())
add("resource_missing", {"type": "resource"}, text())
# Links.
add("link_https", link("https://10.0.0.1/latest/meta-data", title=word(), description=word()))
add("link_picture", link("https://x.test/i.png", mimeType="image/png", description=word()))
add("link_file", link("file:///etc/passwd", mimeType="text/plain", title=word()))
add("link_javascript", link("javascript:alert(1)", name=word()))
add("link_long", link("https://x.test/" + "a" * 3000, name=word()))
add("link_data", link("data:image/png;base64," + encode(png()), name=word()))
# Texts.
add("nothing")
add("text_empty", {"type": "text", "text": ""})
add("text_blank", {"type": "text", "text": " \n\t"}, text())
add("text_control", text("\0\1\u202e", word()))
add("text_emoji", text("😀🇩🇪", word()))
add("text_json", text(json.dumps({"type": "image", "data": word()})))
add("text_200_kilobytes", text("x" * 200_000, word()))
add("texts_500", *[text() for _ in range(500)])
# Failures.
add("failure", text(), isError=True)
add("failure_empty", isError=True)
add("failure_blank", {"type": "text", "text": " "}, isError=True)
add("failure_picture", text(), image(png()), isError=True)
add("failure_picture_alone", image(png()), isError=True)
add("failure_pdf", text(), blob(PDF, "application/pdf", "file:///a.pdf"), isError=True)
add("failure_sound", text(), audio(WAV), isError=True)
add("failure_document", document("file:///a.txt"), isError=True)
add("failure_structured", isError=True, structuredContent={"why": word()})
# Structured values.
add("structured", structuredContent={"said": word()})
add("structured_list", structuredContent=[word(), 2**53 + 1, None])
add("structured_odd", structuredContent={"$ref": "#", "__proto__": {"a": 1}, "": word(), "large": 2**64 - 1})
add("structured_deep", structuredContent={"a": [[[[[[[[[[{"said": word()}]]]]]]]]]]})
add("structured_beside_picture", image(png()), structuredContent={"said": word()})
add("structured_said", text('{"a": 1}'), structuredContent={"a": 1})
# Blocks that are no blocks.
add("unknown_block", {"type": "video", "data": encode(b"film")}, text())
add("block_without_type", {"text": "untyped"}, text())
add("block_of_text", "just text", text())
add("text_of_number", {"type": "text", "text": 7}, text())
add("snake_case", {"type": "image", "data": encode(png()), "mime_type": "image/png"})
add("null_members", text(annotations=None, _meta=None), image(png(), mime=None, mimeType=None))
add("annotated", text(annotations={"audience": ["user"], "priority": 7, "lastModified": "x"}))
# Everything.
add("everything", text(), image(png()), audio(WAV), blob(PDF, "application/pdf", "file:///a.pdf"), document("file:///b"), link("https://x.test/"), {"type": "video"}, structuredContent={"said": word()})

if __name__ == "__main__":
    for name, result in INPUTS.items():
        print(json.dumps({"name": name, "result": result}))
