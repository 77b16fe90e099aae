/// Names what a binary body is, by its first bytes.
enum BinaryFormat {
    static func describe(_ bytes: [UInt8], contentType: String) -> String {
        let name = signatures.first { bytes.starts(with: $0.bytes) }?.name
        let type = contentType.split(separator: ";").first.map(String.init)
        return ["binary", name, type, "as hexadecimal"].compactMap { $0 }.joined(separator: ", ")
    }

    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("PNG image", [0x89, 0x50, 0x4E, 0x47]),
        ("JPEG image", [0xFF, 0xD8, 0xFF]),
        ("GIF image", [0x47, 0x49, 0x46, 0x38]),
        ("PDF document", [0x25, 0x50, 0x44, 0x46]),
        ("ZIP archive", [0x50, 0x4B, 0x03, 0x04]),
        ("gzip data", [0x1F, 0x8B]),
    ]
}
