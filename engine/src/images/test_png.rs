//! PNG files of any kind, valid or not, for tests: the `png` crate writes no interlaced ones and none that are wrong.
//!
//! In: a header and pixels row by row. Out: a file with rows unfiltered and stored, not compressed.

/// What a header says.
pub(super) struct Picture {
    pub(super) size: [u32; 2],
    /// PNG's colour type.
    pub(super) color: u8,
    /// Bits a channel.
    pub(super) bits: u8,
    pub(super) channels: usize,
    pub(super) interlaced: bool,
}

impl Picture {
    fn row_bytes(&self, width: u32) -> usize {
        (width as usize * self.channels * usize::from(self.bits)).div_ceil(8)
    }

    /// Bytes of all rows.
    pub(super) fn raw_bytes(&self) -> usize {
        self.row_bytes(self.size[0]) * self.size[1] as usize
    }

    /// Signature and header chunk.
    pub(super) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        header.extend(self.size.iter().flat_map(|side| side.to_be_bytes()));
        header.extend([self.bits, self.color, 0, 0, u8::from(self.interlaced)]);
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        chunk(&mut file, b"IHDR", &header);
        file
    }

    /// A whole file around these compressed bytes.
    pub(super) fn with_data(&self, data: &[u8]) -> Vec<u8> {
        let mut file = self.header();
        if self.color == 3 {
            chunk(&mut file, b"PLTE", &[0; 3 * 256]);
        }
        chunk(&mut file, b"IDAT", data);
        chunk(&mut file, b"IEND", &[]);
        file
    }

    /// A whole file of these rows; interlaced ones need whole bytes a pixel.
    pub(super) fn encode(&self, raw: &[u8]) -> Vec<u8> {
        let [width, height] = self.size.map(|side| side as usize);
        let (row_bytes, mut rows) = (self.row_bytes(self.size[0]), Vec::new());
        if !self.interlaced {
            for row in raw.chunks(row_bytes) {
                rows.push(0);
                rows.extend(row);
            }
            return self.with_data(&zlib(&rows));
        }
        // Which pass a pixel belongs to: the table of the specification, 8 by 8.
        const PASS: [&[u8; 8]; 8] = [
            b"16462646",
            b"77777777",
            b"56565656",
            b"77777777",
            b"36463646",
            b"77777777",
            b"56565656",
            b"77777777",
        ];
        let pixel_bytes = row_bytes / width;
        for pass in b'1'..=b'7' {
            for y in 0..height {
                let columns = (0..width).filter(|x| PASS[y % 8][x % 8] == pass);
                let row: Vec<u8> = columns
                    .flat_map(|x| &raw[y * row_bytes + x * pixel_bytes..][..pixel_bytes])
                    .copied()
                    .collect();
                if !row.is_empty() {
                    rows.push(0);
                    rows.extend(row);
                }
            }
        }
        self.with_data(&zlib(&rows))
    }
}

/// Bytes without a pattern.
pub(super) fn noise(count: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..count).map(|_| next()).collect()
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let sum = crc(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32 of the PNG specification, bit by bit.
pub(super) fn crc(bytes: &[u8]) -> u32 {
    let step =
        |sum: u32, byte: &u8| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
                if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 }
            })
        };
    !bytes.iter().fold(u32::MAX, step)
}

/// A zlib stream of stored blocks.
pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(65_535).peekable();
    if bytes.is_empty() {
        stream.extend([1, 0, 0, 0xff, 0xff]);
    }
    while let Some(block) = blocks.next() {
        let length = block.len() as u16;
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = bytes.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}
