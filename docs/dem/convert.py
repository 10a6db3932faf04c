"""Elevations of the Jacksboro fault from matplotlib's sample data to a 16-bit gray PNG.

    pip download --no-deps matplotlib && unzip matplotlib-*.whl
    python3 convert.py matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz jacksboro.png

Needs nothing but Python. Black is the lowest elevation, white the highest.
"""

import ast
import struct
import sys
import zipfile
import zlib


def array(archive, name):
    data = archive.read(name + ".npy")
    length = struct.unpack("<H", data[8:10])[0]
    return ast.literal_eval(data[10 : 10 + length].decode()), data[10 + length :]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


archive = zipfile.ZipFile(sys.argv[1])
header, data = array(archive, "elevation")
height, width = header["shape"]
metres = struct.unpack(f"<{height * width}h", data)
low, high = min(metres), max(metres)
pixels = [round((m - low) * 65535 / (high - low)) for m in metres]
rows = (b"\0" + struct.pack(f">{width}H", *pixels[i * width : (i + 1) * width]) for i in range(height))
with open(sys.argv[2], "wb") as png:
    png.write(b"\x89PNG\r\n\x1a\n")
    png.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)))
    png.write(chunk(b"IDAT", zlib.compress(b"".join(rows), 9)))
    png.write(chunk(b"IEND", b""))
print(f"{width} x {height} pixels, {low} m to {high} m")
