import Foundation

/// Small images as files.
public enum PictureSamples {
    /// 16x16 pixels in four squares: red and green above blue and white.
    public static let jpeg = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV\
        DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBT/wAARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAACAkK/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABgBAAMBAQAA\
        AAAAAAAAAAAAAAcJCgYI/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AOgGGpmMCSY9LxRm7laWyrG4f/9k=
        """)

    /// The same, progressive.
    public static let progressiveJPEG = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV\
        DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU\
        FBT/wgARCAAQABADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABwgJ/8QAGAEAAwEBAAAAAAAAAAAAAAAABggJBQf/2gAMAwEA\
        AhADEAAAATkFaljCZjy9Rnuelqrbn//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAQUCH//EABQRAQAAAAAAAAAAAAAAAAAAACD/\
        2gAIAQMBAT8BH//EABQRAQAAAAAAAAAAAAAAAAAAACD/2gAIAQIBAT8BH//EABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEABj8CH//E\
        ABQQAQAAAAAAAAAAAAAAAAAAACD/2gAIAQEAAT8hH//aAAwDAQACAAMAAAAQ9U//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAEDAQE/\
        EB//xAAUEQEAAAAAAAAAAAAAAAAAAAAg/9oACAECAQE/EB//xAAUEAEAAAAAAAAAAAAAAAAAAAAg/9oACAEBAAE/EB//2Q==
        """)

    /// The same in four inks (CMYK).
    public static let printedJPEG = decoded(
        """
        /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwADAgIDAgIDAwMDBAMDBAUIBQUEBAUKBwcGCAwKDAwLCgsLDQ4SEA0OEQ4LCxAWEBETFBUVFQwP\
        FxgWFBgSFBUU/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAKCf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/\
        2gAOBEMATQBZAEsAAD8A1TZVMqmqaVdVQAlXVUCqhVQD/9k=
        """)

    /// 16x8 pixels, red on the left and green on the right; Exif says that it is to be turned by 90 degrees.
    public static let turnedJPEG = decoded(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgF\
        BQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQU\
        FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAIABADAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAA\
        CP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAWAQEBAQAAAAAAAAAAAAAAAAAHCQr/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIR\
        AxEAPwA6AxVMxgkzHv/Z
        """)

    /// All of these by their names.
    public static let jpegs = [
        "one scan": jpeg, "progressive": progressiveJPEG, "four inks": printedJPEG, "turned": turnedJPEG,
    ]

    /// A PNG in red, green, blue and alpha.
    public static func png(width: Int, height: Int, pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<height {
            rows.append(0)
            for column in 0..<width { rows += pixel(column, row) }
        }
        return png(width: width, height: height, data: deflated(rows))
    }

    /// A PNG whose header says what it likes.
    public static func png(width: Int, height: Int, data: [UInt8]) -> [UInt8] {
        [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
            + chunk("IHDR", number(width) + number(height) + [8, 6, 0, 0, 0]) + chunk("IDAT", data) + chunk("IEND", [])
    }

    /// A PNG in four squares: red and green above blue and white.
    public static func squares(side: Int) -> [UInt8] {
        let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255]]
        return png(width: side, height: side) { colors[$0 * 2 / side + 2 * ($1 * 2 / side)] }
    }

    /// A zlib stream that compresses nothing.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            for word in [count, ~count] { output += [UInt8(word & 0xFF), UInt8(word >> 8)] }
            output.insert(rest.isEmpty ? 1 : 0, at: output.count - 4)
            output += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return output + number(Int(high << 16 | low))
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return number(data.count) + named + number(Int(checksum(named)))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }

    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }

    private static func decoded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
