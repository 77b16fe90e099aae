/// The first bytes that identify file formats.
enum BinarySignature {
    static func name(of bytes: Bytes) -> String? {
        if bytes.starts(with: Array("ustar".utf8), at: 257) { return "tar archive" }
        if bytes.starts(with: Array("ftyp".utf8), at: 4) { return "MP4 video" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.starts(with: Array("WAVE".utf8), at: 8) { return "WAV audio" }
        return all.first { bytes.starts(with: $0.bytes) }?.name
    }

    private static let all: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF-".utf8), "PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
        ([0x50, 0x4B, 0x05, 0x06], "ZIP archive"),
        ([0x1F, 0x8B, 0x08], "gzip data"),
        ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "XZ data"),
        (Array("BZh".utf8), "bzip2 data"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip archive"),
        (Array("Rar!\u{1A}\u{07}".utf8), "RAR archive"),
        ([0x00, 0x00, 0x01, 0x00], "icon"),
        ([0x7F, 0x45, 0x4C, 0x46], "ELF program"),
        ([0x00, 0x61, 0x73, 0x6D], "WebAssembly module"),
        (Array("SQLite format 3\0".utf8), "SQLite database"),
        (Array("PAR1".utf8), "Parquet data"),
        ([0x49, 0x49, 0x2A, 0x00], "TIFF image"),
        ([0x4D, 0x4D, 0x00, 0x2A], "TIFF image"),
        (Array("OggS".utf8), "Ogg media"),
        (Array("fLaC".utf8), "FLAC audio"),
        (Array("ID3".utf8), "MP3 audio"),
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska video"),
        (Array("wOFF".utf8), "WOFF font"),
        (Array("wOF2".utf8), "WOFF2 font"),
    ]
}
