/// The type of a frame (RFC 6455 §5.2).
enum Opcode: UInt8 {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Control frames are short and unfragmented, and may occur between the fragments of a message.
    var isControl: Bool { rawValue >= 0x8 }

    /// The maximum payload of a control frame in bytes (RFC 6455 §5.5).
    static let maximumControlPayload = 125
}
